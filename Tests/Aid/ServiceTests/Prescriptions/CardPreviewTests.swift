import Acoustics
import Base
import Control
import Fitting
import Prescriptions
import Testing

@testable import Book
@testable import Service

@Suite("Preview of a card") struct CardPreviewTests {
  private let book: TrustingBook

  init() throws { book = try TrustingBook() }

  /// A card for a person of whom it tells nothing but a reference.
  private func card(_ reference: String, by clinic: ClinicKey? = nil) throws -> String {
    let name = book.clinic.key.identity.name
    return try (clinic ?? book.clinic.key).sign(
      Prescription(
        serial: 1, patient: Patient(reference: reference, of: name),
        prescriber: Prescriber(name: "Dr. Ear", clinic: name), environment: .quiet,
        audiograms: Binaural(both: StandardAudiogram.n3.audiogram),
        plan: FittingPlan(target: .rule(.nalRP)), issued: book.clinic.now + -60)
    ).text
  }

  @Test("a person who is known by a reference alone is shown by it, and taken in")
  func reference() throws {
    let card = try card("P-17")
    let preview = try book.ask(PrescriptionMethods.Look(card: card))
    #expect(preview.question == "Is this the hearing aid of Reference P-17?")
    #expect(preview.person?.givenName == nil && preview.person?.birthDate == nil)
    let json = try JSON.text(preview)
    #expect(json.contains(#""person":{"reference":"P-17"}"#), "\(json)")
    _ = try book.ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
    #expect(try book.ask(PrescriptionMethods.Export(number: nil)).card == card)
  }

  @Test(
    "a number of another key of the clinic's name is taken, and told, once the former key is trusted no longer"
  )
  func formerKey() throws {
    let (known, other) = (book.clinic.key.identity, try CardMaker().key)
    _ = try book.ask(
      TrustMethods.Add(
        card: other.identity.cardText, fingerprint: other.identity.fingerprint.grouped))
    try book.load(try card("P-17"))
    let second = try card("P-17", by: other)
    let failure = try #require(throws: Failure.self) {
      try book.ask(PrescriptionMethods.Look(card: second))
    }
    #expect(failure.exitStatus == .noPermission && failure.subject == "card")
    for key in [known, other.identity] { #expect(failure.message.contains(key.fingerprint.grouped)) }
    _ = try book.ask(TrustMethods.Revoke(fingerprint: known.fingerprint.grouped))
    let preview = try book.ask(PrescriptionMethods.Look(card: second))
    #expect(
      preview.effects.first == "The number came from another key of City Hearing Clinic, which is trusted "
        + "no longer: be sure that both keys are one clinic's.")
    _ = try book.ask(PrescriptionMethods.Load(card: second, confirmation: preview.confirmation))
    #expect(try book.ask(PrescriptionMethods.List()).inForce?.number == 2)
  }

  @Test(
    "a developer's pass shows its time in seconds where it is no whole number of minutes",
    arguments: [(119, "119 s"), (120, "2 min"), (3600, "60 min")])
  func developerPass(seconds: Int, words: String) throws {
    let pass = try DeveloperPass(
      serial: 7, holder: "Dev", issued: book.clinic.now + -60, expires: book.clinic.now + 3600,
      duration: seconds)
    let card = try book.clinic.key.sign(pass).text
    let preview = try book.ask(PrescriptionMethods.Look(card: card))
    #expect(preview.effects == ["Developer mode lasts \(words)."])
  }

  @Test("the end of a trial is shown as the book will count it, also once its clock was set back")
  func correctedClock() throws {
    let (now, hour) = (book.clinic.now, 3600)
    let person = Actor(channel: .socket, userID: 1000, processID: 42)
    // The clock was two hours ahead; the card is older than its correction, so it gains none of them.
    let events = [
      BookEvent(number: 1, moment: now + 2 * hour, actor: person, change: .timePassed),
      BookEvent(number: 2, moment: now, actor: person, change: .clockCorrected),
    ]
    let card = try Card.read(
      book.clinic.prescription(1, trialEnds: now + 8 * hour),
      trusting: [TrustedClinic(identity: book.clinic.key.identity, enrolled: now)], at: now)
    let preview = CardPreview(card, in: BookState(folding: events, at: now), confirmation: "")
    let end = (now + 6 * hour).localText
    #expect(preview.effects.contains { $0.hasPrefix("It is a trial until \(end);") }, "\(preview.effects)")
  }

  @Test(
    "a reference with what cannot be seen is refused, as a name is",
    arguments: ["P-17\u{2800}", "\u{3164}"])
  func unseen(reference: String) throws {
    let card = try card(reference)
    let failure = try #require(throws: Failure.self) { try book.ask(PrescriptionMethods.Look(card: card)) }
    #expect(failure.exitStatus == .badData && failure.message.contains("cannot be seen"))
  }
}
