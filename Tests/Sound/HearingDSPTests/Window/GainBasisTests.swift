import Acoustics
import Glibc
import Realtime
import Testing

@testable import HearingDSP

@Suite("Gain basis") struct GainBasisTests {
  /// Logarithm of one ear's window for some band gains, nepers, as the audio thread computes it.
  private static func expanded(
    _ basis: inout GainBasis, _ gains: [Double]
  ) -> (exponent: [Double], angle: [Double]) {
    var nepers = Binaural<AlignedBuffer<Float>> { _ in AlignedBuffer(count: gains.count) }
    for (band, gain) in gains.enumerated() { nepers.left[band] = Float(gain) }
    let groups = basis.groupCount
    var windows = Binaural { _ in EarFilter(length: 2 * BandRows.group * (groups - 1), groupCount: groups) }
    basis.process(nepers.left, nepers.right, into: &windows)
    let places = 0..<basis.groupCount * BandRows.group
    return (
      places.map { Double(windows.left.exponent[$0 / 8][$0 % 8]) },
      places.map { Double(windows.left.angle[$0 / 8][$0 % 8]) }
    )
  }

  @Test("one neper in any band gives the design's magnitude at every bin", arguments: [44_100.0, 96_000])
  func magnitude(sampleRate: Double) throws {
    let geometry = try ChainGeometry(sampleRate: sampleRate, blockFrames: 64)
    var basis = GainBasis(.standard, geometry: geometry)
    let design = MinimumPhaseBasis(bands: .standard, geometry: geometry)
    for band in 0..<BandLayout.standard.count {
      let window = Self.expanded(&basis, (0..<BandLayout.standard.count).map { $0 == band ? 1 : 0 })
      for k in 0..<geometry.binCount {
        // The transforms' scale 1/2N is part of the window. Single precision near 10 octaves: 1e-6.
        let octaves = design.magnitude[band][k] / log(2) - log2(2 * Double(geometry.filterLength))
        #expect(abs(window.exponent[k] - octaves) < 3e-6)
      }
    }
  }

  @Test(
    "what the phase leaves out stays below 0.0005 rad per neper over all bands",
    arguments: [44_100.0, 96_000])
  func phase(sampleRate: Double) throws {
    let geometry = try ChainGeometry(sampleRate: sampleRate, blockFrames: 64)
    var basis = GainBasis(.standard, geometry: geometry)
    let design = MinimumPhaseBasis(bands: .standard, geometry: geometry)
    var missing = [Double](repeating: 0, count: geometry.binCount)
    for band in 0..<BandLayout.standard.count {
      let window = Self.expanded(&basis, (0..<BandLayout.standard.count).map { $0 == band ? 1 : 0 })
      // The largest sum over bands is reached when all errors happen to have one sign.
      for k in missing.indices { missing[k] += abs(window.angle[k] * .pi - design.phase[band][k]) }
    }
    #expect(missing.max() ?? 1 < 0.0005)
  }

  @Test("the same gain in every band is a flat window without phase")
  func flat() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var basis = GainBasis(.standard, geometry: geometry)
    let window = Self.expanded(&basis, BandLayout.standard.centres.map { _ in 2 })
    for k in 0..<geometry.binCount {
      #expect(abs(window.exponent[k] - (2 / log(2) - 10)) < 1e-5)
      #expect(abs(window.angle[k] * .pi) < 2 * 0.0005)
    }
  }
}
