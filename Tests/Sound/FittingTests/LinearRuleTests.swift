import Acoustics
import Glibc
import Testing

@testable import Fitting

@Suite("Linear rules") struct LinearRuleTests {
  let bands = BandLayout.standard

  @Test("NAL-R of N3 by hand: 19.65 dB at 1 kHz, 22.85 dB at 4 kHz")
  func handN3() throws {
    // X = 0.05 (35 + 40 + 50) = 6.25; 6.25 + 0.31 · 40 + 1; 6.25 + 0.31 · 60 − 2.
    let gains = try NALR().insertionGains(for: StandardAudiogram.n3.audiogram, at: [1000, 4000])
    #expect(abs(gains[0] - 19.65) < 1e-9)
    #expect(abs(gains[1] - 22.85) < 1e-9)
  }

  @Test("NAL-RP of N5 by hand: 38.50 dB at 1 kHz")
  func handN5() throws {
    // 3FA = 75; X = 11.25 + 0.2 · 15 = 14.25; 14.25 + 0.31 · 75 + 1.
    #expect(
      abs(try NALR(revised: true).insertionGains(for: StandardAudiogram.n5.audiogram, at: [1000])[0] - 38.5)
        < 1e-9)
  }

  @Test("NAL-RP equals NAL-R up to an average of 60 dB HL")
  func sameBelowSixty() throws {
    for standard in [StandardAudiogram.n1, .n2, .n3, .n4, .s1, .s2, .s3] {
      let found = try NALR(revised: true).insertionGains(for: standard.audiogram, at: bands.centres)
      #expect(found == (try NALR().insertionGains(for: standard.audiogram, at: bands.centres)))
    }
  }

  @Test("the correction for severe loss starts at 95 dB HL and is read between its rows")
  func severeLoss() {
    #expect(NALR.severeLossCorrections(hearingLevelAt2kHz: 94.9) == Array(repeating: 0, count: 9))
    #expect(NALR.severeLossCorrections(hearingLevelAt2kHz: 95) == [4, 3, 1, 0, -1, -2, -2, -2, -2])
    #expect(NALR.severeLossCorrections(hearingLevelAt2kHz: 120) == [15, 9, 4, 0, -5, -9, -9, -9, -9])
    let between = NALR.severeLossCorrections(hearingLevelAt2kHz: 97.5)
    #expect(abs(between[0] - 5) < 1e-12 && abs(between[1] - 3.5) < 1e-12 && abs(between[4] + 1.5) < 1e-12)
  }

  @Test("between table frequencies the clipped gain is linear over log frequency")
  func interpolates() throws {
    let ear = StandardAudiogram.n4.audiogram
    let gains = try NALR().insertionGains(for: ear, at: [1000, 1500, 1250])
    let share = log2(1.25) / log2(1.5)
    #expect(abs(gains[2] - (gains[0] + share * (gains[1] - gains[0]))) < 1e-9)
  }

  @Test("the gain of 250 Hz is held to 125 Hz and falls to 0 dB at 50 Hz; in version 1 it falls at once")
  func lowEdges() throws {
    let ear = StandardAudiogram.n6.audiogram
    let frequencies: [Double] = [
      40, 50, (50.0 * 125).squareRoot(), 125, (50.0 * 250).squareRoot(), 180, 250,
    ]
    for held in [
      try NALR().insertionGains(for: ear, at: frequencies),
      try NALR(revised: true).insertionGains(for: ear, at: frequencies),
    ] {
      #expect(held[0] == 0 && held[1] == 0)
      #expect(abs(held[2] - held[6] / 2) < 1e-9)
      #expect(held[3] == held[6] && held[5] == held[6])
    }
    let falling = try NALR(revised: true, lowEdge: .falling).insertionGains(for: ear, at: frequencies)
    #expect(falling[0] == 0 && falling[1] == 0)
    #expect(abs(falling[4] - falling[6] / 2) < 1e-9)
  }

  @Test("above 6 kHz the gain is held or falls to 0 dB at 10 kHz")
  func edges() throws {
    let ear = StandardAudiogram.n6.audiogram
    let frequencies: [Double] = [
      50, (50.0 * 250).squareRoot(), 250, 6000, (6000.0 * 10_000).squareRoot(), 12_500,
    ]
    let held = try NALR(revised: true).insertionGains(for: ear, at: frequencies)
    #expect(held[3] == held[4] && held[3] == held[5])
    let falling = try NALR(revised: true, edge: .fallingToTenKilohertz).insertionGains(
      for: ear, at: frequencies)
    #expect(abs(falling[4] - held[3] / 2) < 1e-9)
    #expect(falling[5] == 0)
  }

  @Test("a rule gives one curve per band, the same at all levels, never negative")
  func curves() throws {
    let rules: [any FittingRule] = [NALR(), NALR(revised: true), HalfGain()]
    let ear = try Audiogram(air: [250: -10, 500: -10, 1000: -10, 2000: -10, 4000: -10])
    for rule in rules {
      let curves = try rule.curves(for: ear, bands: bands)
      #expect(curves.count == bands.count)
      for curve in curves {
        #expect(curve.gain(at: SoundPressureLevel(20)) == curve.gain(at: SoundPressureLevel(100)))
        #expect(curve.gain(at: SoundPressureLevel(65)) >= 0)
      }
    }
  }

  @Test("an audiogram that leaves 500–2000 Hz open gets no NAL gain")
  func insufficient() throws {
    let ear = try Audiogram(air: [1000: 40, 4000: 60])
    let rules: [any FittingRule] = [NALR(), NALR(revised: true), NALRPCompressive.standard]
    for rule in rules {
      #expect(throws: FittingError.insufficientThresholds(measured: [1000, 4000])) {
        try rule.curves(for: ear, bands: bands)
      }
    }
    #expect(throws: FittingError.insufficientThresholds(measured: [])) {
      try HalfGain().curves(for: try Audiogram(points: []), bands: bands)
    }
  }

  @Test("the greatest loss an audiometer can show stays within a curve’s range")
  func deepest() throws {
    let frequencies = StandardAudiogram.frequencies
    let ear = try Audiogram(air: Dictionary(uniqueKeysWithValues: frequencies.map { ($0, 120.0) }))
    for curve in try NALRPCompressive(compressionRatio: 3).curves(for: ear, bands: bands) {
      #expect(throws: Never.self) { try GainCurve(knots: curve.knots) }
    }
  }
}
