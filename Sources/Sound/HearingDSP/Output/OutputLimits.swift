public import Acoustics
import Fitting
import Glibc

/// Greatest output of both ears, in digits.
///
/// - Threads: built on `control`, read on any.
public struct OutputLimits: BitwiseCopyable, Sendable, Equatable {
  let left: Ear
  let right: Ear

  /// - Parameter ears: Each ear's output limit, and what full scale stands for in its most sensitive band.
  /// - Throws: ``ChainError/levelOutOfRange(name:found:range:)``.
  public init(_ ears: Binaural<EarFitting>) throws(ChainError) {
    left = try Ear(ears.left)
    right = try Ear(ears.right)
  }

  private init(both ear: Ear) { (left, right) = (ear, ear) }

  /// 60 dB below full scale, for a setting that nothing is known of yet.
  public static let lowest = OutputLimits(both: Ear(headroom: -60))

  /// Greatest output of one ear.
  struct Ear: BitwiseCopyable, Sendable, Equatable {
    /// Mean square that the output may not exceed.
    let power: Float
    /// Peak that the output may not exceed: that of a sine at the limit, and never more than full scale.
    let peak: Float

    init(_ fitting: EarFitting) throws(ChainError) {
      try ChainError.check(level: fitting.outputLimit.decibels, "output limit", in: EarFitting.outputLimits)
      let sensitivity = fitting.outputAtFullScale.map(\.decibels).max() ?? 0
      self.init(headroom: fitting.outputLimit.decibels - sensitivity)
    }

    /// - Parameter headroom: Limit relative to full scale, dB.
    init(headroom: Double) {
      power = Float(0.5 * pow(10, min(0, headroom) / 10))
      peak = Float(pow(10, min(0, headroom) / 20))
    }
  }
}
