import Acoustics
import Control

/// Which ear something is for, as an audiologist types it: `left`, `right` or `both`.
enum EarsText {
  /// Nil for another word.
  static func ears(_ text: some StringProtocol) -> [Ear]? {
    switch text {
    case "left": [.left]
    case "right": [.right]
    case "both": [.left, .right]
    default: nil
    }
  }

  /// Puts a value where its text says.
  ///
  /// - Throws: ``Failure`` when the ear has one already.
  static func put<Value>(
    _ value: Value, for ears: [Ear], into values: inout Binaural<Value?>, option: String
  ) throws(Failure) {
    for ear in ears {
      guard values[ear] == nil else {
        throw Failure(
          option, found: "two for the \(ear.rawValue) ear", expected: "one for each ear at most",
          exit: .badData)
      }
      values[ear] = value
    }
  }
}
