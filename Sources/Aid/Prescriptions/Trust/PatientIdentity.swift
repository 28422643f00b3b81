import Acoustics
import Base
import Crypto
// For the canonical decomposition of accented letters, which the standard library keeps to itself.
import Foundation

/// What tells one patient from another when a card meets a device that belongs to somebody: a digest of the
/// names and the date of birth.
///
/// Case, accents, spaces and punctuation do not count: "Anne-Marie MÜLLER" and "Anne Marie Muller" are one
/// person, since clinics type names each in their own way. The reference does not count either: it is each
/// clinic's own. A device may store the digest in the open no more than the name itself: birth dates and
/// names are few enough to try them all.
package struct PatientIdentity: Sendable, Hashable {
  /// SHA-256, 32 bytes.
  package let bytes: [UInt8]

  package init(_ patient: Patient) {
    let fields = [
      Self.normalized(patient.givenName), Self.normalized(patient.familyName),
      patient.birthDate.description,
    ]
    bytes = Array(SHA256.hash(data: Array(("auricle patient 1\n" + fields.joined(separator: "\n")).utf8)))
  }

  /// Digest as a store keeps it; nil unless 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Letters and digits only, decomposed, without marks, in lower case. A name of nothing but marks stays as
  /// it is.
  static func normalized(_ name: String) -> String {
    let kept = name.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber:
        true
      default: false
      }
    }
    return kept.isEmpty ? name : String(String.UnicodeScalarView(kept)).lowercased()
  }
}

extension Patient {
  package var identity: PatientIdentity { PatientIdentity(self) }
}

/// A clinic whose key an owner of the device enrolled.
package struct TrustedClinic: Sendable, Hashable {
  package let identity: ClinicIdentity
  package let enrolled: Instant
  /// When trust was withdrawn; nil: in force.
  package let revoked: Instant?

  package init(identity: ClinicIdentity, enrolled: Instant, revoked: Instant? = nil) {
    self.identity = identity
    self.enrolled = enrolled
    self.revoked = revoked
  }
}

/// An audiologist's word that a device is from now on this patient's.
package struct BindingPass: Sendable, Hashable {
  /// Counts up with every card of one clinic key; a device takes each but once.
  package let serial: Int
  package let patient: Patient
  package let issued: Instant
  /// Not to be used from then on; at most ``DeveloperPass/longestValidity`` after issue.
  package let expires: Instant

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(
    serial: Int, patient: Patient, issued: Instant, expires: Instant
  ) throws(PrescriptionError) {
    try DeveloperPass.check(serial, issued, expires)
    self.serial = serial
    self.patient = patient
    self.issued = issued
    self.expires = expires
  }
}

extension BindingPass {
  var subject: JSONValue {
    ["serial": .number(Double(serial)), "patient": PrescriptionBundle.patient(patient)]
  }

  init(_ envelope: ReadEnvelope) throws(CardError) {
    let members = try envelope.subject.members("serial", "patient")
    guard let until = envelope.until else { throw envelope.subject.failure("a pass without exp") }
    let serial = try members("serial").integer(Prescription.serials)
    let patient = try BundleReader.patient(try members("patient"))
    do {
      try self.init(serial: serial, patient: patient, issued: envelope.from, expires: until)
    } catch { throw envelope.subject.failure("\(error)") }
  }
}
