import Acoustics
import Base
import Glibc

/// Sizes of a chain: everything that follows from the sample rate and the device's block.
///
/// The filter transform covers about 11.6 ms (512 samples at 44.1 and 48 kHz, 1024 at 96 kHz): long enough
/// for a minimum-phase gain window to follow a prescription at 250 Hz. Its length costs work, not delay,
/// because overlap-save with a minimum-phase window delays by the block and the window's own group delay
/// only. A second transform of half that length reads the levels above ``crossover``, where bands are wide
/// enough for it, so that a fast attack is possible there: a level window cannot react faster than its own
/// middle.
///
/// - Threads: `any`.
public struct ChainGeometry: Sendable, Equatable {
  /// Samples per second, Hz.
  public let sampleRate: Double
  /// Frames that enter and leave per call.
  public let blockFrames: Int
  /// Number of ``hops`` that one block is cut into, each at most ``longestHop``.
  public let hopsPerBlock: Int
  /// Length of the filter transform, samples.
  public let filterLength: Int
  /// Length of the short analysis transform, samples.
  public let analysisLength: Int

  /// Frames a call may bring: the smallest period ALSA devices offer in practice, and the largest that
  /// keeps the whole loop under the 50 ms ceiling with two periods in each direction at 44.1 kHz.
  public static let blockRange = 16...1024
  /// Rates the chain is designed and tested for, Hz.
  public static let sampleRates: [Double] = [44_100, 48_000, 96_000]
  /// From this frequency on, bands read their level through the short transform, Hz.
  ///
  /// At 256 samples a Hann window's main lobe is ± 345 Hz wide at 44.1 kHz; the first standard band as
  /// wide as that lies at 2 kHz.
  public static let crossover = 1900.0

  /// - Throws: ``ChainError`` when the rate or block size is not one the chain is designed for.
  public init(sampleRate: Double, blockFrames: Int) throws(ChainError) {
    guard Self.sampleRates.contains(sampleRate) else { throw .unsupportedSampleRate(sampleRate) }
    guard Self.blockRange.contains(blockFrames) else { throw .unsupportedBlock(frames: blockFrames) }
    self.sampleRate = sampleRate
    self.blockFrames = blockFrames
    let scale = sampleRate > 50_000 ? 2 : 1
    filterLength = 512 * scale
    analysisLength = 256 * scale
    let longestHop = 64 * scale
    hopsPerBlock = (blockFrames + longestHop - 1) / longestHop
  }

  /// Longest hop, frames: the gain follows the sound every 1.45 ms at 44.1 kHz, whatever the block.
  public var longestHop: Int { (blockFrames + hopsPerBlock - 1) / hopsPerBlock }

  /// Mean time between two updates of the gain, s.
  public var hopTime: Double { Double(blockFrames) / Double(hopsPerBlock) / sampleRate }

  /// Bins of the filter transform, `filterLength / 2 + 1`.
  public var binCount: Int { filterLength / 2 + 1 }

  /// First frame of hop `index` within a block; hops differ by one frame at most.
  @inlinable @inline(__always) func hopStart(_ index: Int) -> Int { index * blockFrames / hopsPerBlock }

  /// Part of a distance that a first-order average covers per hop.
  ///
  /// - Parameter time: Time constant, s.
  func share(_ time: Double) -> Float { Float(1 - exp(-hopTime / time)) }

  /// Hops that last `time`, s, at least one.
  func hops(_ time: Double) -> Int { max(1, Int((time / hopTime).rounded())) }
}

extension BandLayout {
  /// Columns of a row over bands: bands rounded up to whole vectors.
  var stride: Int { Self.stride(count) }
  static func stride(_ count: Int) -> Int { (count + 7) / 8 * 8 }
}

/// Reason for which a chain cannot be built.
public enum ChainError: Error, Equatable, Sendable {
  /// The rate is none of ``ChainGeometry/sampleRates``, Hz.
  case unsupportedSampleRate(Double)
  /// The block lies outside ``ChainGeometry/blockRange``, frames.
  case unsupportedBlock(frames: Int)
  /// An ear's fitting has another number of gain curves than the layout has bands.
  case curveCount(found: Int, expected: Int)
  /// A gain curve has more knots than a band can hold.
  case tooManyKnots(band: Int, found: Int, limit: Int)
  /// A gain somewhere in a band's curve is not finite or exceeds `limit`, dB.
  case gainOutOfRange(band: Int, limit: Double)
  /// A gain curve rises or falls by more than `limit` dB per dB.
  case slopeTooSteep(band: Int, found: Double, limit: Double)
  /// A value is not finite or outside what the chain accepts.
  case outOfRange(Quantity, name: String, found: Double, range: ClosedRange<Double>)
  /// FFTW could not plan a transform of this length.
  case noPlan(length: Int)

  /// Kind of a value: a time, s; a level, dB SPL; a share, such as the binaural link; an effect of the treatment, dB
  /// or Hz.
  public enum Quantity: Sendable { case time, level, share, effect }

  /// Refuses a value outside a range.
  static func check(
    _ quantity: Quantity, _ found: Double, _ name: String, in range: ClosedRange<Double>
  ) throws(ChainError) {
    guard range.contains(found) else { throw .outOfRange(quantity, name: name, found: found, range: range) }
  }
}

extension ChainError: CustomStringConvertible {
  /// One sentence without a final stop: the value and what is accepted.
  public var description: String {
    switch self {
    case .unsupportedSampleRate: "sample rate: found \(found), expected \(expected)"
    case .unsupportedBlock: "block: found \(found), expected \(expected)"
    case .outOfRange(.time, let name, _, _), .outOfRange(.level, let name, _, _),
      .outOfRange(.share, let name, _, _):
      "\(name): found \(found), expected \(expected)"
    case .curveCount, .tooManyKnots, .gainOutOfRange, .slopeTooSteep, .outOfRange(.effect, _, _, _),
      .noPlan:
      "found \(found), expected \(expected)"
    }
  }

  /// The value that was refused, with its unit, as messages state it.
  public var found: String {
    switch self {
    case .unsupportedSampleRate(let rate): "\(rate.shortText) Hz"
    case .unsupportedBlock(let frames): "\(frames) frames"
    case .curveCount(let found, _): "\(found) gain curves"
    case .tooManyKnots(let band, let found, _): "\(found) knots in band \(band + 1)"
    case .gainOutOfRange(let band, _): "a gain beyond reach in band \(band + 1)"
    case .slopeTooSteep(let band, let found, _):
      "a slope of \(found.shortText) dB per dB in band \(band + 1)"
    case .outOfRange(.time, _, let found, _): "\((found * 1000).shortText) ms"
    case .outOfRange(.level, _, let found, _): "\(found.shortText) dB SPL"
    case .outOfRange(.share, _, let found, _): "\(found)"
    case .outOfRange(.effect, let name, let found, _): "\(name) of \(found.shortText)"
    case .noPlan(let length): "no plan for a transform of \(length) samples"
    }
  }

  /// The values that are accepted, with their unit where ``found`` leaves it open, as messages state them.
  public var expected: String {
    switch self {
    case .unsupportedSampleRate: "44100, 48000 or 96000 Hz"
    case .unsupportedBlock:
      "\(ChainGeometry.blockRange.lowerBound) to \(ChainGeometry.blockRange.upperBound)"
    case .curveCount(_, let expected): "\(expected)"
    case .tooManyKnots(_, _, let limit): "at most \(limit)"
    case .gainOutOfRange(_, let limit): "at most \(limit.shortText) dB"
    case .slopeTooSteep(_, _, let limit): "at most \(limit.shortText) dB per dB"
    case .outOfRange(.time, _, _, let range):
      "\((range.lowerBound * 1000).shortText) to \((range.upperBound * 1000).shortText) ms"
    case .outOfRange(.level, _, _, let range):
      "\(range.lowerBound.shortText) to \(range.upperBound.shortText) dB SPL"
    case .outOfRange(.share, _, _, let range), .outOfRange(.effect, _, _, let range):
      "\(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    case .noPlan: "one"
    }
  }
}
