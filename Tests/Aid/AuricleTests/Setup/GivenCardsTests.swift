import Base
import Prescriptions
import Testing

@testable import AuricleCommands

@Suite("Cards before the camera of the setup") struct GivenCardsTests {
  private static let issued = Instant.now + -3600

  private static func clinic(_ name: String) throws -> String {
    try ClinicKey(new: name, created: issued).identity.card.text
  }

  private static func prescription(_ holder: String) throws -> String {
    let key = try ClinicKey(new: "City Hearing Clinic", created: issued)
    let pass = try DeveloperPass(
      serial: 1, holder: holder, issued: issued, expires: issued + 86_400, duration: 600)
    return try key.sign(pass).text
  }

  @Test("clinics' own cards are parted from the card for the person, in whatever order they lie")
  func parted() throws {
    let (city, south) = (try Self.clinic("City Hearing Clinic"), try Self.clinic("Clinic South"))
    let card = try Self.prescription("A. Ear")
    for texts in [[city, south, card], [card, city, south], [city, card, south]] {
      let given = try GivenCards(texts, in: "camera")
      #expect(given.clinics == [city, south] && given.prescription == card)
    }
    let alone = try GivenCards([city], in: "camera")
    #expect(alone.clinics == [city] && alone.prescription == nil)
    let nothing = try GivenCards([], in: "camera")
    #expect(nothing.clinics.isEmpty && nothing.prescription == nil)
  }

  @Test("two cards for persons are refused, also beside a clinic's and where one is no card at all")
  func two() throws {
    let (first, second) = (try Self.prescription("A. Ear"), try Self.prescription("B. Ear"))
    for texts in [
      [first, second], [first, try Self.clinic("City Hearing Clinic"), second],
      [first, "https://example.org"],
    ] {
      let refusal = #expect(throws: Failure.self) { try GivenCards(texts, in: "cards.png") }
      #expect(refusal?.exitStatus == .badData)
      #expect(refusal?.message.contains("found 2 cards, expected one prescription") == true)
    }
  }
}
