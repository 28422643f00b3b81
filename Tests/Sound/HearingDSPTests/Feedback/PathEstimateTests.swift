import Testing

@testable import HearingDSP

/// Steps of the path that wait until they are confined to causal taps.
@Suite("Path estimate") struct PathEstimateTests {
  static let frames = 64

  static func geometry() throws -> FeedbackGeometry {
    FeedbackGeometry(try ChainGeometry(sampleRate: 44_100, blockFrames: frames))
  }

  /// Spectrum with one value in every bin.
  private static func flat(_ geometry: FeedbackGeometry, re: Float, im: Float = 0) -> HalfSpectrum {
    let spectrum = HalfSpectrum(length: geometry.length)
    for k in 0...spectrum.half { (spectrum.re[k], spectrum.im[k]) = (re, im) }
    return spectrum
  }

  /// Real and imaginary part of every bin.
  private static func bins(_ spectrum: borrowing HalfSpectrum) -> [Float] {
    var bins: [Float] = []
    for k in 0...spectrum.half { bins += [spectrum.re[k], spectrum.im[k]] }
    return bins
  }

  @Test("the steps of two hops are added to the path as one, and nothing of them is left behind it")
  func sum() throws {
    let geometry = try Self.geometry()
    let sent = Self.flat(geometry, re: 0.1, im: 0.05)
    let first = Self.flat(geometry, re: 1)
    let second = Self.flat(geometry, re: -0.3, im: 0.7)
    var estimate = PathEstimate(geometry)
    var apart = PathEstimate(geometry)
    // The same hops, without the first step when the second one is read.
    apart.process(sent: sent, remainder: first, frames: Self.frames, isFast: false)
    let former = Self.bins(apart.step)
    apart.resetStep()
    apart.process(sent: sent, remainder: second, frames: Self.frames, isFast: false)
    let expected = zip(former, Self.bins(apart.step)).map { $0 + $1 }
    #expect(former.contains { $0 != 0 } && expected != former)

    estimate.process(sent: sent, remainder: first, frames: Self.frames, isFast: false)
    estimate.process(sent: sent, remainder: second, frames: Self.frames, isFast: false)
    let both = Self.bins(estimate.step)
    #expect(both == expected)
    // All of it, as if the path had no taps that are not causal.
    let confined = HalfSpectrum(length: geometry.length)
    for k in 0...confined.half {
      (confined.re[k], confined.im[k]) = (2 * estimate.step.re[k], 2 * estimate.step.im[k])
    }
    let isPossible = estimate.processStep(confined)
    let (path, left) = (Self.bins(estimate.path), Self.bins(estimate.step))
    #expect(isPossible && path == expected)
    #expect(left.allSatisfy { $0 == 0 })
  }

  @Test("a path that is begun anew, or comes from before, has no step of the one that is discarded")
  func discarded() throws {
    let geometry = try Self.geometry()
    let sent = Self.flat(geometry, re: 0.1)
    let remainder = Self.flat(geometry, re: 1)
    let earlier = Self.flat(geometry, re: 0.01)
    for isMeasured in [false, true] {
      var estimate = PathEstimate(geometry)
      estimate.process(sent: sent, remainder: remainder, frames: Self.frames, isFast: false)
      let before = Self.bins(estimate.step)
      estimate.reset(toMeasured: isMeasured)
      let after = Self.bins(estimate.step)
      #expect(before.contains { $0 != 0 } && after.allSatisfy { $0 == 0 })
    }
    var estimate = PathEstimate(geometry)
    estimate.process(sent: sent, remainder: remainder, frames: Self.frames, isFast: false)
    estimate.copyPath(from: earlier)
    let (path, step) = (Self.bins(estimate.path), Self.bins(estimate.step))
    let expected = Self.bins(earlier)
    #expect(path == expected && step.allSatisfy { $0 == 0 })
  }
}
