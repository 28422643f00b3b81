import Acoustics
import Testing

@testable import Fitting

@Suite("Compressive NAL-RP") struct NALRPCompressiveTests {
  let n3 = StandardAudiogram.n3.audiogram
  let bands = BandLayout.standard

  /// Speech level of each standard band.
  private func speech(_ overall: Double) -> [SoundPressureLevel] {
    zip(bands.edges, bands.edges.dropFirst()).map {
      LongTermAverageSpeechSpectrum.bandLevel(from: $0, to: $1, overall: SoundPressureLevel(overall))
    }
  }

  @Test("speech at 65 dB SPL gets the linear gain in each band", arguments: [1.0, 1.5, 2, 3])
  func target(ratio: Double) throws {
    let curves = try NALRPCompressive(compressionRatio: ratio).curves(for: n3, bands: bands)
    let linear = try NALR(revised: true).insertionGains(for: n3, at: bands.centres)
    for (band, level) in speech(65).enumerated() {
      #expect(abs(curves[band].gain(at: level) - linear[band]) < 1e-9)
    }
  }

  @Test(
    "in version 2, above the knee 10 dB more input is 10/CR dB more output", arguments: [1.0, 1.5, 2, 3])
  func compresses(ratio: Double) throws {
    let rule = try NALRPCompressive(
      compressionRatio: ratio, allowsAttenuation: true, lowLevelAddition: .byRatio)
    for (curve, level) in zip(try rule.curves(for: n3, bands: bands), speech(60)) {
      let rise = 10 + curve.gain(at: level + 10) - curve.gain(at: level)
      #expect(abs(rise - 10 / ratio) < 1e-9)
    }
  }

  @Test("above ordinary speech 10 dB more input is 10/CR dB more output", arguments: [1.0, 1.5, 2, 3])
  func compressesLoud(ratio: Double) throws {
    let rule = try NALRPCompressive(compressionRatio: ratio, allowsAttenuation: true)
    for (curve, level) in zip(try rule.curves(for: n3, bands: bands), speech(65)) {
      let rise = 10 + curve.gain(at: level + 10) - curve.gain(at: level)
      #expect(abs(rise - 10 / ratio) < 1e-9)
    }
  }

  @Test(
    "soft speech gets 0.4 dB per dB of threshold above 20 dB HL more than ordinary, and no more than the ratio makes",
    arguments: [1.0, 1.5, 2, 3], StandardAudiogram.allCases)
  func additionByThreshold(ratio: Double, standard: StandardAudiogram) throws {
    // FIG6, 20 to 60 dB HL: H − 20 for 40 dB SPL less 0.6·(H − 20) for 65 dB SPL.
    let ear = standard.audiogram
    let curves = try NALRPCompressive(compressionRatio: ratio).curves(for: ear, bands: bands)
    for (band, centre) in bands.centres.enumerated() {
      let threshold = try #require(ear.threshold(at: centre)).decibels
      let asked = max(0, (threshold - 20) - 0.6 * (threshold - 20))
      let expected = min(25 * (1 - 1 / ratio), asked)
      let ordinary = curves[band].gain(at: speech(65)[band])
      #expect(abs(curves[band].gain(at: speech(40)[band]) - ordinary - expected) < 1e-9)
      // Even in between.
      #expect(abs(curves[band].gain(at: speech(50)[band]) - ordinary - expected * 15 / 25) < 1e-9)
    }
  }

  @Test(
    "up to 20 dB HL nothing gets more gain than the linear rule gives, at any level, whatever the ratio")
  func healthyEar() throws {
    for level in [-10.0, 0, 10, 20] {
      let ear = try Audiogram(air: [250: level, 500: level, 1000: level, 2000: level, 4000: level])
      let linear = try NALR(revised: true).insertionGains(for: ear, at: bands.centres)
      for ratio in [1.0, 2, 3] {
        let curves = try NALRPCompressive(compressionRatio: ratio).curves(for: ear, bands: bands)
        for (curve, most) in zip(curves, linear) {
          #expect(curve.knots.allSatisfy { $0.gain <= most + 1e-9 && $0.gain >= 0 })
        }
      }
    }
  }

  @Test("a healthy ear beside a deaf one gets at most 1 dB: each ear is fitted by its own thresholds")
  func oneSidedLoss() throws {
    let healthy = try Audiogram(air: [250: 0, 500: 0, 1000: 0, 2000: 0, 4000: 0, 8000: 0])
    let plan = try FittingPlan(target: .rule(.nalRPCompressive(compressionRatio: 2)))
    let ears = Binaural(left: healthy, right: StandardAudiogram.n5.audiogram)
    let curves = try plan.rule(for: .left).curves(for: ears.left, bands: bands)
    // k(f) is 1 dB at 1 and 1.5 kHz, and nothing else is left of the formula.
    #expect(curves.allSatisfy { $0.knots.allSatisfy { $0.gain <= 1 + 1e-9 } })
    let other = try plan.rule(for: .right).curves(for: ears.right, bands: bands)
    #expect(other[5].gain(at: speech(65)[5]) > 38)
  }

  @Test("between the knees the gain stays, and below it falls half a dB per dB")
  func expands() throws {
    let rule = try NALRPCompressive(allowsAttenuation: true)
    for (curve, knee) in zip(try rule.curves(for: n3, bands: bands), speech(40)) {
      let greatest = curve.gain(at: knee)
      #expect(abs(curve.gain(at: knee - 12) - greatest) < 1e-9)
      #expect(abs(curve.gain(at: knee - 22) - (greatest - 5)) < 1e-9)
    }
  }

  @Test("the gain never falls below 0 dB, at any level, for any standard audiogram and ratio")
  func neverAttenuates() throws {
    for standard in StandardAudiogram.allCases {
      for ratio in [1.0, 2, 3] {
        let rule = try NALRPCompressive(compressionRatio: ratio)
        for curve in try rule.curves(for: standard.audiogram, bands: bands) {
          #expect(curve.knots.count <= GainCurve.maximumKnotCount)
          for level in [-Double.infinity, 0, 20, 40, 60, 80, 100, 140] {
            #expect(curve.gain(at: SoundPressureLevel(level)) >= 0)
          }
        }
      }
    }
  }

  @Test("expansion ratio 1 keeps the gain of the knee down to silence")
  func noExpansion() throws {
    let rule = try NALRPCompressive(expansionRatio: 1)
    for (curve, knee) in zip(try rule.curves(for: n3, bands: bands), speech(40)) {
      #expect(curve.gain(at: SoundPressureLevel(-100)) == curve.gain(at: knee))
    }
  }

  @Test("a band without speech power keeps the linear gain")
  func noSpeech() throws {
    let layout = try BandLayout(centres: [1000, 18_500, 19_500])
    let curves = try NALRPCompressive().curves(for: n3, bands: layout)
    let linear = try NALR(revised: true).insertionGains(for: n3, at: layout.centres)
    #expect(curves[2].gain(at: SoundPressureLevel(20)) == linear[2])
    #expect(curves[2].gain(at: SoundPressureLevel(100)) == linear[2])
  }

  @Test("parameters out of range are refused by name")
  func refuses() {
    #expect(throws: FittingError.notAccepted("compression ratio 0.9", expected: "1 to 3")) {
      try NALRPCompressive(compressionRatio: 0.9)
    }
    #expect(throws: FittingError.notAccepted("compression ratio 3.1", expected: "1 to 3")) {
      try NALRPCompressive(compressionRatio: 3.1)
    }
    #expect(throws: FittingError.self) { try NALRPCompressive(compressionRatio: .nan) }
    #expect(throws: FittingError.notAccepted("expansion ratio 5", expected: "1 to 4")) {
      try NALRPCompressive(expansionRatio: 5)
    }
    #expect(throws: FittingError.notAccepted("expansion depth -1 dB", expected: "0 to 40 dB")) {
      try NALRPCompressive(expansionDepth: -1)
    }
  }
}
