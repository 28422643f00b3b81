import Control
import HearingAid

/// A turn of volume or tone as a person writes it.
struct TurnText {
  private let words: [String]
  private let subject: String
  private let up: String
  private let down: String

  /// - Parameters:
  ///   - words: Of the command line; a number that begins with a minus comes like an option.
  ///   - subject: What is turned.
  ///   - up: Word for one step up.
  ///   - down: Word for one step down.
  init(_ words: [String], subject: String, up: String, down: String) {
    self.words = words
    self.subject = subject
    self.up = up
    self.down = down
  }

  /// What is meant; nil: nothing is written, so nothing is turned.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage``.
  func turn() throws(Failure) -> ProgramCall.Turn? {
    guard let word = words.first else { return nil }
    guard words.count == 1 else { throw refusal(words.joined(separator: " ")) }
    switch word {
    case up: return .by(SoundAdjustment.step)
    case down: return .by(-SoundAdjustment.step)
    case "reset": return .reset
    default:
      // A number without a sign could be meant as a place to turn to.
      guard word.hasPrefix("+") || word.hasPrefix("-") || word.hasPrefix("−"),
        // Digits and one point: what else Swift reads, hexadecimal for one, is a slip of the finger here.
        word.dropFirst().allSatisfy({ "0123456789.".contains($0) }),
        let change = Double((word.hasPrefix("−") ? "-" : word.prefix(1)) + word.dropFirst()),
        ProgramCall.turns.contains(change)
      else { throw refusal(word) }
      return .by(change)
    }
  }

  /// How far something may be turned, without a full stop.
  static func limits(_ adjustment: ProgramReport.Adjustment) -> String {
    adjustment.least == adjustment.most
      ? "the prescription does not let it be turned."
      : "it may be turned from \(ProgramText.range(adjustment))."
  }

  private func refusal(_ found: String) -> Failure {
    Failure(
      subject, found: found, expected: "\(up), \(down), reset, or a change in dB with its sign, -60 to +60",
      remedy: "For instance: auricle \(subject) +2", exit: .usage)
  }
}
