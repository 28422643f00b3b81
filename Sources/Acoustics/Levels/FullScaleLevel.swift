import Glibc

/// Level of a digital signal, dB FS, by the convention of AES17: a full-scale sine is 0 dB FS.
///
/// By this convention a sine of peak 1 (root mean square 1/√2) is 0 dB FS, and full-scale square wave is
/// +3.01 dB FS. The other convention in use, 0 dB for a root mean square of 1, reads 3.01 dB lower.
public struct FullScaleLevel: Level {
  public static let unit = "dB FS"

  public let decibels: Double

  @inlinable
  public init(_ decibels: Double) { self.decibels = decibels }

  /// Level of a sine of this peak amplitude; full scale is 1.
  public init(sinePeak: Double) { self.init(20 * log10(sinePeak)) }

  /// Level of any signal of this root-mean-square value; full scale is 1.
  public init(rootMeanSquare: Double) { self.init(20 * log10(rootMeanSquare * 2.0.squareRoot())) }

  /// Peak amplitude of the sine that has this level.
  public var sinePeak: Double { pow(10, decibels / 20) }

  /// Root mean square of a signal that has this level.
  public var rootMeanSquare: Double { sinePeak / 2.0.squareRoot() }
}
