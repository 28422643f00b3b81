import Acoustics
import Testing

@testable import Fitting

@Suite("Prescribed rule") struct PrescribedRuleTests {
  @Test("every rule and every former version is found by what a card says of it, and by nothing else")
  func found() {
    for rule in PrescribedRule.all + PrescribedRule.former {
      let found = PrescribedRule(
        identifier: rule.identifier, version: rule.version, compressionRatio: rule.compressionRatio)
      #expect(found == rule)
      #expect(
        PrescribedRule(
          identifier: rule.identifier, version: 4, compressionRatio: rule.compressionRatio) == nil)
      #expect(PrescribedRule(identifier: rule.identifier + " ", version: 1) == nil)
    }
  }

  @Test("without a version a rule is the newest one, which is the one in the list")
  func newest() {
    for rule in PrescribedRule.all {
      let found = PrescribedRule(
        identifier: rule.identifier, compressionRatio: rule.compressionRatio)
      #expect(found == rule)
      let former = PrescribedRule.former.filter { $0.identifier == rule.identifier }
      #expect(former.allSatisfy { $0.version < rule.version })
    }
    #expect(Set(PrescribedRule.all.map(\.identifier)).count == PrescribedRule.all.count)
  }

  /// Gain of one band of the standard layout for speech at 20, 35, 50, 65 and 80 dB SPL, dB.
  struct Vector: Sendable {
    let version: Int
    let standard: StandardAudiogram
    let frequency: Double
    let ratio: Double
    let gains: [Double]

    init(
      _ version: Int, _ standard: StandardAudiogram, _ frequency: Double, _ ratio: Double, _ gains: [Double]
    ) {
      (self.version, self.standard, self.frequency, self.ratio) = (version, standard, frequency, ratio)
      self.gains = gains
    }
  }

  /// Worked out outside this program, in Python, from the formulas of NAL-RP, the edges of the versions and the levels
  /// of Byrne et al. (1994).
  static let compressive: [Vector] = [
    .init(1, .n1, 1000, 2, [14.35, 18.35, 13.35, 5.85, 0]),
    .init(1, .n3, 125, 2, [8.5569, 12.5569, 7.5569, 0.0569, 0]),
    .init(1, .n3, 1000, 2, [28.15, 32.15, 27.15, 19.65, 12.15]),
    .init(1, .n3, 4000, 1.8, [29.9611, 33.9611, 29.5167, 22.85, 16.1833]),
    .init(1, .s3, 250, 3, [13.4667, 17.4667, 10.8, 0.8, 0]),
    .init(1, .n6, 125, 2, [22.1638, 26.1638, 21.1638, 13.6638, 6.1638]),
    .init(1, .n7, 250, 2, [50.9833, 54.9833, 49.9833, 42.4833, 34.9833]),
    .init(2, .n1, 1000, 2, [14.35, 18.35, 13.35, 5.85, 0]),
    .init(2, .n3, 125, 2, [8.6, 12.6, 7.6, 0.1, 0]),
    .init(2, .n3, 1000, 2, [28.15, 32.15, 27.15, 19.65, 12.15]),
    .init(2, .n3, 4000, 1.8, [29.9611, 33.9611, 29.5167, 22.85, 16.1833]),
    .init(2, .s3, 250, 3, [13.4667, 17.4667, 10.8, 0.8, 0]),
    .init(2, .n6, 125, 2, [32.5, 36.5, 31.5, 24, 16.5]),
    .init(2, .n7, 250, 2, [50.9833, 54.9833, 49.9833, 42.4833, 34.9833]),
    .init(3, .n1, 1000, 2, [1.85, 5.85, 5.85, 5.85, 0]),
    .init(3, .n3, 125, 2, [2.1, 6.1, 3.7, 0.1, 0]),
    .init(3, .n3, 1000, 2, [23.65, 27.65, 24.45, 19.65, 12.15]),
    .init(3, .n3, 4000, 1.8, [29.9611, 33.9611, 29.5167, 22.85, 16.1833]),
    .init(3, .s3, 250, 3, [0.8, 4.8, 3.2, 0.8, 0]),
    .init(3, .n6, 125, 2, [32.5, 36.5, 31.5, 24, 16.5]),
    .init(3, .n7, 250, 2, [50.9833, 54.9833, 49.9833, 42.4833, 34.9833]),
  ]

  @Test(
    "a card that says NAL-RP-compressive 1, 2 or 3 has that version's gain, each by its formula",
    arguments: compressive)
  func compressiveVersions(_ vector: Vector) throws {
    let prescribed = try #require(
      PrescribedRule(
        identifier: "NAL-RP-compressive", version: vector.version, compressionRatio: vector.ratio))
    #expect(prescribed.version == vector.version)
    let bands = BandLayout.standard
    let band = try #require(bands.centres.firstIndex(of: vector.frequency))
    let curve = try prescribed.rule.curves(for: vector.standard.audiogram, bands: bands)[band]
    for (overall, expected) in zip([20.0, 35, 50, 65, 80], vector.gains) {
      let level = bands.speechLevel(inBand: band, overall: SoundPressureLevel(overall))
      // The vectors have four decimals.
      #expect(abs(curve.gain(at: level) - expected) < 1e-4, "at \(overall) dB SPL")
    }
  }

  @Test("the three versions of NAL-RP-compressive have three names, and the newest has the plain one")
  func compressiveNames() throws {
    let names = try [1, 2, 3].map { version in
      try #require(
        PrescribedRule(identifier: "NAL-RP-compressive", version: version, compressionRatio: 2)
      ).rule.name
    }
    #expect(
      names == [
        "NAL-RP-compressive version 1, compression 2.0:1",
        "NAL-RP-compressive version 2, compression 2.0:1",
        "NAL-RP-compressive, compression 2.0:1",
      ])
  }

  @Test(
    "a card that says CAMEQ 1 or 2 keeps the gain it was signed with: in bands of its own, and as published"
  )
  func cameq() throws {
    let first = try #require(PrescribedRule(identifier: "CAMEQ", version: 1))
    let second = try #require(PrescribedRule(identifier: "CAMEQ", version: 2))
    let ear = StandardAudiogram.n3.audiogram
    #expect(
      try first.rule.curves(for: ear, bands: .standard)
        == CambridgeCompressive(reference: .ownBands, minima: .toThreshold).curves(
          for: ear, bands: .standard))
    #expect(
      try second.rule.curves(for: ear, bands: .standard)
        == CambridgeCompressive(minima: .toThreshold).curves(for: ear, bands: .standard))
    let third = try #require(PrescribedRule(identifier: "CAMEQ", version: 3))
    let newest = try third.rule.curves(for: ear, bands: .standard)
    #expect(try newest == CambridgeCompressive().curves(for: ear, bands: .standard))
    // From 250 Hz up normal ears hear the softest parts of speech, and nothing changed.
    let published = try second.rule.curves(for: ear, bands: .standard)
    #expect(newest.dropFirst() == published.dropFirst() && newest[0] != published[0])
    #expect(Set([first, second, third].map(\.rule.name)).count == 3)
  }
}
