import Acoustics
import Base
import CommonTesting
import Control
import Fitting
import Prescriptions
import Testing

@testable import Service

@Suite("Preview of a card") struct CardPreviewTests {
  private let folder = TemporaryFolder()
  private let clinic: CardMaker
  private let store: PrescriptionStore

  init() throws {
    clinic = try CardMaker()
    store = PrescriptionStore(folder: folder.path + "/book")
    let identity = clinic.key.identity
    _ = try ask(TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
  }

  private func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply {
    try store.answer(method, fromUser: 1000, process: 42)
  }

  /// A card for a person of whom it tells nothing but a reference.
  private func card(_ reference: String) throws -> String {
    let name = clinic.key.identity.name
    return try clinic.key.sign(
      Prescription(
        serial: 1, patient: Patient(reference: reference, of: name),
        prescriber: Prescriber(name: "Dr. Ear", clinic: name), environment: .quiet,
        audiograms: Binaural(both: StandardAudiogram.n3.audiogram),
        plan: FittingPlan(target: .rule(.nalRP)), issued: clinic.now + -60)
    ).text
  }

  @Test("a person who is known by a reference alone is shown by it, and taken in")
  func reference() throws {
    let card = try card("P-17")
    let preview = try ask(PrescriptionMethods.Look(card: card))
    #expect(preview.question == "Is this the hearing aid of Reference P-17?")
    #expect(preview.person?.givenName == nil && preview.person?.birthDate == nil)
    let json = try JSON.text(preview)
    #expect(json.contains(#""person":{"reference":"P-17"}"#), "\(json)")
    _ = try ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
    #expect(try ask(PrescriptionMethods.Export(number: nil)).card == card)
  }

  @Test(
    "a reference with what cannot be seen is refused, as a name is",
    arguments: ["P-17\u{2800}", "\u{3164}"])
  func unseen(reference: String) throws {
    let card = try card(reference)
    let failure = try #require(throws: Failure.self) { try ask(PrescriptionMethods.Look(card: card)) }
    #expect(failure.exitStatus == .badData && failure.message.contains("cannot be seen"))
  }
}
