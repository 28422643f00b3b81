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
public struct PatientIdentity: Sendable, Hashable {
  /// SHA-256, 32 bytes.
  public let bytes: [UInt8]

  public init(_ patient: Patient) {
    let fields = [
      Self.normalized(patient.givenName), Self.normalized(patient.familyName),
      patient.birthDate.description,
    ]
    bytes = Array(SHA256.hash(data: Array(("auricle patient 1\n" + fields.joined(separator: "\n")).utf8)))
  }

  /// Digest as a store keeps it; nil unless 32 bytes.
  public init?(bytes: [UInt8]) {
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
  public var identity: PatientIdentity { PatientIdentity(self) }
}
