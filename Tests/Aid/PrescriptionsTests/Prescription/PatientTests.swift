import Base
import Testing

@testable import Prescriptions

@Suite("Patient by reference") struct PatientTests {
  private let forge: Forge

  init() throws { forge = try Forge() }

  private func card(_ patient: Patient) throws -> CardText {
    let plain = try forge.prescription()
    return try forge.clinic.sign(
      Prescription(
        serial: 12, patient: patient, prescriber: plain.prescriber, environment: .quiet,
        audiograms: plain.audiograms, plan: plain.plan, issued: plain.issued))
  }

  @Test("the card holds the reference, and neither name nor date of birth")
  func card() throws {
    let patient = try Patient(reference: "P-17", of: "Clinic North")
    let card = try card(patient)
    let content = String(decoding: try card.content(), as: UTF8.self)
    #expect(content.contains("P-17") && !content.contains("birthDate") && !content.contains("given"))
    guard case .prescription(let read) = try Card.read(card.text, trusting: forge.trusted, at: Forge.issued)
    else {
      Issue.record("not a prescription")
      return
    }
    #expect(read.content.patient == patient)
    #expect(read.content.patient.words == "Reference P-17")
    let json = PrescriptionReport(read.content, verdict: nil).json
    #expect(json["given_name"] == nil && json["birth_date"] == nil && json["reference"] == "P-17")
  }

  @Test("a reference is one person within a clinic, and another person in every other clinic")
  func identity() throws {
    let one = try Patient(reference: "P-17", of: "Clinic North")
    #expect(one.identity == (try Patient(reference: "P-17", of: "Clinic North")).identity)
    #expect(one.identity != (try Patient(reference: "P-18", of: "Clinic North")).identity)
    #expect(one.identity != (try Patient(reference: "P-17", of: "Clinic South")).identity)
    #expect(one.identity != (try forge.prescription()).patient.identity)
  }

  @Test("a binding pass by reference comes back")
  func pass() throws {
    let pass = try BindingPass(
      serial: 3, patient: Patient(reference: "P-17", of: "Clinic North"), issued: Forge.issued,
      expires: Forge.issued + 3600)
    let text = try forge.clinic.sign(pass).text
    guard case .bindingPass(let read) = try Card.read(text, trusting: forge.trusted, at: Forge.issued)
    else {
      Issue.record("not a binding pass")
      return
    }
    #expect(read.content == pass)
  }

  @Test("half a name, or a name without a date of birth, is refused as before")
  func partial() throws {
    let payload = try forge.payload()
    for (old, new) in [
      ("\"birthDate\":\"1950-02-03\"", "\"identifier\":[{\"value\":\"7\"}]"),
      ("\"birthDate\":\"1950-02-03\",", ""), (",\"birthDate\":\"1950-02-03\"", ""),
    ] where payload.contains(old) {
      let text = try forge.jws(payload.replacing(old, with: new))
      #expect(forge.refusal(text) != nil, "\(old)")
    }
  }
}

@Suite("Clinic's telephone") struct ClinicTelephoneTests {
  @Test("the card of a clinic holds its telephone number; a card without one is read as before")
  func card() throws {
    let key = try ClinicKey(
      new: "Clinic North", telephone: "+44 20 7946 0018", created: Instant(seconds: 1))
    let read = try ClinicIdentity(reading: CardText(reading: key.identity.cardText))
    #expect(read.telephone == "+44 20 7946 0018" && read == key.identity)
    let old = try ClinicKey(new: "Clinic North", created: Instant(seconds: 1))
    #expect(try ClinicIdentity(reading: CardText(reading: old.identity.cardText)).telephone == nil)
    #expect(!String(decoding: try old.identity.card.content(), as: UTF8.self).contains("telephone"))
  }

  @Test(
    "what nobody could dial is refused",
    arguments: ["", "ask us", String(repeating: "0", count: 31), "1\n2"])
  func refused(text: String) {
    #expect(throws: PrescriptionError.self) {
      try ClinicKey(new: "Clinic North", telephone: text, created: Instant(seconds: 1))
    }
  }
}
