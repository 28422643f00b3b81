import Acoustics
import Base
import Control
import Fitting

/// Thresholds of one ear as an audiologist types them: `250:35 500:40 4000:>110 8000:70m b1000:20`.
///
/// Frequency in Hz, a colon, the threshold in dB HL. `>` before the threshold: the loudest tone, not heard.
/// `m` after it: the other ear was masked. `b` before the frequency: bone conduction.
package enum ThresholdText {
  /// - Parameters:
  ///   - text: Points, separated by spaces or commas.
  ///   - place: Where it was typed, `--left`, for messages.
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the first bad point.
  package static func audiogram(_ text: String, at place: String) throws(Failure) -> Audiogram {
    var points: [Audiogram.Point] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," || $0.isNewline }) {
      points.append(try point(word, place))
    }
    do {
      return try Audiogram(points: points)
    } catch {
      throw Failure(place, saying: "\(error)", exit: .badData)
    }
  }

  private static func point(_ word: Substring, _ place: String) throws(Failure) -> Audiogram.Point {
    let halves = word.split(separator: ":", omittingEmptySubsequences: false)
    func refusal() -> Failure {
      Failure(
        place, found: "\"\(word.prefix(30))\"",
        expected:
          "frequency:threshold, as 1000:40, 4000:>110 (not heard), 1000:40m (masked), b1000:20 (bone)",
        exit: .badData)
    }
    guard halves.count == 2 else { throw refusal() }
    let isBone = halves[0].hasPrefix("b")
    let isUnheard = halves[1].hasPrefix(">")
    let isMasked = halves[1].hasSuffix("m")
    let frequency = NumberText.value(of: halves[0].dropFirst(isBone ? 1 : 0))
    let level = NumberText.value(of: halves[1].dropFirst(isUnheard ? 1 : 0).dropLast(isMasked ? 1 : 0))
    guard let frequency, let level else { throw refusal() }
    return Audiogram.Point(
      frequency: frequency, threshold: HearingLevel(level), conduction: isBone ? .bone : .air,
      isMasked: isMasked, hasResponse: !isUnheard)
  }
}

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

/// A range of dB as people type it: `-10..5`.
package struct RangeText: Sendable, Hashable {
  package let range: ClosedRange<Double>

  /// Nil when it is not two decimal numbers in order with two points between them.
  package init?(_ text: String) {
    guard let cut = text.firstRange(of: ".."),
      let low = NumberText.value(of: text[..<cut.lowerBound]),
      let high = NumberText.value(of: text[cut.upperBound...]),
      low <= high
    else { return nil }
    range = low...high
  }
}

/// Frequency lowering as an audiologist types it: ear, cutoff in Hz, ratio, as `right:2000:2`.
package enum LoweringText {
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the first bad text.
  package static func lowering(_ texts: [String]) throws(Failure) -> Binaural<FrequencyLowering?> {
    var found = Binaural<FrequencyLowering?>(both: nil)
    for text in texts {
      let fields = text.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 3, let ears = EarsText.ears(fields[0]),
        let cutoff = NumberText.value(of: fields[1]), let ratio = NumberText.value(of: fields[2])
      else {
        throw Failure(
          "--lowering", found: "\"\(text.prefix(40))\"",
          expected: "ear:cutoff:ratio, as right:2000:2 or both:3000:1.5", exit: .badData)
      }
      let lowering: FrequencyLowering
      do throws(FrequencyLoweringError) {
        lowering = try FrequencyLowering(cutoff: cutoff, ratio: ratio)
      } catch {
        throw Failure("--lowering", saying: "\(error)", exit: .badData)
      }
      try EarsText.put(lowering, for: ears, into: &found, option: "--lowering")
    }
    return found
  }
}
