import Acoustics
import Testing

@testable import Fitting

/// Reference: `speech_intelligibility_index` of phonometry 3.3.0 (Python), which its authors compared with the
/// standard's worksheet; speech of Byrne et al. 1994 in quiet; thresholds and gains read linearly over log
/// frequency, held outside. Audiograms: Bisgaard, Vlaming and Dahlquist 2010. NAL-R as Byrne and Dillon 1986.
@Suite("Audibility of speech") struct AudibilityTests {
  /// Indices of an audiogram for speech at 50, 65 and 80 dB SPL.
  struct Row: Sendable, CustomTestStringConvertible {
    let audiogram: StandardAudiogram
    let unaided: [Double]
    let nalR: [Double]
    let halfGain: [Double]
    var testDescription: String { audiogram.rawValue }

    init(_ audiogram: StandardAudiogram, _ unaided: [Double], _ nalR: [Double], _ halfGain: [Double]) {
      (self.audiogram, self.unaided, self.nalR, self.halfGain) = (audiogram, unaided, nalR, halfGain)
    }
  }

  static let rows: [Row] = [
    Row(.n1, [0.7002, 0.8924, 0.9192], [0.8163, 0.9434, 0.9137], [0.8770, 0.9606, 0.9029]),
    Row(.n2, [0.2997, 0.6378, 0.8525], [0.5876, 0.8698, 0.8681], [0.6952, 0.9086, 0.8513]),
    Row(.n3, [0.0811, 0.3074, 0.6127], [0.3351, 0.7102, 0.8077], [0.4917, 0.7842, 0.7955]),
    Row(.n4, [0.0000, 0.0350, 0.2495], [0.1258, 0.4656, 0.6980], [0.2395, 0.5976, 0.7267]),
    Row(.n5, [0.0000, 0.0000, 0.0381], [0.0052, 0.2512, 0.5856], [0.0783, 0.4000, 0.6455]),
    Row(.n6, [0.0000, 0.0000, 0.0000], [0.0000, 0.1057, 0.4022], [0.0324, 0.2381, 0.5073]),
    Row(.n7, [0.0000, 0.0000, 0.0000], [0.0000, 0.0095, 0.2252], [0.0000, 0.0785, 0.3561]),
    Row(.s1, [0.6314, 0.7773, 0.8125], [0.7265, 0.8490, 0.8545], [0.7900, 0.8905, 0.8660]),
    Row(.s2, [0.2755, 0.4711, 0.5548], [0.4513, 0.6161, 0.6754], [0.5078, 0.6826, 0.7353]),
    Row(.s3, [0.0699, 0.1979, 0.2894], [0.1927, 0.4411, 0.6381], [0.2745, 0.5392, 0.6995]),
  ]

  private func compare(_ found: SpeechLevels<Double>, _ expected: [Double], _ name: String) {
    for (level, index) in zip(SpeechLevel.allCases, expected) {
      #expect(abs(found[level] - index) <= 0.01, "\(name), \(level.rawValue) dB SPL")
    }
  }

  @Test("equals the reference within 0.01 for every standard audiogram, unaided and aided", arguments: rows)
  func reference(row: Row) throws {
    let rules = [("NAL-R", PrescribedRule.nalR, row.nalR), ("half gain", .halfGain, row.halfGain)]
    for (name, rule, aided) in rules {
      let plan = try FittingPlan(target: .rule(rule))
      let found = try plan.audibility(for: .right, audiogram: row.audiogram.audiogram)
      compare(found.unaided, row.unaided, "unaided")
      compare(found.aided, aided, name)
    }
  }

  @Test("a healthy ear hears 0.996 of the standard's own speech of normal effort")
  func standard() {
    // All but the band at 8 kHz are heard whole: 1 - 0.0185 * (1 - (1.13 + 7.1 + 15) / 30) = 0.9958.
    let speech = [
      32.41, 34.48, 34.75, 33.98, 34.59, 34.27, 32.06, 28.30, 25.01, 23.00, 20.15, 17.32, 13.18, 11.55,
      9.33,
      5.31, 2.59, 1.13,
    ]
    let index = SpeechIntelligibilityIndex.value(
      speech: speech, thresholds: speech.map { _ in 0 })
    #expect(abs(index - 0.9958) < 0.0001)
  }

  @Test("half of the gain makes less audible than all of it, and each ear has its own table")
  func plan() throws {
    let plan = try FittingPlan(target: .rule(.nalR), adaptation: 0.5)
    let n3 = StandardAudiogram.n3.audiogram
    let (half, whole) = (
      try plan.audibility(for: .left, audiogram: n3),
      try FittingPlan(target: .rule(.nalR)).audibility(for: .left, audiogram: n3)
    )
    #expect(half.unaided == whole.unaided)
    #expect(half.aided.ordinary > half.unaided.ordinary && half.aided.ordinary < whole.aided.ordinary)
    func table(_ gain: Double) throws -> TargetTable {
      try TargetTable(points: [.init(frequency: 1000, gains: SpeechLevels(all: gain))])
    }
    let tables = try FittingPlan(
      target: .tables(Binaural(left: table(0), right: table(20)), source: "made up"))
    let (left, right) = (
      try tables.audibility(for: .left, audiogram: n3), try tables.audibility(for: .right, audiogram: n3)
    )
    #expect(left.aided == left.unaided)
    #expect(right.aided.soft > left.aided.soft)
  }

  @Test("an ear without thresholds has no index")
  func none() throws {
    let plan = try FittingPlan(target: .rule(.halfGain))
    let empty = try Audiogram(points: [])
    #expect(throws: FittingError.insufficientThresholds(measured: [])) {
      try plan.audibility(for: .left, audiogram: empty)
    }
  }
}
