import Acoustics
import Base
import Engine
import Glibc
import HearingDSP

/// Average of spectra: levels by their power, gains by their decibels, of the same moments.
///
/// Moments without full sound (``SpectrumReport/isHeard``) are left out: in decibels one of them would weigh more in the
/// gains than all others, and nothing in the levels. Where there is nothing else, the average is theirs.
///
/// Of what has no average, a scene for instance, it has what all moments have in common; of the load the greatest, of calibrations the worse
/// one, and each change in debug mode that was in force in any of them.
///
/// - Threads: any.
package struct SpectrumAverage: Sendable {
  private var heard = Stretch()
  private var others = Stretch()
  /// Times of the first and the last spectrum, s.
  private var time = (first: 0.0, last: 0.0)

  /// Nothing yet.
  package init() {}

  /// Adds a spectrum; one with other frequencies begins anew.
  package mutating func add(_ report: SpectrumReport) {
    if let last = heard.last ?? others.last, last.frequencies != report.frequencies { self = Self() }
    if heard.count + others.count == 0 { time.first = report.timeSeconds }
    time.last = report.timeSeconds
    if report.isHeard { heard.add(report) } else { others.add(report) }
  }

  /// The average; nil without a spectrum.
  package var report: SpectrumReport? { heard.report ?? others.report }

  /// Sentences about what is left out, and about what was not the same all the time.
  package var remarks: [String] {
    let changed = heard.count > 0 ? heard.changed : others.changed
    let words = changed.isEmpty ? nil : "Not the same all the time: \(English.list(changed, "and"))."
    return [leftOut, words].compactMap(\.self)
  }

  /// The same in one text; nil: there is nothing to say.
  package var remark: String? { remarks.isEmpty ? nil : remarks.joined(separator: " ") }

  private var leftOut: String? {
    guard heard.count > 0, others.count > 0 else { return nil }
    let all = heard.count + others.count
    let interval = (time.last - time.first) / (all - 1)
    func seconds(_ count: Double) -> String { NumberText.fixed(interval * count) + " s" }
    return
      "\(seconds(others.count)) of \(seconds(all)) are left out: silence, the rise from it, or a measurement."
  }
}

/// Value of several spectra, where all of them have the same.
private struct Common<Value: Sendable & Equatable>: Sendable {
  /// The first one's; nil: there was none.
  private(set) var first: Value?
  private(set) var isSame = true

  mutating func add(_ value: Value) {
    if let first { isSame = isSame && first == value } else { first = value }
  }

  /// Nil where they differ.
  var value: Value? { isSame ? first : nil }
}

/// Sums of spectra with the same frequencies.
private struct Stretch: Sendable {
  /// Changes in debug mode that are kept at most. Own choice: more than a title has room for, and a recording can have any.
  private static let mostChanges = 32

  private(set) var count = 0.0
  private(set) var last: SpectrumReport?
  private var sums: [Sums] = []
  private var scene = Common<Scene>()
  /// Of the left and the right ear.
  private var isFitted = Common<[Bool?]>()
  /// At microphones and ears.
  private var calibrations = Common<[CalibrationStatus]>()
  private var worst: (input: CalibrationStatus, output: CalibrationStatus) = (.verified, .verified)
  private var load = 0.0
  private var debug = Common<[String]?>()
  /// Each change of all of them; nil: debug mode was off in all.
  private var changes: [String]?

  private struct Scene: Sendable, Equatable {
    let name: String
    let isWindy: Bool
  }

  /// Sums of one ear.
  private struct Sums: Sendable {
    var powers: [[Double]] = []
    var gains: [[Double]] = []
    /// Spectra with gains.
    var gainCount = 0.0
  }

  mutating func add(_ report: SpectrumReport) {
    let ears = [report.left, report.right].map { ear in
      Sums(
        powers: Self.levels(ear).map { $0.map { pow(10, $0 / 10) } }, gains: ear.gain.map(Self.gains) ?? [],
        gainCount: ear.gain == nil ? 0 : 1)
    }
    sums =
      sums.isEmpty
      ? ears
      : zip(sums, ears).map {
        Sums(
          powers: Self.sum($0.powers, $1.powers), gains: Self.sum($0.gains, $1.gains),
          gainCount: $0.gainCount + $1.gainCount)
      }
    count += 1
    last = report
    addState(report)
  }

  private mutating func addState(_ report: SpectrumReport) {
    // Until it is known it differs from nothing.
    if let name = report.scene { scene.add(Scene(name: name, isWindy: report.isWindy)) }
    isFitted.add([report.left.isFitted, report.right.isFitted])
    calibrations.add([report.inputCalibration, report.outputCalibration])
    worst = (min(worst.input, report.inputCalibration), min(worst.output, report.outputCalibration))
    load = max(load, report.loadShare)
    debug.add(report.debug)
    guard let present = report.debug else { return }
    var all = changes ?? []
    for change in present where all.count < Self.mostChanges && !all.contains(change) { all.append(change) }
    changes = all
  }

  /// Names of what was not the same in all of them.
  var changed: [String] {
    [
      ("scene", scene.isSame), ("fitting", isFitted.isSame), ("calibration", calibrations.isSame),
      ("debug mode", debug.isSame),
    ].filter { !$0.1 }.map(\.0)
  }

  var report: SpectrumReport? {
    guard let last, count > 0 else { return nil }
    return SpectrumReport(
      schema: last.schema, timeSeconds: last.timeSeconds, setting: last.setting,
      frequencies: last.frequencies,
      left: ear(sums[0], last.left), right: ear(sums[1], last.right), scene: scene.value?.name,
      isWindy: scene.value?.isWindy ?? false, loadShare: load, inputCalibration: worst.input,
      outputCalibration: worst.output, debug: changes, isMuted: last.isMuted)
  }

  private func ear(_ sums: Sums, _ last: SpectrumReport.Ear) -> SpectrumReport.Ear {
    let levels = sums.powers.enumerated().map { index, powers in
      let count = index == Self.gainLevel ? sums.gainCount : count
      return powers.map { ((10 * log10($0 / count + 1e-20)) * 100).rounded() / 100 }
    }
    let gains = sums.gains.map { $0.map { ($0 / sums.gainCount * 100).rounded() / 100 } }
    func sound(_ first: Int) -> SpectrumReport.Sound {
      SpectrumReport.Sound(
        levelDBSPL: levels[first][0], binsDBSPL: levels[first + 1], thirdOctavesDBSPL: levels[first + 2],
        bandsDBSPL: levels[first + 3])
    }
    let parts = GainPart.allCases.map(\.key)
    return SpectrumReport.Ear(
      input: sound(0), output: sound(4),
      gain: gains.isEmpty
        ? nil
        : SpectrumReport.Gain(
          levelDBSPL: levels[Self.gainLevel], targetDB: gains[0], appliedDB: gains[1],
          partsDB: Dictionary(uniqueKeysWithValues: zip(parts, gains.dropFirst(3))),
          feedbackEstimateDB: gains[2]), isFitted: isFitted.isSame ? last.isFitted : nil)
  }

  /// Place of the level that the gain belongs to, after four lists of each of two sounds.
  private static let gainLevel = 8

  private static func levels(_ ear: SpectrumReport.Ear) -> [[Double]] {
    [ear.input, ear.output].flatMap {
      [[$0.levelDBSPL], $0.binsDBSPL, $0.thirdOctavesDBSPL, $0.bandsDBSPL]
    }
      + [ear.gain?.levelDBSPL ?? []]
  }

  private static func gains(_ gain: SpectrumReport.Gain) -> [[Double]] {
    [gain.targetDB, gain.appliedDB, gain.feedbackEstimateDB]
      + GainPart.allCases.map { gain.partsDB[$0.key] ?? gain.targetDB.map { _ in 0 } }
  }

  /// Sums of lists of the same lengths; where one has none, the other's.
  private static func sum(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
    guard a.count == b.count else { return b.isEmpty ? a : b }
    return zip(a, b).map { a, b in a.isEmpty ? b : b.isEmpty ? a : zip(a, b).map(+) }
  }
}
