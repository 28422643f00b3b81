import Acoustics
import Fitting
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

@Suite("SoundAdjustment") struct SoundAdjustmentTests {
  static let card = AdjustmentLimits(volume: -10...4, tone: -6...6)

  static func settings(
    _ adjustment: SoundAdjustment, _ limits: AdjustmentLimits = .usual,
    _ audiogram: StandardAudiogram = .n3
  ) -> HearingSettings {
    var settings = HearingSettings(audiograms: Binaural(both: audiogram.audiogram)).calibrated()
    settings.adjustment = adjustment
    settings.adjustmentLimits = limits
    return settings
  }

  /// Change of an ear's gain at each standard band for sound of 60 dB SPL in the band, dB.
  static func changes(_ settings: HearingSettings) throws -> [(frequency: Double, change: Double)] {
    let prescribed = try settings.curves(for: .left)
    let heard = try settings.fitting(for: .left).curves
    let level = SoundPressureLevel(60)
    return settings.bands.centres.indices.map {
      (settings.bands.centres[$0], heard[$0].gain(at: level) - prescribed[$0].gain(at: level))
    }
  }

  @Test("volume moves every band by as much", arguments: [-10.0, -2, 0, 3])
  func volume(volume: Double) throws {
    for (_, change) in try Self.changes(Self.settings(SoundAdjustment(volume: volume), Self.card)) {
      #expect(abs(change - volume) < 1e-9)
    }
  }

  @Test("tone tilts about 1 kHz: half of it up at 4 kHz and above, half of it down at 250 Hz and below")
  func tone() throws {
    for (frequency, change) in try Self.changes(Self.settings(SoundAdjustment(tone: 4), Self.card)) {
      if frequency == 1000 { #expect(abs(change) < 1e-9) }
      if frequency == 2000 { #expect(abs(change - 1) < 1e-9) }
      if frequency >= 4000 { #expect(abs(change - 2) < 1e-9) }
      if frequency == 500 { #expect(abs(change + 1) < 1e-9) }
      if frequency <= 250 { #expect(abs(change + 2) < 1e-9) }
    }
  }

  @Test("a wish beyond the limit counts as the limit, and one that is not a number as none")
  func held() {
    func held(_ volume: Double, _ tone: Double) -> SoundAdjustment {
      SoundAdjustment(volume: volume, tone: tone).held(within: Self.card)
    }
    #expect(held(99, -99) == SoundAdjustment(volume: 4, tone: -6))
    #expect(held(-99, 99) == SoundAdjustment(volume: -10, tone: 6))
    #expect(held(.nan, .nan) == .none)
    #expect(held(.infinity, -.infinity) == SoundAdjustment(volume: 4, tone: -6))
    #expect(
      SoundAdjustment(volume: 5, tone: 1).held(within: AdjustmentLimits(volume: 0...0, tone: 0...0))
        == .none)
  }

  @Test(
    "without a prescription's word no frequency is raised above what is prescribed, however tone is turned")
  func noRise() throws {
    for tone in [-6.0, -3, 0, 3, 6] {
      for volume in [-20.0, -2, 0, 5] {
        let changes = try Self.changes(Self.settings(SoundAdjustment(volume: volume, tone: tone)))
        #expect(changes.allSatisfy { $0.change <= 1e-9 })
        // The tone itself is there in full.
        let treble = try #require(changes.last { $0.frequency >= 4000 }).change
        let bass = try #require(changes.first).change
        #expect(abs(treble - bass - tone) < 1e-9)
      }
    }
  }

  @Test("no frequency is raised by more than the highest volume and half the tone that are allowed")
  func greatestRise() throws {
    for tone in [-6.0, 6] {
      let changes = try Self.changes(Self.settings(SoundAdjustment(volume: 4, tone: tone), Self.card))
      #expect(changes.map(\.change).max() ?? 99 <= 7 + 1e-9)
    }
  }

  @Test("output limits stay as they are at any volume and tone")
  func limits() throws {
    let plain = try Self.settings(.none).fitting(for: .left)
    for volume in [-20.0, 4] {
      let turned = try Self.settings(SoundAdjustment(volume: volume, tone: 6), Self.card).fitting(
        for: .left)
      #expect(turned.outputLimit == plain.outputLimit && turned.bandLimits == plain.bandLimits)
    }
  }

  @Test("an ear without thresholds may be turned down, not up")
  func unfitted() throws {
    var settings = HearingSettings().calibrated()
    settings.adjustmentLimits = Self.card
    for (volume, heard) in [(4.0, 0.0), (-5, -5)] {
      settings.adjustment = SoundAdjustment(volume: volume)
      let curves = try settings.fitting(for: .right).curves
      #expect(curves.allSatisfy { abs($0.gain(at: SoundPressureLevel(60)) - heard) < 1e-9 })
    }
  }

  @Test("without calibration, turning down is heard and turning up stays within the caution")
  func uncalibrated() throws {
    var settings = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n5.audiogram))
    settings.adjustmentLimits = Self.card
    func greatest() throws -> Double {
      try settings.fitting(for: .left).curves.flatMap(\.knots).map(\.gain).max() ?? 0
    }
    #expect(abs(try greatest() - 20) < 1e-9)
    settings.adjustment = SoundAdjustment(volume: -6)
    #expect(abs(try greatest() - 14) < 1e-9)
    settings.adjustment = SoundAdjustment(volume: 4)
    #expect(try greatest() <= 20 + 1e-9)
  }

  @Test("the strongest prescription at the highest volume is one the chain still plays")
  func strongest() throws {
    let limits = AdjustmentLimits(volume: -20...10, tone: -10...10)
    for audiogram in StandardAudiogram.allCases {
      let settings = Self.settings(SoundAdjustment(volume: 10, tone: 10), limits, audiogram)
      _ = try settings.parameters(for: ChainGeometry(sampleRate: 48_000, blockFrames: 64))
    }
    var loud = HearingSettings(
      audiograms: Binaural(both: StandardAudiogram.n1.audiogram), rule: FlatRule(gain: Binaural(both: 79))
    ).calibrated()
    loud.adjustment = SoundAdjustment(volume: 10)
    loud.adjustmentLimits = limits
    _ = try loud.parameters(for: ChainGeometry(sampleRate: 48_000, blockFrames: 64))
    #expect(abs(try loud.fitting(for: .left).curves[0].gain(at: SoundPressureLevel(50)) - 80) < 1e-9)
  }
}
