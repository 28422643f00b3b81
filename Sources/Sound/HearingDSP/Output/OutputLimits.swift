public import Acoustics
import Fitting
import Glibc

/// Greatest output of both ears, in digits.
///
/// - Threads: built on `control`, read on any.
public struct OutputLimits: BitwiseCopyable, Sendable, Equatable {
  let ears: Binaural<Ear>

  /// - Parameter ears: Each ear's output limit, and what full scale makes where its earphone is most sensitive.
  /// - Throws: ``ChainError/outOfRange(_:name:found:range:)``.
  public init(_ ears: Binaural<EarFitting>) throws(ChainError) {
    self.ears = try ears.map { ear throws(ChainError) in try Ear(ear) }
  }

  private init(both ear: Ear) { ears = Binaural(both: ear) }

  /// 60 dB below full scale, for a setting that nothing is known of yet.
  public static let lowest = OutputLimits(both: Ear(headroom: -60))

  /// The same, and at most a level relative to full scale, dB, in both ears.
  public func held(to level: Double) -> OutputLimits {
    OutputLimits(ears.map { $0.held(to: Ear(headroom: level)) })
  }

  private init(_ ears: Binaural<Ear>) { self.ears = ears }

  /// Level by which a steady sine has to lie below a limit to pass it unchanged, dB.
  ///
  /// The limiter's store (``OutputLimiter/allowance``, 0.8 ms) has to hold what a crest has above the limit's mean square: of a sine with a
  /// share g of the limit's power g/ω·(sin θ − (1/g − 1)·(π − θ)) with cos θ = 1 − 1/g. At the limit that is 1/ω, 0.8 ms at 199 Hz; 1 dB
  /// below it 0.79 ms at 100 Hz; and 3.01 dB below it no sample lies above the limit's mean square.
  ///
  /// - Parameter frequency: Hz; of a warble its lowest.
  public static func headroom(at frequency: Double) -> Double {
    frequency >= 200 ? 0 : frequency >= 100 ? 1 : 10 * log10(2)
  }

  /// Level of the loudest sine that passes unchanged, each ear.
  public var levels: Binaural<FullScaleLevel> { ears.map { FullScaleLevel(sinePeak: Double($0.peak)) } }

  /// Greatest output of one ear.
  struct Ear: BitwiseCopyable, Sendable, Equatable {
    /// Mean square that the output may not exceed.
    let power: Float
    /// Peak that the output may not exceed: that of a sine at the limit, and never more than full scale.
    let peak: Float

    init(_ fitting: EarFitting) throws(ChainError) {
      try ChainError.check(
        .level, fitting.outputLimit.decibels, "output limit", in: EarFitting.outputLimits)
      let sensitivity = fitting.greatestAtFullScale?.decibels ?? 0
      self.init(headroom: fitting.outputLimit.decibels - sensitivity)
    }

    /// - Parameter headroom: Limit relative to full scale, dB.
    init(headroom: Double) {
      power = Float(0.5 * pow(10, min(0, headroom) / 10))
      peak = Float(pow(10, min(0, headroom) / 20))
    }

    private init(power: Float, peak: Float) { (self.power, self.peak) = (power, peak) }

    /// The lower of both limits.
    func held(to other: Ear) -> Ear { Ear(power: min(power, other.power), peak: min(peak, other.peak)) }
  }
}

/// Request of a performer to the output safety stage for one hop. It can only make the sound softer.
public struct OutputRequest: BitwiseCopyable, Sendable {
  /// Silences the hop at once; the sound then rises anew.
  public var isSilent = false
  /// Factor of the left ear, applied behind the limiter and the ramp.
  public var left = Factor()
  /// Factor of the right ear.
  public var right = Factor()

  /// Nothing beyond the limits.
  public init() {}

  /// A factor that moves in a straight line over a hop, linear, 0...1.
  public struct Factor: BitwiseCopyable, Sendable {
    let from: Float
    let to: Float

    /// - Parameters: Factors before the hop's first sample and at its last.
    public init(from: Float = 1, to: Float = 1) { (self.from, self.to) = (from, to) }
  }
}

/// Report of the output safety stage on one hop.
public struct OutputReport: BitwiseCopyable, Sendable {
  /// Factor of the ramp at the end of the hop, linear, 0...1.
  public internal(set) var ramp: Float = 0
  var ears = Binaural(both: Ear())

  /// True when an ear's hop was not finite; both ears are silent then.
  var isBroken: Bool { ears.left.isBroken || ears.right.isBroken }

  /// Writes the limiter's least gain, and the factor because of a howl.
  func read(into frame: inout Binaural<GainFrame>) {
    (frame.left.limiterGain, frame.left.howlFactor) = (ears.left.limiterGain, ears.left.lowering)
    (frame.right.limiterGain, frame.right.howlFactor) = (ears.right.limiterGain, ears.right.lowering)
  }

  /// One ear's hop, behind the limiter and before the ramp.
  struct Ear: BitwiseCopyable, Sendable {
    /// Mean square before the limiter.
    var inputPower: Float = 0
    /// Mean square.
    var power: Float = 0
    /// ``power`` relative to that of a sine at the ear's limit.
    var limitShare: Float = 0
    /// Least gain of the limiter, linear; 1 when idle.
    var limiterGain: Float = 1
    /// Factor between the limiter and the ear at the end of the hop, linear, 0...1: ramp and ``lowering``.
    var factor: Float = 0
    /// Factor that the performer asked for at the end of the hop, linear, 0...1.
    var lowering: Float = 1
    /// True when a sample was not finite.
    var isBroken = false

    /// True when the limiter attenuates.
    var isLimited: Bool { limiterGain < 0.9 }
  }
}
