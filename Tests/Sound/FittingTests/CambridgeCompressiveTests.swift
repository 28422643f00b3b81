import Acoustics
import Glibc
import Testing

@testable import Fitting

/// The vectors of openMHA's `gainrule_camfit_compr` and of pyclarity's translation of it, which leave the
/// noise gate to the compressor that plays them: here the rule is built without one.
@Suite("CAMEQ") struct CambridgeCompressiveTests {
  let vectors: PrescriptionVectors
  /// As published: above 6 kHz normal ears do not hear the softest parts of speech.
  let rule = CambridgeCompressive(gate: .none, minima: .toThreshold, highestFrequency: .infinity)
  /// Version 1 of the rule.
  let former = CambridgeCompressive(gate: .none, reference: .ownBands, highestFrequency: .infinity)

  init() throws { vectors = try .load() }

  /// - Returns: Number of gains compared.
  private func compare(
    _ name: String, _ rows: [String: [Double]]?, tolerance: Double, bands: [Int],
    curve: (Int) throws -> GainCurve
  ) throws -> Int {
    for band in bands {
      let curve = try curve(band)
      for (level, row) in rows ?? [:] {
        let found = curve.gain(at: SoundPressureLevel(try #require(Double(level))))
        #expect(
          abs(found - row[band]) <= tolerance,
          "\(name), band \(band), \(level) dB SPL: \(found), expected \(row[band])")
      }
    }
    return bands.count * (rows?.count ?? 0)
  }

  @Test("our curve on openMHA's band levels is openMHA's and pyclarity's, to the last digit printed")
  func sameCurve() throws {
    let speech = vectors.speechLevels()
    var compared = 0
    for (name, ear) in vectors.audiograms where ear.openMHACameq != nil {
      let audiogram = try ear.audiogram()
      let linear = try CambridgeLinear().insertionGains(for: audiogram, at: vectors.bands)
      let curve = { (band: Int) throws -> GainCurve in
        let frequency = vectors.bands[band]
        let loss = try #require(audiogram.threshold(at: frequency)).decibels
        return rule.curve(
          gain: linear[band], speech: SoundPressureLevel(speech[band]),
          threshold: HearingThreshold.level(at: frequency) + loss)
      }
      let all = Array(vectors.bands.indices)
      compared += try compare(name, ear.openMHACameq, tolerance: 0.0005, bands: all, curve: curve)
      compared += try compare(name, ear.pyclarityCameq, tolerance: 0.001, bands: all, curve: curve)
    }
    // Of either program ten audiograms, twelve levels, nine bands.
    #expect(compared >= 2160)
  }

  @Test("bands that meet at the geometric mean are those of the vectors")
  func edges() throws {
    let bands = try BandLayout(centres: vectors.bands)
    for (ours, theirs) in zip(bands.edges, vectors.edges).dropFirst().dropLast() {
      #expect(abs(ours - theirs) < 0.001)
    }
  }

  @Test(
    "the whole rule differs from openMHA's only as the band levels of speech do, by 0.14 dB at most",
    arguments: [CambridgeCompressive.Reference.wideBands, .ownBands])
  func wholeRule(reference: CambridgeCompressive.Reference) throws {
    // openMHA's outermost bands reach without end, a wide band does not.
    let places = reference == .ownBands ? 0..<vectors.bands.count : 1..<vectors.bands.count - 1
    var compared = 0
    let rule = CambridgeCompressive(
      gate: .none, reference: reference, minima: .toThreshold, highestFrequency: .infinity)
    // openMHA spreads a third octave's power evenly over frequency, we over its logarithm. A band level
    // moves the gain by dG/dS = (L − Lmin − R)/38, R the range of output of 13 to 38 dB or more: by no more
    // than itself up to the speech's own maxima, by up to 1.8 times as much at the very loud end.
    // The vectors' digits; and their centres, rounded to whole Hz, leave a band up to 0.005 dB beside the wide one.
    let rounding = reference == .ownBands ? 0.001 : 0.006
    let bands = try BandLayout(centres: vectors.bands)
    let theirs = vectors.speechLevels()
    for (name, ear) in vectors.audiograms {
      guard let rows = ear.openMHACameq else { continue }
      let curves = try rule.curves(for: try ear.audiogram(), bands: bands)
      for band in places {
        let ours = bands.speechLevel(inBand: band, overall: SoundPressureLevel(65)).decibels
        let difference = abs(ours - theirs[band])
        #expect(difference < 0.14)
        for (level, row) in rows {
          let input = try #require(Double(level))
          let allowed = difference * max(1, (input - (ours - 38) - 13) / 38) + rounding
          let found = curves[band].gain(at: SoundPressureLevel(input))
          #expect(abs(found - row[band]) <= allowed, "\(name), band \(band), \(level) dB SPL: \(found)")
          compared += 1
          // Up to the average of speech at 65 dB SPL, outside the band at 841 Hz.
          if input <= ours, bands.centres[band] != 841 {
            #expect(abs(found - row[band]) <= 0.05, "\(name), band \(band), \(level) dB SPL: \(found)")
          }
        }
      }
    }
    // Ten audiograms, twelve levels.
    #expect(compared >= 120 * places.count)
  }

  @Test("in the nine bands of the vectors the reference is the band itself, but for the two without an end")
  func referenceBands() throws {
    let width = pow(2, CambridgeCompressive.Reference.width)
    for (low, high) in zip(vectors.edges, vectors.edges.dropFirst()).dropFirst().dropLast() {
      // The edges are those of centres rounded to whole Hz.
      #expect(abs(high / low - width) < 0.005)
    }
  }

  @Test(
    "N3 by hand: speech at 65 dB SPL gets 39.46 dB at 6 kHz; version 1 gives it 44.30 dB in the usual bands"
  )
  func sixKilohertz() throws {
    // Threshold 65 dB HL + 4.27 dB (between −1.5 at 5 and 6.0 at 6.3 kHz) = 69.27 dB SPL; linear gain 0.48·65 + 1.
    // Speech from 4627 to 7781 Hz: 0.847·10^4.45 + 10^4.43 + 0.410·10^4.37, less 5 dB, is 42.81 dB SPL. Its minima
    // lie at 4.81 dB SPL and need 64.46 dB; the average would leave 5.7 dB of range, so the ratio is 38 : 13, and
    // 25 dB of the gain are lost from the minima to the average.
    let bands = BandLayout.standard
    let band = try #require(bands.centres.firstIndex(of: 6000))
    let speech = bands.speechLevel(inBand: band, overall: SoundPressureLevel(65))
    let n3 = StandardAudiogram.n3.audiogram
    let gain = try CambridgeCompressive().curves(for: n3, bands: bands)[band].gain(at: speech)
    #expect(abs(gain - 39.46) < 0.01, "\(gain)")
    // From 5477 to 6481 Hz: 0.114·10^4.45 + 0.617·10^4.43, less 5 dB, is 37.97 dB SPL.
    let before = try CambridgeCompressive(reference: .ownBands).curves(for: n3, bands: bands)[band]
      .gain(at: speech)
    #expect(abs(before - 44.30) < 0.01, "\(before)")
  }

  @Test("speech of any level gets the same gain in bands of any width, unless they begin or end nowhere")
  func anyWidth() throws {
    let wide = try BandLayout(centres: vectors.bands)
    let narrow = try BandLayout(
      centres: wide.centres.dropLast().flatMap { [$0, $0 * pow(2, 0.15), $0 * pow(2, 0.45)] })
    for standard in StandardAudiogram.allCases {
      let a = try CambridgeCompressive().curves(for: standard.audiogram, bands: wide)
      let b = try CambridgeCompressive().curves(for: standard.audiogram, bands: narrow)
      for index in 1..<wide.count - 1 {
        #expect(wide.centres[index] == narrow.centres[3 * index])
        for overall in stride(from: 30.0, through: 85, by: 5).map(SoundPressureLevel.init) {
          let inWide = a[index].gain(at: wide.speechLevel(inBand: index, overall: overall))
          let inNarrow = b[3 * index].gain(at: narrow.speechLevel(inBand: 3 * index, overall: overall))
          // No output exceeds 100 dB SPL in an own band that is wider than the reference, as centres rounded to
          // whole Hz make some, by up to 0.006 dB.
          #expect(abs(inWide - inNarrow) < 0.01)
        }
      }
    }
  }

  @Test("openMHA's gate takes a dB per dB below 45 dB SPL and nothing above")
  func fixedGate() throws {
    let bands = try BandLayout(centres: vectors.bands)
    for standard in StandardAudiogram.allCases {
      let open = try former.curves(for: standard.audiogram, bands: bands)
      let gated = try CambridgeCompressive(gate: .fixed, reference: .ownBands, highestFrequency: .infinity)
        .curves(for: standard.audiogram, bands: bands)
      for (a, b) in zip(open, gated) {
        for level in [45.0, 60, 80, 110].map(SoundPressureLevel.init) {
          #expect(abs(a.gain(at: level) - b.gain(at: level)) < 1e-9)
        }
        let knee = a.gain(at: SoundPressureLevel(45))
        #expect(abs(b.gain(at: SoundPressureLevel(35)) - max(0, knee - 10)) < 1e-9)
      }
    }
  }

  @Test("the usual gate spares speech at 40 dB SPL in every band, and ends in no gain")
  func softSpeechGate() throws {
    let bands = BandLayout.standard
    for standard in StandardAudiogram.allCases {
      let open = try rule.curves(for: standard.audiogram, bands: bands)
      let gated = try CambridgeCompressive(minima: .toThreshold, highestFrequency: .infinity).curves(
        for: standard.audiogram, bands: bands)
      for band in bands.centres.indices {
        let soft = bands.speechLevel(inBand: band, overall: SoundPressureLevel(40))
        for level in [soft, soft + 10, soft + 25, soft + 40]
        where level.decibels <= 45 || soft.decibels < 45 {
          #expect(abs(open[band].gain(at: level) - gated[band].gain(at: level)) < 1e-9)
        }
        let knee = open[band].gain(at: soft)
        #expect(abs(gated[band].gain(at: soft - 20) - max(0, knee - 20)) < 1e-9)
        #expect(gated[band].gain(at: SoundPressureLevel(-200)) == 0)
      }
    }
  }

  @Test("speech of each level gets the same gain from 6 kHz up, whatever was measured there")
  func aboveSixKilohertz() throws {
    // An ear whose loss is worst at 8 kHz; the band centres lie two thirds of an octave apart.
    let ear = try Audiogram(air: [500: 30, 4000: 50, 6000: 60, 8000: 90])
    let step = pow(2, 2.0 / 3)
    let bands = try BandLayout(centres: [6000 / step, 6000, 6000 * step, 6000 * step * step])
    let curves = try CambridgeCompressive(gate: .none).curves(for: ear, bands: bands)
    for overall in [50.0, 65, 80] {
      let gains = (1...3).map { band in
        curves[band].gain(at: bands.speechLevel(inBand: band, overall: SoundPressureLevel(overall)))
      }
      #expect(abs(gains[1] - gains[0]) < 1e-9 && abs(gains[2] - gains[0]) < 1e-9, "\(gains)")
    }
    let everywhere = try rule.curves(for: ear, bands: bands)
    #expect(everywhere[0] == curves[0] && everywhere[1] == curves[1] && everywhere[2] != curves[2])
  }

  @Test(
    "at any level the gain is no less than 0 dB and no more than 75, the output no more than 100 dB SPL",
    arguments: [CambridgeCompressive.Reference.wideBands, .ownBands])
  func bounds(reference: CambridgeCompressive.Reference) throws {
    let deaf = try Audiogram(air: [250: 120, 8000: 120])
    let ears = StandardAudiogram.allCases.map(\.audiogram) + [deaf, try Audiogram(air: [1000: -10])]
    for ear in ears {
      for gate in [CambridgeCompressive.Gate.softSpeech, .fixed, .none] {
        let rule = CambridgeCompressive(gate: gate, reference: reference)
        // A single band holds all of speech, far more than a wide one.
        for bands in [BandLayout.standard, try BandLayout(centres: [1000])] {
          for curve in try rule.curves(for: ear, bands: bands) {
            #expect(curve.knots.count <= 6)
            for level in stride(from: -40.0, through: 130, by: 0.7) {
              let gain = curve.gain(at: SoundPressureLevel(level))
              #expect(gain >= -1e-9 && gain <= 75 + 1e-9)
              #expect(gain <= 1e-9 || level + gain <= 100 + 1e-9)
            }
          }
        }
      }
    }
  }

  @Test("no band is compressed by more than 38 : 13")
  func ratio() {
    let speech = SoundPressureLevel(50)
    // Output range 38 + 10 − 60: less than 13.
    let steep = CambridgeCompressive.compressionRatio(
      gain: 10, speech: speech, threshold: SoundPressureLevel(90))
    #expect(abs(steep - 38 / 13.0) < 1e-12)
    // Output range 50 + 10 − 41 = 19, half of 38.
    let two = CambridgeCompressive.compressionRatio(
      gain: 10, speech: speech, threshold: SoundPressureLevel(41))
    #expect(abs(two - 2) < 1e-12)
    let none = CambridgeCompressive.compressionRatio(
      gain: 10, speech: speech, threshold: SoundPressureLevel(0))
    #expect(none == 1)
  }

  @Test("the threshold of normal ears is the free-field threshold at the third octaves")
  func thresholds() throws {
    for frequency in [125.0, 250, 500, 1000, 2000, 4000, 8000, 12_500] {
      let listed = try Transducer.all[8].referenceThreshold(at: frequency).value
      #expect(HearingThreshold.level(at: frequency) == listed)
    }
    // Half way in Hz between 17.9 dB at 160 and 14.4 dB at 200 Hz.
    #expect(abs(HearingThreshold.level(at: 180).decibels - 16.15) < 1e-9)
    #expect(HearingThreshold.level(at: 10).decibels == 78.5)
    #expect(HearingThreshold.level(at: 19_000).decibels == 73.2)
  }
}
