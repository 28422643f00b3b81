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

  /// Greatest output of one ear.
  struct Ear: BitwiseCopyable, Sendable, Equatable {
    /// Mean square that the output may not exceed.
    let power: Float
    /// Peak that the output may not exceed: that of a sine at the limit, and never more than full scale.
    let peak: Float

    init(_ fitting: EarFitting) throws(ChainError) {
      try EarTable.check([fitting.outputLimit], "output limit", ChainParameters.outputLimitRange)
      let sensitivity = fitting.outputAtFullScale.map(\.decibels).max() ?? 0
      let headroom = fitting.outputLimit.decibels - sensitivity
      power = Float(0.5 * pow(10, min(0, headroom) / 10))
      peak = Float(pow(10, min(0, headroom) / 20))
    }
  }
}
