import Prescriptions
import Testing

@testable import AuricleCommands

@Suite("Cards that the setup is given") struct LoadedCardTests {
  @Test("a card is of an unknown clinic where the book has no clinic of its key, whatever else refuses it")
  func unknownClinic() throws {
    let issued = Instant.now + -86_400
    let key = try ClinicKey(new: "City Hearing Clinic", created: issued + -86_400)
    func card(until end: Instant) throws -> String {
      let pass = try DeveloperPass(serial: 1, holder: "A. Ear", issued: issued, expires: end, duration: 600)
      return try key.sign(pass).text
    }
    let own = TrustedClinic(identity: key.identity, enrolled: issued)
    let withdrawn = TrustedClinic(identity: key.identity, enrolled: issued, revoked: issued + 60)
    let other = TrustedClinic(
      identity: try ClinicKey(new: "Clinic South", created: issued).identity, enrolled: issued)
    let (good, ended) = (try card(until: .now + 86_400), try card(until: issued + 3600))
    for text in [good, ended] {
      #expect(LoadedCard.isOfUnknownClinic(text, trusting: []))
      #expect(LoadedCard.isOfUnknownClinic(text, trusting: [other]))
      #expect(!LoadedCard.isOfUnknownClinic(text, trusting: [other, own]))
      #expect(!LoadedCard.isOfUnknownClinic(text, trusting: [withdrawn]))
    }
    // Neither a clinic's own card, which carries its key, nor another text.
    #expect(!LoadedCard.isOfUnknownClinic(key.identity.card.text, trusting: []))
    #expect(!LoadedCard.isOfUnknownClinic("https://example.org", trusting: []))
  }
}
