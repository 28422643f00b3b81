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
    var delay = ChainDelay()
    let seconds = delay.seconds(for: HearingSettings(), geometry)
    #expect(abs(try #require(seconds)) < 1e-9)
  }

  @Test(
    "every standard audiogram's prescription delays by less than the millisecond that is allowed",
    arguments: StandardAudiogram.allCases)
  func prescribed(_ audiogram: StandardAudiogram) throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let hearing = HearingSettings(audiograms: Binaural(both: audiogram.audiogram))
    var delay = ChainDelay()
    let seconds = delay.seconds(for: hearing, geometry)
    #expect(abs(try #require(seconds)) <= 0.001)
  }

  @Test("other gains, another rate and other bands are worked out anew, as by one that has worked out none")
  func changes() throws {
    var delay = ChainDelay()
    let bands = try BandLayout(centres: [250, 500, 1000, 2000, 4000, 8000])
    let (standard, fewer) = (BandLayout.standard, bands)
    var found: Set<Double> = []
    for (audiogram, bands, rate) in [
      (StandardAudiogram.n3, standard, 44_100.0), (.s3, standard, 44_100), (.s3, standard, 96_000),
      (.s3, fewer, 96_000), (.n3, standard, 44_100),
    ] {
      var hearing = HearingSettings(audiograms: Binaural(both: audiogram.audiogram))
      hearing.bands = bands
      let geometry = try ChainGeometry(sampleRate: rate, blockFrames: 64)
      var fresh = ChainDelay()
      let (seconds, expected) = (
        delay.seconds(for: hearing, geometry), fresh.seconds(for: hearing, geometry)
      )
      #expect(seconds == expected)
      found.insert(try #require(seconds))
    }
    #expect(found.count == 4)
  }
}
