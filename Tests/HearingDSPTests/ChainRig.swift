import Acoustics
import Fitting
import Glibc

@testable import HearingDSP

/// A chain on the bench: calibrated so that 0 dB FS is 120 dB SPL on both sides, with sound put in and levels
/// read by formula.
struct ChainRig: ~Copyable {
  static let fullScale = SoundPressureLevel(120)
  let geometry: ChainGeometry
  let bands: BandLayout
  var chain: HearingChain

  /// An ear with the given curves, which neither its bands nor its output limit, unless told.
  static func ear(
    _ curves: [GainCurve], limit: Double = 120, bandLimit: Double? = nil
  ) -> EarFitting {
    EarFitting(
      curves: curves,
      bandLimits: curves.map { _ in SoundPressureLevel(bandLimit ?? limit) },
      outputLimit: SoundPressureLevel(limit), inputAtFullScale: fullScale,
      outputAtFullScale: curves.map { _ in fullScale })
  }

  init(
    _ ears: Binaural<EarFitting>, dynamics: Dynamics = Dynamics(), sampleRate: Double = 44_100,
    frames: Int = 64, bands: BandLayout = .standard
  ) throws {
    let geometry = try ChainGeometry(sampleRate: sampleRate, blockFrames: frames)
    let parameters = try ChainParameters(ears, dynamics: dynamics, bands: bands, geometry: geometry)
    var chain = try HearingChain(geometry: geometry, bands: bands, parameters: parameters, rise: 0.05)
    chain.open()
    self.geometry = geometry
    self.bands = bands
    self.chain = chain
  }

  /// Sends whole blocks through the chain.
  mutating func run(_ left: [Float], _ right: [Float]) -> (left: [Float], right: [Float]) {
    let frames = geometry.blockFrames
    var leftResult = [Float](repeating: 0, count: left.count)
    var rightResult = leftResult
    for start in stride(from: 0, through: left.count - frames, by: frames) {
      var leftSpan = leftResult.mutableSpan
      var rightSpan = rightResult.mutableSpan
      var leftBlock = leftSpan._mutatingExtracting(start..<start + frames)
      var rightBlock = rightSpan._mutatingExtracting(start..<start + frames)
      chain.process(
        left: left.span.extracting(start..<start + frames), right: right.span.extracting(start..<start + frames),
        intoLeft: &leftBlock, intoRight: &rightBlock)
    }
    return (leftResult, rightResult)
  }

  /// Amplitude of a sine of a level, full scale ± 1.
  static func amplitude(_ level: Double) -> Double { pow(10, (level - fullScale.decibels) / 20) }

  /// A sine from sample 0.
  static func tone(_ frequency: Double, level: Double, count: Int, sampleRate: Double = 44_100) -> [Float] {
    let a = amplitude(level)
    return (0..<count).map { Float(a * sin(2 * .pi * frequency * Double($0) / sampleRate)) }
  }

  /// Level of the component at `frequency`, dB SPL: correlation with a sine and a cosine over the samples.
  static func level(of samples: ArraySlice<Float>, at frequency: Double, sampleRate: Double = 44_100) -> Double {
    var (c, s) = (0.0, 0.0)
    for n in samples.indices {
      let phase = 2 * .pi * frequency * Double(n) / sampleRate
      c += Double(samples[n]) * cos(phase)
      s += Double(samples[n]) * sin(phase)
    }
    let amplitude = 2 * sqrt(c * c + s * s) / Double(samples.count)
    return fullScale.decibels + 20 * log10(amplitude)
  }
}
