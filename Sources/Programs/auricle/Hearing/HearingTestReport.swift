import Acoustics
import Base
import Fitting
import Paper
import Procedures
import Service

/// A member of an answer that is null where it is not known: left out, it would look as if the program did not tell it at all.
struct Unknowable<Value: Encodable>: Encodable {
  /// Nil: not known.
  let value: Value?

  init(_ value: Value?) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

/// A hearing test's result as a command tells it.
struct HearingTestReport: Encodable {
  private let schema = 203
  let record: String
  let calibration: DeviceCalibration
  /// Kind of the sounds; nil: not known, because the test's record cannot be had.
  let signal: Stimulus.Signal?
  let thresholds: [HearingTestSummary.Threshold]
  let doubts: [String]
  let isReliable: Bool
  /// Silences among the tones; null: not known.
  let silences: Unknowable<ProcedureDetails.Silences>
  let room: RoomBands?
  /// Thresholds that the room may have lifted, a sentence; nil: none.
  let caution: String?
  let audiograms: HearingTestSummary.BothEars
  /// Frequencies that were asked for and not tested, of each ear with such; null: not known.
  let unreached: Unknowable<[Unreached]>

  /// Frequencies of an ear at which the calibration or a limit lets no tone through.
  struct Unreached: Encodable {
    let ear: Ear
    /// Hz, rising.
    let frequencies: [Double]

    /// For the person who was tested.
    var sentence: String {
      "The \(ear.rawValue) ear was not tested at \(English.list(frequencies.map(\.shortText), "and")) Hz, where the "
        + "calibration or a limit lets no tone through."
    }
  }

  /// - Parameters:
  ///   - room: Its octave bands; nil: it was not listened to.
  ///   - silences: Nil: not known.
  init(
    _ beginning: ProcedureBeginning, _ found: HearingTestSummary, room: RoomBands?,
    silences: ProcedureDetails.Silences? = nil
  ) {
    (record, calibration) = (beginning.identifier, beginning.levelCalibration)
    (thresholds, doubts, audiograms) = (found.thresholds, found.doubts, found.audiograms)
    isReliable = found.doubts.isEmpty
    if case .hearingTest(let plan) = beginning.plan { signal = plan.signal } else { signal = nil }
    unreached = Unknowable(Self.unreached(beginning))
    self.silences = Unknowable(silences)
    self.room = room
    caution = room?.caution(found.thresholds)
  }

  /// Without anything that the record alone tells.
  init(_ record: String, _ calibration: DeviceCalibration, _ found: HearingTestSummary) {
    (self.record, self.calibration) = (record, calibration)
    (thresholds, doubts, audiograms) = (found.thresholds, found.doubts, found.audiograms)
    isReliable = found.doubts.isEmpty
    (room, caution, signal) = (nil, nil, nil)
    (unreached, silences) = (Unknowable(nil), Unknowable(nil))
  }

  private static func unreached(_ beginning: ProcedureBeginning) -> [Unreached] {
    guard case .hearingTest(let plan) = beginning.plan else { return [] }
    return (beginning.order.ears ?? [.right, .left]).compactMap { ear -> Unreached? in
      let missing = plan.frequencies.filter { plan.limits[ear][$0] == nil }.sorted()
      return missing.isEmpty ? nil : Unreached(ear: ear, frequencies: missing)
    }
  }

  /// Sound, where it is not a tone, earphone and calibration, a sentence.
  var source: String {
    "Auricle hearing test\(noise.map { " by \($0)" } ?? "") with \(calibration.device), "
      + "calibration \(calibration.status.rawValue)."
  }

  /// Name of the sound; nil of tones, and where it is not known.
  var noise: String? { signal.flatMap { $0.isNoise ? $0.words : nil } }

  func text(_ style: Style) -> String {
    var text = AudiogramText(Binaural(left: audiograms.left, right: audiograms.right), style: style).text
    text += "\n" + table + "\n"
    text += "Levels: \(calibration.device), calibration \(calibration.status.rawValue)"
    if calibration.status != .verified {
      text += ": they may be some dB off" + (calibration.caveat.map { ", for \($0)" } ?? "")
    }
    text += ".\n"
    for doubt in doubts { text += style.bold("Doubt: ") + doubt + "\n" }
    if let reliability { text += reliability + "\n" }
    for caution in cautions { text += style.bold("Caution: ") + caution + "\n" }
    return text
  }

  /// Reasons for which the result may be relied on, a sentence; nil: there are doubts.
  var reliability: String? {
    guard isReliable else { return nil }
    let tested = [Ear.right, .left].filter { ear in thresholds.contains { $0.ear == ear } }
    let found = tested.filter(isFoundAgain)
    let tone = found == tested ? "the first tone" : "the \(found.first?.rawValue ?? "") ear's first tone"
    var reasons = found.isEmpty ? [] : ["\(tone) was found again"]
    var exception = ""
    if let silences = silences.value, silences.count > 0 {
      if silences.answered == 0 {
        reasons.append("silences were left alone")
      } else {
        exception =
          ", but \(silences.answered) of \(English.count(silences.count, "silence")) "
          + "\(silences.answered == 1 ? "was" : "were") answered"
      }
    }
    let head =
      reasons.isEmpty ? "No reason for doubt was found" : "Reliable: " + reasons.joined(separator: ", and ")
    return head + exception + "."
  }

  /// True of an ear that heard the tones of its first frequency in each search without noise, of two at least.
  private func isFoundAgain(_ ear: Ear) -> Bool {
    let own = thresholds.filter { $0.ear == ear && $0.noise == nil }
    let searches = own.filter { $0.frequency == own.first?.frequency }
    return searches.count > 1 && searches.allSatisfy(\.hasResponse)
  }

  /// Sentences about everything that the thresholds do not tell.
  var cautions: [String] {
    let sound = noise.map { "These are thresholds of \($0); prescriptions are made from those of tones." }
    return [sound, caution].compactMap(\.self) + (unreached.value ?? []).map(\.sentence) + gaps
  }

  /// Frequencies of each ear, Hz, at which the softest tone of the device was heard: the threshold lies there or below.
  var floors: Binaural<Set<Double>> {
    let ears = Binaural(left: audiograms.left, right: audiograms.right)
    return Binaural { ear in
      let points = ears[ear].airPoints.filter { point in
        thresholds.contains {
          let isMasked = $0.noise != nil && !$0.isInsufficientlyMasked
          return $0.ear == ear && $0.frequency == point.frequency && $0.isAtFloor
            && isMasked == point.isMasked
        }
      }
      return Set(points.map(\.frequency))
    }
  }

  /// Sentences on what a prescription made from these audiograms would lack, as `rx make` tells it.
  private var gaps: [String] {
    AudiogramReview(Binaural(left: audiograms.left, right: audiograms.right)).cautions
      .filter { $0.kind == .notTested || $0.kind == .missingFrequency }.map(\.sentence)
  }

  /// Every threshold in figures.
  private var table: String {
    var table = TextTable([.leading, .trailing, .trailing, .leading, .trailing, .leading])
    table.append(["ear", "Hz", "dB HL", "90 %", "tones"])
    for found in thresholds {
      let level =
        found.level.map {
          (found.hasResponse ? found.isAtFloor ? "≤ " : "" : "> ") + $0.decibels.rounded().shortText
        } ?? "contradictory"
      let interval =
        found.interval.map { $0.map { $0.rounded().shortText }.joined(separator: " to ") } ?? ""
      table.append([
        found.ear.rawValue, found.frequency.shortText, level, interval, String(found.toneCount),
        found.noise.map { "noise of \($0.decibels.rounded().shortText) dB in the other ear" } ?? "",
      ])
    }
    return table.text
  }
}
