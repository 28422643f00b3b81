import Acoustics
import Engine
import HearingDSP
import Testing

@testable import Service

@Suite struct ChainDelayTests {
  @Test("a chain that changes nothing delays nothing beyond its block")
  func unchanged() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    // A constant gain has no phase; 1 ns for the transform's rounding.
    #expect(abs(try #require(ChainDelay.seconds(for: HearingSettings(), geometry))) < 1e-9)
  }

  @Test(
    "every standard audiogram's prescription delays by less than the millisecond that is allowed",
    arguments: StandardAudiogram.allCases)
  func prescribed(_ audiogram: StandardAudiogram) throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let hearing = HearingSettings(audiograms: Binaural(both: audiogram.audiogram))
    #expect(abs(try #require(ChainDelay.seconds(for: hearing, geometry))) <= 0.001)
  }
}
