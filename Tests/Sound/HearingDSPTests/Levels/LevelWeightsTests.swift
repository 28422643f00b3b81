import Acoustics
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Shares of bins in bands") struct LevelWeightsTests {
  static let binWidth = 44_100.0 / 512

  @Test("the bands' shares of each bin add up to one, up to half the sampling rate")
  func wholes() {
    let rows = BandLayout.standard.centres.indices.map {
      LevelWeights.row(.standard, $0, binCount: 257, binWidth: Self.binWidth)
    }
    for k in 1..<256 {
      #expect(abs(rows.reduce(0) { $0 + $1[k] } - 1) < 1e-9)
    }
    #expect(rows.allSatisfy { $0[256] == 0 })
  }

  @Test("a Hann window spreads a tone over four bins, and its shares add up to one wherever the tone lies")
  func window() {
    for position in [10.0, 10.25, 10.5, 10.9] {
      let shares = (0...40).map { SpeechBins.hannShare(position - Double($0)) }
      // Side lobes beyond the bins counted here hold less than a thousandth.
      #expect(abs(shares.reduce(0, +) - 1) < 1e-3)
    }
    // On a bin: two thirds there, a sixth on either side (Harris 1978).
    #expect(abs(SpeechBins.hannShare(0) - 2.0 / 3) < 1e-9)
    #expect(abs(SpeechBins.hannShare(-1) - 1.0 / 6) < 1e-9)
    #expect(abs(SpeechBins.hannShare(2)) < 1e-9)
  }

  @Test("bands closer together than bins are read without infinities")
  func narrow() throws {
    let bands = try BandLayout(centres: [1000, 1000.001, 1000.002, 1001, 4000])
    let ear = ChainRig.ear(try ChainRig.flat(0, bands: bands))
    var rig = try ChainRig(Binaural(both: ear), bands: bands)
    _ = rig.run(Signal.tone(1000, level: 70, count: rig.count(1)))
    for band in 0..<5 { #expect(rig.chain.meters.left.bandLevel(band).isFinite) }
  }
}
