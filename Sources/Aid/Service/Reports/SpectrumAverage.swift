import Engine
import Glibc
import HearingDSP

/// Average of spectra: levels by their power, gains by their decibels.
///
/// - Threads: any.
package struct SpectrumAverage: Sendable {
  private var count = 0.0
  private var last: SpectrumReport?
  private var sums: [Sums] = []

  /// Sums of one ear.
  private struct Sums: Sendable {
    var powers: [[Double]] = []
    var gains: [[Double]] = []
  }

  /// Nothing yet.
  package init() {}

  /// Adds a spectrum; one with other frequencies begins anew.
  package mutating func add(_ report: SpectrumReport) {
    if last?.frequencies != report.frequencies { (count, sums) = (0, []) }
    let ears = [report.left, report.right].map { ear in
      Sums(
        powers: Self.levels(ear).map { $0.map { pow(10, $0 / 10) } }, gains: ear.gain.map(Self.gains) ?? [])
    }
    sums =
      sums.isEmpty
      ? ears
      : zip(sums, ears).map {
        Sums(powers: Self.sum($0.powers, $1.powers), gains: Self.sum($0.gains, $1.gains))
      }
    count += 1
    last = report
  }

  /// The average; nil without a spectrum.
  package var report: SpectrumReport? {
    guard let last, count > 0 else { return nil }
    return SpectrumReport(
      schema: last.schema, timeSeconds: last.timeSeconds, setting: last.setting,
      frequencies: last.frequencies,
      left: ear(sums[0]), right: ear(sums[1]), scene: last.scene, isWindy: last.isWindy,
      loadShare: last.loadShare, inputCalibration: last.inputCalibration,
      outputCalibration: last.outputCalibration, debug: last.debug)
  }

  private func ear(_ sums: Sums) -> SpectrumReport.Ear {
    let levels = sums.powers.map { $0.map { ((10 * log10($0 / count + 1e-20)) * 100).rounded() / 100 } }
    let gains = sums.gains.map { $0.map { ($0 / count * 100).rounded() / 100 } }
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
          levelDBSPL: levels[8], targetDB: gains[0], appliedDB: gains[1],
          partsDB: Dictionary(uniqueKeysWithValues: zip(parts, gains.dropFirst(3))),
          feedbackEstimateDB: gains[2]))
  }

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
    return zip(a, b).map { zip($0, $1).map(+) }
  }
}
