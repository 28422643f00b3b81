import Base
import Studies

/// Report of a measurement by the aid's command, or its entry in the aid's history.
struct MeasurementReport {
  let record: String
  /// Model of the earphone (``MeasurementRecord/earphone(_:)``).
  let device: String
  let calibration: String
  let side: TinnitusSide?
  let values: [MeasuredValue]
  let text: String

  /// - Parameters:
  ///   - json: The report of `auricle match … --json` or `auricle hearing-test --json`, or an entry of `auricle match history --json`.
  ///   - text: The same as it was written.
  /// - Returns: Nil where it has no result of the kind.
  init?(_ json: JSONValue, _ text: String, of kind: TaskKind.Key) {
    guard let record = json.text("record"), !record.isEmpty, let calibration = json["calibration"],
      let device = calibration.text("device"), let status = calibration.text("status"),
      let values = Self.values(json, of: kind), !values.isEmpty
    else { return nil }
    self.device = MeasurementRecord.earphone(device)
    (self.record, self.calibration) = (record, status)
    (self.values, self.text) = (values, text)
    let ear = json.text("ear") ?? json["result"]?["loudness"]?.text("ear")
    side = json.text("tinnitus_side").flatMap { side in
      TinnitusSide.sides.contains(side)
        ? TinnitusSide(side: side, ear: TinnitusSide.needsEar(side) ? ear : nil) : nil
    }
  }

  private static func values(_ json: JSONValue, of kind: TaskKind.Key) -> [MeasuredValue]? {
    switch kind {
    case TaskKind.loudnessMatch.key: json["result"]?["loudness"].flatMap(loudness)
    // Command and history tell at their top whether it lies at the edge, and octaves that were not compared.
    case TaskKind.pitchMatch.key:
      json["result"]?["pitch"].flatMap {
        pitch($0, isAtEdge: json.flag("pitch_at_edge"), uncompared: json.texts("uncompared_octaves"))
      }
    // The command tells them at its top, the history within a result.
    case TaskKind.hearingTest.key: thresholds(json["result"]?["hearing_test"] ?? json)
    default: nil
    }
  }

  private static func loudness(_ found: JSONValue) -> [MeasuredValue]? {
    guard let frequency = found.number("frequency"), let threshold = found.number("threshold"),
      let level = found.number("level"), let sensation = found.number("sensation_level"),
      let scattered = found.flag("scattered"), let limit = found.flag("at_limit"),
      let trials = found.numbers("trials"), !trials.isEmpty
    else { return nil }
    // Of an aid that does not tell them nothing is kept.
    let told = ["not_turned", "threshold_or_below", "threshold_in_doubt"].compactMap { name in
      found.flag(name).map { MeasuredValue(name, $0, "") }
    }
    return [
      MeasuredValue("frequency", frequency, "Hz"), MeasuredValue("threshold", threshold, "dB HL"),
      MeasuredValue("level", level, "dB HL"), MeasuredValue("sensation_level", sensation, "dB SL"),
    ] + (found.number("deviation").map { [MeasuredValue("deviation", $0, "dB")] } ?? []) + [
      MeasuredValue("scattered", scattered, ""), MeasuredValue("at_limit", limit, ""),
    ] + told + trials.enumerated().map { MeasuredValue("trial_\($0.offset + 1)", $0.element, "dB HL") }
  }

  /// - Parameters:
  ///   - isAtEdge: 1 of a pitch at an end of the tones, 0 of another; nil: an aid that does not tell it.
  ///   - uncompared: "below" and "above" of octaves that were not compared; nil likewise.
  private static func pitch(
    _ found: JSONValue, isAtEdge: Double?, uncompared: [String]?
  ) -> [MeasuredValue]? {
    guard let frequency = found.number("frequency"), let compared = found.number("compared_frequency"),
      let confused = found.flag("octave_confused")
    else { return nil }
    let octaves = ["below", "above"].compactMap { octave in
      uncompared.map { MeasuredValue("octave_\(octave)_uncompared", $0.contains(octave) ? 1 : 0, "") }
    }
    return [
      MeasuredValue("frequency", frequency, "Hz"), MeasuredValue("compared_frequency", compared, "Hz"),
      MeasuredValue("octave_confused", confused, ""),
    ] + (isAtEdge.map { [MeasuredValue("at_edge", $0, "")] } ?? []) + octaves
  }
}

extension JSONValue {
  func text(_ key: String) -> String? {
    if case .text(let text)? = self[key]?.content { text } else { nil }
  }

  func number(_ key: String) -> Double? {
    if case .number(let number)? = self[key]?.content { number } else { nil }
  }

  /// 1 for true, 0 for false.
  func flag(_ key: String) -> Double? {
    if case .boolean(let flag)? = self[key]?.content { flag ? 1 : 0 } else { nil }
  }

  func texts(_ key: String) -> [String]? {
    guard case .array(let elements)? = self[key]?.content else { return nil }
    let texts = elements.compactMap { if case .text(let text) = $0.content { text } else { nil } }
    return texts.count == elements.count ? texts : nil
  }

  func numbers(_ key: String) -> [Double]? {
    guard case .array(let elements)? = self[key]?.content else { return nil }
    let numbers = elements.compactMap { if case .number(let number) = $0.content { number } else { nil } }
    return numbers.count == elements.count ? numbers : nil
  }
}
