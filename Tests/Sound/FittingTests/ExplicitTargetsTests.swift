import Acoustics
import Testing

@testable import Fitting

@Suite("Explicit targets") struct ExplicitTargetsTests {
  let bands = BandLayout.standard
  let n3 = StandardAudiogram.n3.audiogram

  static func point(
    _ frequency: Double, _ gains: (Double, Double, Double), output: Double? = nil
  ) -> TargetTable.Point {
    TargetTable.Point(
      frequency: frequency, gains: SpeechLevels(soft: gains.0, ordinary: gains.1, loud: gains.2),
      maximumOutput: output.map(SoundPressureLevel.init))
  }

  private func rule(_ points: TargetTable.Point...) throws -> ExplicitTargets {
    ExplicitTargets(table: try TargetTable(points: points), source: "NAL-NL2")
  }

  @Test("at a table's frequency, speech at 50, 65 and 80 dB SPL gets the numbers of the table")
  func atPoints() throws {
    let rule = try rule(
      Self.point(500, (10, 7, 2)), Self.point(1000, (20, 15, 8)), Self.point(4000, (30, 22, 9)))
    let curves = try rule.curves(for: n3, bands: bands)
    for point in rule.table.points {
      let band = try #require(bands.centres.firstIndex(of: point.frequency))
      for level in SpeechLevel.allCases {
        let speech = bands.speechLevel(inBand: band, overall: level.level)
        #expect(abs(curves[band].gain(at: speech) - point.gains[level]) < 1e-9)
        #expect(curves[band].knots.count <= 6)
      }
    }
  }

  @Test(
    "between frequencies gains are linear over log frequency, below they fall to 0 at 50 Hz, above held")
  func betweenFrequencies() throws {
    let rule = try rule(Self.point(500, (10, 8, 6)), Self.point(2000, (30, 20, 10)))
    // 1000 Hz is half way in octaves.
    #expect(rule.insertionGains(at: 1000) == SpeechLevels(soft: 20, ordinary: 14, loud: 8))
    #expect(rule.insertionGains(at: 8000) == SpeechLevels(soft: 30, ordinary: 20, loud: 10))
    let low = rule.insertionGains(at: (50.0 * 500).squareRoot())
    #expect(abs(low.soft - 5) < 1e-9 && abs(low.ordinary - 4) < 1e-9 && abs(low.loud - 3) < 1e-9)
    #expect(rule.insertionGains(at: 40) == SpeechLevels(all: 0))
  }

  @Test("below soft speech the gain is held, then falls by half a dB per dB to none")
  func softEnd() {
    let curve = ExplicitTargets.curve(
      SpeechLevels(soft: 20, ordinary: 15, loud: 5), speech: 60)
    // Soft speech at 45 dB; the expansion knee 12 dB below the 35 dB of speech at 40 dB SPL.
    let expected: [(Double, Double)] = [
      (45, 20), (30, 20), (23, 20), (13, 15), (-17, 0), (-60, 0), (60, 15), (67.5, 10), (75, 5),
    ]
    for (level, gain) in expected {
      #expect(abs(curve.gain(at: SoundPressureLevel(level)) - gain) < 1e-9, "\(level) dB SPL")
    }
  }

  @Test("above loud speech falling gain falls on to 0 dB, at most a dB per dB")
  func loudEnd() {
    // 15 to 5 dB over 15 dB: two thirds of a dB per dB; 0 dB 7.5 dB above the 75 dB of loud speech.
    let curve = ExplicitTargets.curve(SpeechLevels(soft: 20, ordinary: 15, loud: 5), speech: 60)
    #expect(abs(curve.gain(at: SoundPressureLevel(78)) - 3) < 1e-9)
    #expect(abs(curve.gain(at: SoundPressureLevel(82.5))) < 1e-9)
    #expect(curve.gain(at: SoundPressureLevel(110)) == 0)
    let steep = ExplicitTargets.curve(SpeechLevels(soft: 60, ordinary: 50, loud: 10), speech: 60)
    #expect(abs(steep.gain(at: SoundPressureLevel(79)) - 6) < 1e-9)
    let rising = ExplicitTargets.curve(SpeechLevels(soft: 0, ordinary: 5, loud: 10), speech: 60)
    #expect(rising.gain(at: SoundPressureLevel(120)) == 10)
  }

  @Test("a table that asks for less than 0 dB gets it at every level")
  func attenuation() {
    let curve = ExplicitTargets.curve(SpeechLevels(soft: -5, ordinary: -8, loud: -10), speech: 60)
    #expect(curve.gain(at: SoundPressureLevel(-100)) == -5)
    #expect(curve.gain(at: SoundPressureLevel(120)) == -10)
  }

  @Test("a band without speech power keeps the gain for ordinary speech")
  func noSpeech() throws {
    let layout = try BandLayout(centres: [1000, 18_500, 19_500])
    let curve = try rule(Self.point(1000, (20, 15, 8))).curves(for: n3, bands: layout)[2]
    #expect(curve.gain(at: SoundPressureLevel(20)) == 15)
    #expect(curve.gain(at: SoundPressureLevel(100)) == 15)
  }

  @Test("a table's own maximum output holds where it is given, never above the ceiling")
  func outputLimits() throws {
    let table = try TargetTable(points: [
      Self.point(500, (1, 1, 1), output: 90), Self.point(2000, (1, 1, 1), output: 100),
      Self.point(4000, (1, 1, 1)), Self.point(6000, (1, 1, 1)), Self.point(8000, (1, 1, 1), output: 118),
    ])
    let plan = try FittingPlan(target: .tables(Binaural(both: table), source: "x"))
    let flat = try Audiogram(air: [1000: 60])  // 100 + 0.15 · 60 − 5 = 104 by the rule
    let bands = try BandLayout(centres: [125, 500, 1000, 2000, 4000, 5000, 6000, 7000, 8000, 12_500])
    let limits = plan.outputLimits(for: .left, audiogram: flat, bands: bands).map(\.decibels)
    let expected: [Double?] = [90, 90, 95, 100, 104, 104, 104, nil, 111, 111]
    for (found, wanted) in zip(limits, expected) {
      if let wanted { #expect(abs(found - wanted) < 1e-9) }
    }
    // Towards 118 dB from the rule's 104, past the ceiling of 111 before 8 kHz.
    #expect(limits[7] > 104 && limits[7] <= 111)
  }

  @Test("a rule's output limits are those of the stated rule under the plan's ceiling")
  func ruleLimits() throws {
    let plan = try FittingPlan(target: .rule(.nalRP), outputCeiling: SoundPressureLevel(100))
    let found = plan.outputLimits(for: .right, audiogram: n3, bands: bands)
    let stated = try MaximumOutput(ceiling: SoundPressureLevel(100)).limits(for: n3, bands: bands)
    #expect(found == stated)
  }
}
