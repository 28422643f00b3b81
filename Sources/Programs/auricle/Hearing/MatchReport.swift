import Acoustics
import Base
import Procedures
import Service

/// A match's result as a command tells it.
struct MatchReport: Encodable {
  private let schema = 103
  let record: String
  let calibration: DeviceCalibration
  let tinnitusSide: ProcedureOrder.TinnitusSide?
  let thresholdFrom: String?
  let result: ProcedureResult?
  /// True of a pitch at an end of the range in which it was searched; nil of every other match, and where that is not known.
  let isPitchAtEdge: Bool?
  /// Octaves beside its compared frequency that a pitch was not compared with; nil as above.
  let uncomparedOctaves: [PitchMatchResult.Octave]?
  /// Frequencies at which sounds may not be as loud as the tinnitus, Hz, for their threshold, or that of the loudness match, lies at the softest
  /// tone or below, or is in doubt, or the device makes none as soft; nil of matches of level, and where that is not known.
  let uncertainFrequencies: [Double]?
  /// Frequencies to which a match of pitch could not go, Hz, for the ear hears none of their tones that may be played; nil of every other
  /// match, and where that is not known.
  let unheardFrequencies: [Double]?
  /// Those of them at which the plug may have been out, by a doubt of the hearing test, Hz; nil as above.
  let unheardInDoubt: [Double]?
  /// Parts of the frequencies in which a match of pitch had its tones, Hz, where it could not go everywhere.
  private let parts: [ClosedRange<Double>]

  private enum CodingKeys: CodingKey {
    case schema, record, calibration, tinnitusSide, thresholdFrom, result, isPitchAtEdge, uncomparedOctaves
    case uncertainFrequencies, unheardFrequencies, unheardInDoubt
  }

  init(_ beginning: ProcedureBeginning, _ result: ProcedureResult?) {
    (record, calibration) = (beginning.identifier, beginning.levelCalibration)
    (tinnitusSide, thresholdFrom) = (beginning.order.tinnitusSide, beginning.thresholdFrom)
    self.result = result
    isPitchAtEdge = beginning.plan.isPitchAtEdge(result)
    uncomparedOctaves = beginning.plan.uncomparedOctaves(result)
    uncertainFrequencies = beginning.plan.uncertainFrequencies
    let curve = beginning.plan.pitchCurve
    (unheardFrequencies, unheardInDoubt) = (curve?.unheard, curve?.unheardInDoubt)
    parts = curve?.parts ?? []
  }

  /// Of a record that cannot be had.
  init(_ record: String, _ calibration: DeviceCalibration, _ result: ProcedureResult?) {
    (self.record, self.calibration, self.result) = (record, calibration, result)
    (tinnitusSide, thresholdFrom, isPitchAtEdge) = (nil, nil, nil)
    (uncomparedOctaves, uncertainFrequencies) = (nil, nil)
    (unheardFrequencies, unheardInDoubt, parts) = (nil, nil, [])
  }

  var text: String {
    var lines: [String] = []
    if let loudness = result?.loudness { lines += Self.words(loudness) }
    if let pitch = result?.pitch { lines += Self.words(pitch, isAtEdge: isPitchAtEdge == true) }
    lines += (uncomparedOctaves ?? []).compactMap(sentence)
    if let likeness = result?.likeness { lines += Self.words(likeness) }
    if let reach { lines.append(reach) }
    if let bandwidth = result?.bandwidth { lines += Self.words(bandwidth) }
    if let uncertainty { lines.append(uncertainty) }
    if let masking = result?.masking { lines += Self.words(masking) }
    if let inhibition = result?.inhibition { lines += Self.words(inhibition) }
    lines.append(
      "Levels: \(calibration.device), calibration \(calibration.status.rawValue)."
        + (thresholdFrom.map { " Threshold from \($0)." } ?? ""))
    lines.append("Record: \(record)")
    return lines.map { $0 + "\n" }.joined()
  }

  /// Reach of a match of pitch that could not go everywhere, a sentence; nil: it could, or that is not known.
  private var reach: String? {
    guard let unheardFrequencies, !unheardFrequencies.isEmpty else { return nil }
    let parts = parts.map { "\($0.lowerBound.shortText) to \($0.upperBound.shortText)" }
    let unheard = English.list(unheardFrequencies.map(\.shortText), "and")
    return
      "The tones were those from \(English.list(parts, "and from")) Hz alone: no tone that may be played is heard at "
      + "\(unheard) Hz, and the pitch may lie there.\(silenceDoubt)"
  }

  /// A doubt about frequencies that were not heard, a sentence behind another; empty without one.
  private var silenceDoubt: String {
    guard let unheardInDoubt, !unheardInDoubt.isEmpty else { return "" }
    return
      " A doubt of the hearing test is about \(English.list(unheardInDoubt.map(\.shortText), "and")) Hz: was the plug in? "
      + "Test there again, then match again."
  }

  /// Octave that was not compared, a sentence.
  private func sentence(_ octave: PitchMatchResult.Octave) -> String? {
    guard let low = parts.first?.lowerBound, let high = parts.last?.upperBound, let pitch = result?.pitch
    else { return nil }
    let (tone, other) = (pitch.comparedFrequency.rounded(), pitch.neighbour(octave).rounded())
    let end =
      switch octave {
      case .below: "begin at \(low.shortText) Hz"
      case .above: "end at \(high.shortText) Hz"
      }
    return
      "\(other.shortText) Hz, the octave \(octave.rawValue) \(tone.shortText) Hz, could not be compared, for the tones "
      + "\(end): the pitch may lie there."
  }

  /// Sounds that may not be as loud as the tinnitus, a sentence; nil: none, or that is not known.
  private var uncertainty: String? {
    guard let uncertainFrequencies, !uncertainFrequencies.isEmpty else { return nil }
    return
      "Sounds at \(English.list(uncertainFrequencies.map(\.shortText), "and")) Hz may not be as loud as your tinnitus: the threshold there, "
      + "or that of your loudness match, is the softest tone of its hearing test, and may be lower, or a doubt of that test is about it, "
      + "or the device makes no softer sound there."
  }

  /// A doubt of the hearing test, a sentence.
  private static let thresholdDoubt =
    "A doubt of the hearing test is about that threshold, and so about the level above it: test again, then match again."

  private static func words(_ loudness: LoudnessSummary) -> [String] {
    let sensation = "\(loudness.sensationLevel.decibels.shortText) dB above your threshold"
    let threshold = "\(loudness.threshold.decibels.shortText) dB HL"
    var lines = [
      "Loudness at \(loudness.frequency.shortText) Hz, \(loudness.ear.rawValue) ear: "
        + "\(loudness.level.decibels.shortText) dB HL, "
        + (loudness.isThresholdOrBelow == true
          ? "at least \(sensation), which lies at \(threshold) or below."
          : "\(sensation) of \(threshold)."),
      "Trials: " + loudness.trials.map(\.shortText).joined(separator: ", ") + " dB HL"
        + (loudness.deviation.map { ", standard deviation \(NumberText.fixed($0, 1)) dB." } ?? "."),
    ]
    if loudness.isScattered { lines.append("The trials lie more than 10 dB apart: match once more.") }
    if loudness.isAtLimit {
      lines.append("A trial lies at the end of what may be played: the true match may lie beyond.")
    }
    if loudness.isNotTurned == true {
      lines.append(
        loudness.trials.count == 1
          ? "The trial ended at its first tone, which proves nothing: match once more, and turn the tone away and "
            + "back, or take more trials."
          : "Most trials ended at their first tone, which proves nothing: match once more.")
    }
    if loudness.isThresholdInDoubt == true { lines.append(thresholdDoubt) }
    return lines
  }

  private static func words(_ pitch: PitchMatchResult, isAtEdge: Bool) -> [String] {
    var lines = ["Pitch: \(pitch.frequency.rounded().shortText) Hz."]
    if pitch.isOctaveConfused {
      lines.append("An octave above or below was chosen as well: the pitch may be an octave off.")
    }
    if isAtEdge { lines.append("The pitch lies at the end of the tones: the true one may lie beyond.") }
    return lines
  }

  static func words(_ doubt: LikenessProfile.Doubt) -> String {
    switch doubt {
    case .flat: "The profile is flat: there may be no pitch."
    case .unreliable: "Ratings of one tone differ as much as those of different tones."
    case .atEdge: "The peak lies at the end of the tones: the pitch may lie beyond."
    case .besideGap:
      "The peak lies beside tones that are not heard and were left out: the pitch may lie among them."
    }
  }

  private static func words(_ likeness: LikenessSummary) -> [String] {
    let pitch = likeness.pitch.map { "Pitch: \($0.rounded().shortText) Hz." } ?? "No frequency stands out."
    let doubts = likeness.doubts.map(Self.words)
    var table = TextTable([.trailing, .trailing, .leading])
    table.append(["Hz", "likeness", "ratings"])
    for tone in likeness.profile.tones {
      table.append([
        tone.frequency.rounded().shortText, NumberText.fixed(tone.ratings.mean, 0),
        tone.ratings.ratings.map(\.shortText).joined(separator: " "),
      ])
    }
    return [pitch] + doubts + [table.text]
  }

  private static func words(_ bandwidth: BandwidthSummary) -> [String] {
    let head =
      bandwidth.sound.map { "Your tinnitus is most like \($0 == .tone ? "a tone" : $0.words)." }
      ?? "Two sounds are as much like your tinnitus."
    return [head]
      + BandwidthMatch.Sound.allCases.map {
        "  \($0.words): \(NumberText.fixed(bandwidth.ratings[$0].mean, 0)) of 100"
      }
  }

  private static func words(_ masking: MaskingSummary) -> [String] {
    guard let level = masking.level, let sensation = masking.sensationLevel else {
      return ["No noise that may be played masks the tinnitus in the \(masking.ear.rawValue) ear."]
    }
    let (isLevelOrBelow, isThresholdOrBelow) = (
      masking.isLevelOrBelow == true, masking.isThresholdOrBelow == true
    )
    let above = "\(sensation.decibels.shortText) dB above the noise's threshold"
    let threshold = "\(masking.threshold.decibels.shortText) dB HL or below"
    let relation =
      switch (isLevelOrBelow, isThresholdOrBelow) {
      case (false, false): ", \(above)."
      case (false, true): ", at least \(above), which lies at \(threshold)."
      case (true, false): " or below, \(above) at most."
      case (true, true): " or below; the noise's threshold lies at \(threshold)."
      }
    var lines = [
      "Minimum masking level, \(masking.ear.rawValue) ear: \(level.decibels.shortText) dB HL" + relation
    ]
    if isLevelOrBelow {
      lines.append(
        "Beside the first noise of a rise the tinnitus was not heard: softer noise may mask it too.")
    }
    if masking.isThresholdInDoubt == true { lines.append(thresholdDoubt) }
    return lines
  }

  private static func words(_ inhibition: InhibitionSummary) -> [String] {
    var lines = ["Residual inhibition: \(inhibition.kind.rawValue)."]
    lines += inhibition.ratings.map {
      "  \($0.time.rounded().shortText) s after the noise: \($0.loudness.shortText) per cent"
    }
    if let recovery = inhibition.recovery {
      lines.append("As usual again after \(recovery.rounded().shortText) s.")
    }
    if inhibition.isHeldBack {
      lines.append("The noise was softer than 10 dB above the masking level, for safety.")
    }
    if inhibition.isMaskingOrBelow == true {
      lines.append(
        "The masking level was found as that level or below: the noise may have been further above the true one."
      )
    }
    return lines
  }
}
