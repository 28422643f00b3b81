import Acoustics
import Glibc
import Testing

@testable import Fitting

/// The band-level vectors of openMHA's `gainrule_CRvar_NALRP` at compression ratio 2.
///
/// Two things in them are openMHA's own, and are taken away here before comparing:
/// * It has no k(750), so its 841 Hz band (500–1000 Hz) is interpolated without it.
/// * Its audiogram structure adds 8000 Hz, NaN when not measured. Octave's `interp1` then reads NaN at
///   6000 Hz too, and `max(0, NaN)` is 0: the gain falls from that at 4 kHz to 0 dB at 6 kHz, so both bands
///   above have a target of 0 dB whatever the loss. We keep the prescribed gain instead.
@Suite("openMHA's compressive NAL-RP") struct OpenMHACompressionTests {
  let vectors: PrescriptionVectors

  init() throws { vectors = try .load() }

  /// openMHA's linear target in each of its bands.
  private func targets(_ audiogram: Audiogram) throws -> [Double] {
    try vectors.bands.map { frequency in
      if frequency > 6000 { return 0 }
      if frequency > 500, frequency < 1000 {
        let ends = try NALR(revised: true, lowEdge: .falling).insertionGains(
          for: audiogram, at: [500, 1000])
        return ends[0] + log2(frequency / 500) * (ends[1] - ends[0])
      }
      return try NALR(revised: true, lowEdge: .falling).insertionGains(for: audiogram, at: [frequency])[0]
    }
  }

  private func compare(speech: [Double], tolerance: Double) throws {
    let rule = try NALRPCompressive(
      compressionRatio: 2, expansionRatio: 1, allowsAttenuation: true, lowLevelAddition: .byRatio,
      lowEdge: .falling)
    var compared = 0
    for (name, ear) in vectors.audiograms {
      guard let rows = ear.openMHACompressive else { continue }
      let linear = try targets(try ear.audiogram())
      for (level, row) in rows {
        let input = SoundPressureLevel(try #require(Double(level)))
        for (band, expected) in row.enumerated() {
          let found = rule.curve(
            gain: linear[band], at: SoundPressureLevel(speech[band]), threshold: 0
          ).gain(at: input)
          #expect(
            abs(found - expected) <= tolerance,
            "\(name), band \(band), \(level) dB SPL: \(found), expected \(expected)")
          compared += 1
        }
      }
    }
    // Ten audiograms, twelve levels, nine bands.
    #expect(compared >= 1080)
  }

  @Test("our curve on openMHA's band levels is openMHA's, to the last digit printed")
  func sameCurve() throws {
    try compare(speech: vectors.speechLevels(), tolerance: 0.0001)
  }

  @Test("our band levels, even over log frequency, move it by no more than 0.08 dB, in the 841 Hz band")
  func sameLevels() throws {
    let speech = zip(vectors.edges, vectors.edges.dropFirst()).map { low, high in
      LongTermAverageSpeechSpectrum.bandLevel(from: low, to: high, overall: SoundPressureLevel(65)).decibels
    }
    try compare(speech: speech, tolerance: 0.08)
  }

  @Test("apart from 841 Hz and above 6 kHz the whole rule gives openMHA's gains within 0.05 dB")
  func wholeRule() throws {
    let rule = try NALRPCompressive(
      compressionRatio: 2, expansionRatio: 1, allowsAttenuation: true, lowLevelAddition: .byRatio,
      lowEdge: .falling)
    let bands = try BandLayout(centres: vectors.bands)
    var compared = 0
    for (name, ear) in vectors.audiograms {
      guard let rows = ear.openMHACompressive else { continue }
      let curves = try rule.curves(for: try ear.audiogram(), bands: bands)
      for (level, row) in rows {
        let input = SoundPressureLevel(try #require(Double(level)))
        for band in row.indices where bands.centres[band] != 841 && bands.centres[band] < 6000 {
          let found = curves[band].gain(at: input)
          #expect(abs(found - row[band]) <= 0.05, "\(name), band \(band), \(level) dB SPL: \(found)")
          compared += 1
        }
      }
    }
    // Ten audiograms, twelve levels, six bands.
    #expect(compared >= 720)
  }
}
