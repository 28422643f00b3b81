import Acoustics
import Base
import Fitting

/// A tinnitus sound as text: its shape, then its numbers, pitch in Hz, width in octaves, level in dB SPL.
///
/// `notched 6000 0.5 45`, `broadband 40`
enum SoundText {
  private static let broadband = "broadband"
  private static let band = "band"
  private static let notched = "notched"

  static func text(_ sound: TinnitusSound) -> String {
    let level = sound.level.decibels
    let (word, numbers): (String, [Double]) =
      switch sound.shape {
      case .broadband: (broadband, [level])
      case .band(let pitch, let width): (band, [pitch, width, level])
      case .notched(let pitch, let width): (notched, [pitch, width, level])
      }
    return ([word] + numbers.map(NumberText.exact)).joined(separator: " ")
  }

  /// - Throws: ``CardError/invalidContent(place:reason:)`` when the shape is unknown, or numbers are missing or
  ///   out of range.
  static func sound(_ text: String, _ place: JSONPlace) throws(CardError) -> TinnitusSound {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let numbers = words.dropFirst().compactMap { JSONNumber.value(of: $0) }
    let word = String(Substring(words[0]))
    let shape: TinnitusSound.Shape
    switch (word, numbers.count) {
    case (broadband, 1): shape = .broadband
    case (band, 3): shape = .band(pitch: numbers[0], width: numbers[1])
    case (notched, 3): shape = .notched(pitch: numbers[0], width: numbers[1])
    default:
      throw place.failure(
        "found tinnitus sound \"\(PrintableText.short(text))\", expected broadband and a level, or band or notched"
          + " and pitch, width, level")
    }
    guard numbers.count == words.count - 1 else {
      throw place.failure("tinnitus sound: expected numbers separated by single spaces")
    }
    do {
      return try TinnitusSound(shape: shape, level: SoundPressureLevel(numbers[numbers.count - 1]))
    } catch { throw place.failure("\(error)") }
  }
}
