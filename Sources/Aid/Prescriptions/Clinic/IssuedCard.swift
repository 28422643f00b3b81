import Base
import Glibc

/// A card that a clinic signed, as its list of cards keeps it. Health data: it names the patient.
package struct IssuedCard: Sendable, Equatable {
  package let serial: Int
  package let issued: Instant
  /// `prescription`, `binding pass`, `developer pass`, `return pass`.
  package let kind: String
  /// Patient or holder; of a return pass the number of the device.
  package let person: String
  /// Environment that a prescription is for; nil: a pass.
  package let environment: String?
  /// Serial of the prescription that it replaces.
  package let supersedes: Int?
  /// File that it was written to.
  package let file: String
}

extension IssuedCard {
  static let prescriptionKind = "prescription"

  package init(_ prescription: Prescription, file: String) {
    self.init(
      serial: prescription.serial, issued: prescription.issued, kind: Self.prescriptionKind,
      person: prescription.patient.words, environment: prescription.environment.word,
      supersedes: prescription.supersedes, file: file)
  }

  package init(_ pass: BindingPass, file: String) {
    self.init(
      serial: pass.serial, issued: pass.issued, kind: "binding pass", person: pass.patient.words,
      environment: nil, supersedes: nil, file: file)
  }

  package init(_ pass: DeveloperPass, file: String) {
    self.init(
      serial: pass.serial, issued: pass.issued, kind: "developer pass", person: pass.holder,
      environment: nil, supersedes: nil, file: file)
  }

  package init(_ pass: ReturnPass, file: String) {
    self.init(
      serial: pass.serial, issued: pass.issued, kind: "return pass", person: "device \(pass.device)",
      environment: nil, supersedes: nil, file: file)
  }

  /// True of a card for the same person, however the name was typed and whichever reference stands beside it.
  func isFor(_ patient: Patient) -> Bool {
    let (own, other) = (
      PatientIdentity.normalized(person), PatientIdentity.normalized(patient.identityWords)
    )
    // A date of birth ends the words that tell a person by name; behind them comes the reference.
    return patient.birthDate == nil ? own == other : own.hasPrefix(other)
  }

  package var json: JSONValue {
    [
      "serial": .number(Double(serial)), "issued": .text(issued.text), "kind": .text(kind),
      "person": .text(person), "environment": environment.map(JSONValue.text),
      "supersedes": supersedes.map { .number(Double($0)) }, "file": .text(file),
    ]
  }

  /// Refuses a person whose name has characters that show nothing: no device takes such a card.
  package func checkPerson() throws(Failure) {
    guard let error = LookalikeName.refusal(of: person, field: "name") else { return }
    throw Failure(kind, inWords: "\(error)", exit: .badData)
  }

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  init(_ line: [UInt8]) throws(PrescriptionError) {
    let members = try JSONPlace(reading: line).object()
    let issued = try members("issued")
    guard let moment = Instant(text: try issued.text()) else {
      throw issued.failure("expected a moment, as 2026-02-28T09:30:00Z")
    }
    self.issued = moment
    serial = try members("serial").integer(Prescription.serials)
    kind = try members("kind").text()
    person = try members("person").text()
    environment = try members.optional("environment")?.text()
    supersedes = try members.optional("supersedes")?.integer(Prescription.serials)
    file = try members("file").text()
  }
}

/// A serial that is being given out. Until it is committed or dropped no other program gives one out; one that
/// is dropped is free for the next card.
///
/// - Threads: control.
package struct SerialIssue: ~Copyable {
  /// The serial to sign with.
  package let serial: Int
  private let folder: ClinicFolder
  private let lock: LockFile

  init(_ serial: Int, in folder: ClinicFolder, lock: LockFile) {
    (self.serial, self.folder, self.lock) = (serial, folder, lock)
  }

  /// Takes the serial for good and notes the card. Call it when the card is on the disk and has no name yet: then
  /// neither a full disk nor a kill gives a serial twice, and what failed before used up none.
  ///
  /// - Throws: ``Failure``, also of ``IssuedCard/checkPerson()``; then the serial is as free as before.
  package consuming func commit(_ card: IssuedCard) throws(Failure) {
    try card.checkPerson()
    try folder.note(card, last: serial - 1)
  }
}
