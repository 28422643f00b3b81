import Base
import Crypto
// For the canonical decomposition of accented letters, which the standard library keeps to itself.
import Foundation

/// The person a prescription is for: by name and date of birth, or by nothing but a clinic's reference.
package struct Patient: Sendable, Hashable {
  /// Nil, as are family name and date of birth, for a person who is known by a reference alone.
  package let givenName: String?
  package let familyName: String?
  package let birthDate: CalendarDate?
  /// The clinic's or the patient's own number for the person.
  package let reference: String?
  /// Name of the clinic whose reference stands for the person; nil for a person with a name.
  let clinic: String?

  /// - Throws: ``PrescriptionError/unusable(field:reason:)``.
  package init(
    givenName: String, familyName: String, birthDate: CalendarDate, reference: String? = nil
  ) throws(PrescriptionError) {
    self.givenName = try PlainText.checked(givenName, field: "given name") as String
    self.familyName = try PlainText.checked(familyName, field: "family name") as String
    self.birthDate = birthDate
    self.reference = try PlainText.checked(reference, field: "patient reference")
    clinic = nil
  }

  /// A person of whom a card tells a reference and nothing else.
  ///
  /// - Parameter clinic: Name of the clinic whose reference it is: each clinic has its own.
  /// - Throws: ``PrescriptionError/unusable(field:reason:)``.
  package init(reference: String, of clinic: String) throws(PrescriptionError) {
    (givenName, familyName, birthDate) = (nil, nil, nil)
    self.reference = try PlainText.checked(reference, field: "patient reference") as String
    self.clinic = clinic
  }

  /// "Ada Example", or "Reference 4711".
  package var name: String {
    guard let givenName, let familyName else { return "Reference " + (reference ?? "") }
    return givenName + " " + familyName
  }

  /// "Ada Example, born 1950-02-03, reference 4711", without what is not known.
  package var words: String {
    guard birthDate != nil else { return name }
    return identityWords + (reference.map { ", reference " + $0 } ?? "")
  }

  /// "Ada Example, born 1950-02-03", or "Reference 4711".
  var identityWords: String { birthDate.map { "\(name), born \($0)" } ?? name }
}

/// Audiologist and clinic.
package struct Prescriber: Sendable, Hashable {
  package let name: String
  package let clinic: String

  /// - Throws: ``PrescriptionError/unusable(field:reason:)``.
  package init(name: String, clinic: String) throws(PrescriptionError) {
    self.name = try PlainText.checked(name, field: "prescriber's name")
    self.clinic = try PlainText.checked(clinic, field: "clinic's name")
  }
}

/// Ranges of the patient's own volume and tone, dB relative to the prescription. Default: 0 alone.
package struct PatientAdjustment: Sendable, Hashable {
  /// Volumes a prescription may allow, dB.
  package static let volumes = -20.0...10.0
  /// Tones a prescription may allow, dB: treble against bass.
  package static let tones = -10.0...10.0

  /// Contains 0.
  package let volume: ClosedRange<Double>
  /// Contains 0.
  package let tone: ClosedRange<Double>

  package static let none = PatientAdjustment(checked: 0...0, 0...0)
  /// Ranges where the audiologist states none: volume from 0 dB down to −20 dB, no tone.
  package static let usual = PatientAdjustment(checked: -20...0, 0...0)

  /// - Throws: ``PrescriptionError/unusable(field:reason:)``.
  package init(
    volume: ClosedRange<Double> = 0...0, tone: ClosedRange<Double> = 0...0
  ) throws(PrescriptionError) {
    for (name, range, allowed) in [("volume", volume, Self.volumes), ("tone", tone, Self.tones)] {
      guard range.contains(0), range.clamped(to: allowed) == range else {
        let bounds = "\(Int(allowed.lowerBound)) to \(Int(allowed.upperBound)) dB"
        throw .unusable(field: "patient's \(name)", reason: "expected a range around 0 within \(bounds)")
      }
    }
    self.init(checked: volume, tone)
  }

  private init(checked volume: ClosedRange<Double>, _ tone: ClosedRange<Double>) {
    self.volume = volume
    self.tone = tone
  }
}

/// Listening environment that a prescription is for; a device keeps one prescription in force for each.
package enum ListeningEnvironment: Sendable, Hashable {
  case quiet
  case conversationInNoise
  case music
  case outdoors
  /// The clinic's own word.
  case other(String)

  /// The environments that have a name of their own.
  package static let known: [ListeningEnvironment] = [.quiet, .conversationInNoise, .music, .outdoors]

  /// Word on a card and on the command line: `quiet`, `conversation-in-noise`, `music`, `outdoors`, or the
  /// clinic's own.
  package var word: String {
    switch self {
    case .quiet: "quiet"
    case .conversationInNoise: "conversation-in-noise"
    case .music: "music"
    case .outdoors: "outdoors"
    case .other(let word): word
    }
  }

  /// The known environment whose word a text is but for case, spaces and signs: `Quiet`, `conversation in noise`. Nil: it is the word
  /// itself, or another one.
  package static func lookalike(of text: String) -> ListeningEnvironment? {
    func plain(_ word: String) -> String { word.lowercased().filter { $0.isLetter || $0.isNumber } }
    return known.first { $0.word != text && plain($0.word) == plain(text) }
  }

  /// - Throws: ``PrescriptionError/unusable(field:reason:)``.
  package init(word: String) throws(PrescriptionError) {
    let text = try PlainText.checked(word, field: "environment")
    self = Self.known.first { $0.word == text } ?? .other(text)
  }
}

/// Text that a person wrote and that others will read on a card, a page, a terminal.
enum PlainText {
  /// Most bytes of UTF-8; a longer text would make the QR code denser than its readers like.
  static let greatestSize = 80

  static func checked(_ text: String?, field: String) throws(PrescriptionError) -> String? {
    if let text { try checked(text, field: field) as String } else { nil }
  }

  /// The text itself when it is one line of 1 to 80 bytes without control or invisible direction characters
  /// and without space at its ends.
  static func checked(_ text: String, field: String) throws(PrescriptionError) -> String {
    func refuse(_ reason: String) -> PrescriptionError { .unusable(field: field, reason: reason) }
    guard !text.isEmpty else { throw refuse("it is empty") }
    guard text.utf8.count <= greatestSize else {
      throw refuse("it has \(text.utf8.count) bytes, at most \(greatestSize) fit")
    }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        throw refuse(unseen(scalar))
      default: break
      }
    }
    guard text.first?.isWhitespace == false, text.last?.isWhitespace == false else {
      throw refuse("it begins or ends with a space")
    }
    return text
  }

  static func unseen(_ scalar: Unicode.Scalar) -> String {
    "it has a character that cannot be seen (U+\(String(scalar.value, radix: 16, uppercase: true)))"
  }
}

/// Digest of a patient's names and date of birth, by which a device that is bound to one person knows that
/// person's cards.
///
/// Case, accents, spaces and punctuation do not count: "Anne-Marie MÜLLER" and "Anne Marie Muller" are one
/// person, because clinics type names in different ways. In other scripts than Latin, Greek and Cyrillic
/// marks are vowels and consonants, and count. The reference does not: each clinic has its own. A person
/// without a name is the clinic's reference. The digest needs the same protection as the name: names and
/// birth dates are few enough to try them all.
package struct PatientIdentity: Sendable, Hashable {
  /// SHA-256, 32 bytes.
  package let bytes: [UInt8]

  package init(_ patient: Patient) {
    let fields =
      if let given = patient.givenName, let family = patient.familyName, let birth = patient.birthDate {
        ["auricle patient 1", Self.normalized(given), Self.normalized(family), birth.description]
      } else { ["auricle patient 2", patient.clinic ?? "", patient.reference ?? ""] }
    bytes = Array(SHA256.hash(data: Array(fields.joined(separator: "\n").utf8)))
  }

  /// Letters and digits only, decomposed, without accents, all of one case. A name of nothing but marks stays
  /// as it is.
  static func normalized(_ name: String) -> String {
    var marksCount = false
    let kept = folded(name).decomposedStringWithCompatibilityMapping.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber:
        marksCount = scalar.properties.isAlphabetic && Alphabet(scalar) == nil
        return true
      case .nonspacingMark, .spacingMark: return marksCount
      default: return false
      }
    }
    return kept.isEmpty ? name : folded(String(String.UnicodeScalarView(kept)))
  }

  /// In the small letters of its capitals: ς as σ, ß as ss, ı as i. In small letters before that, too, for the capital
  /// ẞ stays as it is otherwise.
  private static func folded(_ name: String) -> String {
    name.lowercased().uppercased().lowercased()
  }
}

extension Patient {
  package var identity: PatientIdentity { PatientIdentity(self) }
}
