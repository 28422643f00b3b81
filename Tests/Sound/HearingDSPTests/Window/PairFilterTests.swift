import Acoustics
import Glibc
import Realtime
import Testing

@testable import HearingDSP

@Suite("Filter of a pair") struct PairFilterTests {
  /// Exponent of a window that multiplies by 2^`octaves` and does nothing else, the transforms' scale
  /// included.
  private static func flat(_ octaves: Float, length: Int) -> SIMD8<Float> {
    SIMD8(repeating: octaves - Float(log2(2 * Double(length))))
  }

  @Test(
    "a hop begins with the old windows and moves to the new ones along its curve",
    arguments: [16, 40, 48, 64], [44_100.0, 96_000])
  func crossfade(frames: Int, sampleRate: Double) throws {
    let geometry = try ChainGeometry(sampleRate: sampleRate, blockFrames: frames)
    let length = geometry.filterLength
    let transform = try InverseTransform(length: length)
    var history = AlignedBuffer<Float>(count: 2 * length)
    for n in 0..<length {
      history[2 * n] = Float(sin(0.3 * Double(n)))
      history[2 * n + 1] = Float(cos(1.1 * Double(n)))
    }
    var spectrum = PairSpectrum(length: length)
    spectrum.process(history)
    var filter = PairFilter(geometry: geometry, groupCount: geometry.binCount / BandRows.group + 1)
    var time = AlignedBuffer<Float>(count: 2 * length)
    for octaves in [Binaural<Float>(left: 0, right: 1), Binaural(left: 2, right: -1)] {
      filter.ears.left.exponent.fill(Self.flat(octaves.left, length: length))
      filter.ears.right.exponent.fill(Self.flat(octaves.right, length: length))
      filter.process(spectrum, frames: frames, transform: transform, into: &time)
    }
    let theta = 2 * Double.pi / Double(length)
    for n in -frames..<0 {
      let share = 1 + sin(theta * Double(n)) / sin(theta * Double(frames))
      // Close to a straight line: 0.46 in the middle of the longest hop.
      #expect(abs(share - (1 + Double(n) / Double(frames))) < 0.05)
      let at = 2 * (length + n)
      // Single precision through two transforms and a fivefold weight outside the hop: 1e-5.
      #expect(abs(Double(time[at]) - Double(history[at]) * (1 + share * 3)) < 2e-5)
      #expect(abs(Double(time[at + 1]) - Double(history[at + 1]) * (2 - share * 1.5)) < 2e-5)
    }
  }
}
