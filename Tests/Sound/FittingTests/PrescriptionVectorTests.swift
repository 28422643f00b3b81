import Acoustics
import Glibc
import Testing

@testable import Fitting

/// Every vector of the rules built here. The vectors are rounded to 0.001 dB or finer.
@Suite("Prescription vectors") struct PrescriptionVectorTests {
  let vectors: PrescriptionVectors

  init() throws { vectors = try .load() }

  /// Checks gains by frequency against a column of vectors.
  private func compare(
    _ name: String, _ expected: [String: Double], tolerance: Double = 0.001,
    with gain: (Double) throws -> Double
  ) rethrows {
    for (frequency, wanted) in PrescriptionVectors.byFrequency(expected).sorted(by: { $0.key < $1.key }) {
      let found = try gain(frequency)
      #expect(abs(found - wanted) <= tolerance, "\(name) at \(frequency) Hz: \(found), expected \(wanted)")
    }
  }

  private func formula(_ gains: [Double]) -> (Double) throws -> Double {
    { frequency in gains[try #require(NALR.frequencies.firstIndex(of: frequency))] }
  }

  @Test("there is a vector for normal hearing and each standard audiogram")
  func complete() {
    #expect(Set(vectors.audiograms.keys) == Set(StandardAudiogram.allCases.map(\.rawValue) + ["N0"]))
  }

  @Test("the standard audiograms are those of the vectors")
  func audiograms() throws {
    for standard in StandardAudiogram.allCases {
      let ear = try #require(vectors.audiograms[standard.rawValue])
      #expect(standard.audiogram == (try ear.audiogram()), "\(standard)")
    }
  }

  @Test("NAL-R is its published formula")
  func formulaNALR() throws {
    for (name, ear) in vectors.audiograms {
      let gains = try NALR().unclippedGains(for: try ear.audiogram())
      try compare(name, ear.formulaNALR, with: formula(gains))
    }
  }

  @Test("NAL-RP without its correction for severe loss at 2 kHz is its published formula")
  func formulaNALRP() throws {
    for (name, ear) in vectors.audiograms {
      let gains = try NALR(revised: true).unclippedGains(
        for: try ear.audiogram(), correctsSevereLoss: false)
      try compare(name, ear.formulaNALRP, with: formula(gains))
    }
  }

  @Test("half gain is half the threshold")
  func halfGain() throws {
    for (name, ear) in vectors.audiograms {
      let audiogram = try ear.audiogram()
      try compare(name, ear.formulaHalfGain) { frequency in
        let bands = try BandLayout(centres: [frequency])
        return try HalfGain().curves(for: audiogram, bands: bands)[0].gain(at: SoundPressureLevel(65))
      }
    }
  }

  @Test("POGO II is its published formula, with the correction decided at 375 and 750 Hz")
  func pogoII() throws {
    for (name, ear) in vectors.audiograms {
      let audiogram = try ear.audiogram()
      try compare(name, ear.formulaPOGOII) { try POGOII.unclippedGain(for: audiogram, at: $0) }
      try compare(name, ear.formulaPOGOII.mapValues { max(0, $0) }) {
        try POGOII().insertionGains(for: audiogram, at: [$0])[0]
      }
    }
  }

  @Test("the Cambridge formula is openMHA's from 125 to 8000 Hz")
  func cambridgeLinear() throws {
    var compared = 0
    for (name, ear) in vectors.audiograms {
      guard let expected = ear.openMHACambridge else { continue }
      let audiogram = try ear.audiogram()
      try compare(name, expected) { try CambridgeLinear().insertionGains(for: audiogram, at: [$0])[0] }
      compared += expected.count
    }
    // Ten audiograms, eleven frequencies.
    #expect(compared >= 110)
  }

  @Test("pyclarity's NAL-R is NAL-RP without the correction at 2 kHz, its slope rounded to 0.116 · 3")
  func pyclarity() throws {
    for (name, ear) in vectors.audiograms {
      let audiogram = try ear.audiogram()
      let average = try #require(audiogram.pureToneAverage).decibels
      // 9 + 0.116 (3 · 3FA − 180) instead of 9 + 0.35 (3FA − 60).
      let rounding = 0.002 * max(0, average - 60)
      let gains = try NALR(revised: true).unclippedGains(for: audiogram, correctsSevereLoss: false).map {
        max(0, $0 - rounding)
      }
      // An ear without any loss gets no gain from pyclarity; the formula gives k(1000) = 1 dB.
      let anyLoss = ear.hl.values.contains { $0 > 0 }
      try compare(name, ear.pyclarity, with: formula(anyLoss ? gains : gains.map { _ in 0 }))
    }
  }

  @Test("openMHA's NAL-RP is ours from 125 to 8000 Hz, but for 750 Hz")
  func openMHA() throws {
    var compared = 0
    for (name, ear) in vectors.audiograms {
      guard var expected = ear.openMHA else { continue }
      expected["750"] = nil
      let audiogram = try ear.audiogram()
      try compare(name, expected) { frequency in
        try NALR(revised: true, lowEdge: .falling, edge: .fallingToTenKilohertz).insertionGains(
          for: audiogram, at: [frequency])[0]
      }
      compared += expected.count
    }
    // Ten audiograms, ten frequencies.
    #expect(compared >= 100)
  }

  @Test("openMHA has no k(750): its gain there lies between those at 500 and 1000 Hz")
  func openMHAAt750() throws {
    var compared = 0
    for (name, ear) in vectors.audiograms {
      guard let expected = ear.openMHA?["750"] else { continue }
      let ends = try NALR(revised: true).insertionGains(for: try ear.audiogram(), at: [500, 1000])
      let between = ends[0] + log2(1.5) * (ends[1] - ends[0])
      #expect(abs(between - expected) <= 0.001, "\(name): \(between), expected \(expected)")
      compared += 1
    }
    // Ten audiograms.
    #expect(compared >= 10)
  }
}
