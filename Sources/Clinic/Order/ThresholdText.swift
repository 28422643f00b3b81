public import Acoustics
public import Control

/// Thresholds of one ear as an audiologist types them: `250:35 500:40 4000:>110 8000:70m b1000:20`.
///
/// Frequency in Hz, a colon, the threshold in dB HL. `>` before the threshold: the loudest tone, not heard.
/// `m` after it: the other ear was masked. `b` before the frequency: bone conduction.
public enum ThresholdText {
  /// - Parameters:
  ///   - text: Points, separated by spaces or commas.
  ///   - place: Where it was typed, `--left`, for messages.
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the first bad point.
  public static func audiogram(_ text: String, at place: String) throws(Failure) -> Audiogram {
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
    let frequency = DecimalText.number(halves[0].dropFirst(isBone ? 1 : 0))
    let level = DecimalText.number(halves[1].dropFirst(isUnheard ? 1 : 0).dropLast(isMasked ? 1 : 0))
    guard let frequency, let level else { throw refusal() }
    return Audiogram.Point(
      frequency: frequency, threshold: HearingLevel(level), conduction: isBone ? .bone : .air,
      isMasked: isMasked, hasResponse: !isUnheard)
  }
}
