import Testing

@testable import Acoustics

@Suite("Standard audiograms") struct StandardAudiogramTests {
  @Test("ten ears, ten thresholds each, all within the audiometer’s dial")
  func complete() throws {
    #expect(StandardAudiogram.allCases.count == 10)
    for standard in StandardAudiogram.allCases {
      #expect(standard.thresholds.count == StandardAudiogram.frequencies.count)
      #expect(try Audiogram(points: standard.audiogram.points) == standard.audiogram)
    }
  }

  // Sums of the table's rows (Bisgaard et al. 2010), added up by hand from the printed table.
  @Test(
    "each row adds up as in the paper",
    arguments: [
      (StandardAudiogram.n1, 165.0), (.n2, 307.5), (.n3, 455), (.n4, 625), (.n5, 750), (.n6, 875),
      (.n7, 1007.5), (.s1, 230), (.s2, 462.5), (.s3, 592.5),
    ])
  func rows(standard: StandardAudiogram, sum: Double) {
    #expect(standard.thresholds.reduce(0, +) == sum)
  }

  @Test("N3 has a pure-tone average of 41.7 dB HL")
  func average() throws {
    let average = try #require(StandardAudiogram.n3.audiogram.pureToneAverage)
    #expect(abs(average.decibels - (35.0 + 40 + 50) / 3) < 1e-12)
  }
}
