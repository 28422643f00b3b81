import Base

/// The person a prescription is for.
package struct Patient: Sendable, Hashable {
  package let givenName: String
  package let familyName: String
  package let birthDate: CalendarDate
  /// The clinic's or the patient's own number for the person.
  package let reference: String?

  /// - Throws: ``PrescriptionError/unusableText(field:reason:)``.
  package init(
    givenName: String, familyName: String, birthDate: CalendarDate, reference: String? = nil
  ) throws(PrescriptionError) {
    self.givenName = try PlainText.checked(givenName, field: "given name")
    self.familyName = try PlainText.checked(familyName, field: "family name")
    self.birthDate = birthDate
    self.reference = try reference.map { text throws(PrescriptionError) in
      try PlainText.checked(text, field: "patient reference")
    }
  }

  /// "Ada Example".
  package var name: String { givenName + " " + familyName }
}

/// Who prescribes, and where.
package struct Prescriber: Sendable, Hashable {
  package let name: String
  package let clinic: String

  /// - Throws: ``PrescriptionError/unusableText(field:reason:)``.
  package init(name: String, clinic: String) throws(PrescriptionError) {
    self.name = try PlainText.checked(name, field: "prescriber's name")
    self.clinic = try PlainText.checked(clinic, field: "clinic's name")
  }
}

/// How far the patient may turn volume and tone, dB relative to the prescription. Nothing by default.
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

  /// - Throws: ``PrescriptionError/adjustmentOutOfRange(_:)``.
  package init(
    volume: ClosedRange<Double> = 0...0, tone: ClosedRange<Double> = 0...0
  ) throws(PrescriptionError) {
    guard volume.contains(0), volume.clamped(to: Self.volumes) == volume else {
      throw .adjustmentOutOfRange("volume")
    }
    guard tone.contains(0), tone.clamped(to: Self.tones) == tone else {
      throw .adjustmentOutOfRange("tone")
    }
    self.init(checked: volume, tone)
  }

  private init(checked volume: ClosedRange<Double>, _ tone: ClosedRange<Double>) {
    self.volume = volume
    self.tone = tone
  }
}

/// Text that a person wrote and that others will read on a card, a page, a terminal.
enum PlainText {
  /// Most bytes of UTF-8; a longer text would make the QR code denser than its readers like.
  static let greatestSize = 80

  /// The text itself when it is one line of 1 to 80 bytes without control or invisible direction characters
  /// and without space at its ends.
  static func checked(_ text: String, field: String) throws(PrescriptionError) -> String {
    func refuse(_ reason: String) -> PrescriptionError { .unusableText(field: field, reason: reason) }
    guard !text.isEmpty else { throw refuse("it is empty") }
    guard text.utf8.count <= greatestSize else {
      throw refuse("it has \(text.utf8.count) bytes, at most \(greatestSize) fit")
    }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        throw refuse(
          "it has a character that cannot be seen (U+\(String(scalar.value, radix: 16, uppercase: true)))")
      default: break
      }
    }
    guard text.first?.isWhitespace == false, text.last?.isWhitespace == false else {
      throw refuse("it begins or ends with a space")
    }
    return text
  }
}
