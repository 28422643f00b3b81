import Base
import Paper

/// A card of a certain length and error correction.
struct CardSize {
  /// Characters of the signed text before it becomes digits, two for each.
  let characters: Int
  let correction: ErrorCorrection

  /// Those of the trial: with rules (900 to 1190 characters) and with tables (1700 and 1900). The higher
  /// corrections are there as far as they can be compared at all.
  static let all: [CardSize] = [
    .init(characters: 900, correction: .low), .init(characters: 1000, correction: .low),
    .init(characters: 1100, correction: .low), .init(characters: 1190, correction: .low),
    .init(characters: 1700, correction: .low), .init(characters: 1900, correction: .low),
    .init(characters: 900, correction: .medium), .init(characters: 900, correction: .quartile),
    .init(characters: 1190, correction: .medium), .init(characters: 1190, correction: .quartile),
  ]

  /// A random text of the form of a SMART Health Card: each character of base64url less 45 as two digits.
  func text(dice: inout SeededNumbers) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text = "shc:/"
    for _ in 0..<characters {
      let value = Int(alphabet.randomElement(using: &dice)!) - 45
      text += "\(value / 10)\(value % 10)"
    }
    return text
  }
}
