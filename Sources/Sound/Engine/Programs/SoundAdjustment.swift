import Acoustics
import Fitting
import Glibc
public import HearingDSP

/// Volume and tone as the wearer has turned them, dB relative to the prescription.
///
/// - Threads: `any`.
public struct SoundAdjustment: Sendable, Hashable {
  /// At all frequencies.
  public var volume: Double
  /// Treble against bass: what 4 kHz and above is lifted over 250 Hz and below.
  public var tone: Double

  /// One turn of either, dB. Own choice: about twice the smallest difference of level that is heard.
  public static let step = 2.0
  /// As prescribed.
  public static let none = SoundAdjustment()

  /// - Parameters: As the properties.
  public init(volume: Double = 0, tone: Double = 0) { (self.volume, self.tone) = (volume, tone) }

  /// The nearest that is allowed. A value that is not a number counts as 0.
  public func held(within limits: AdjustmentLimits) -> SoundAdjustment {
    SoundAdjustment(
      volume: Self.held(volume, within: limits.volume), tone: Self.held(tone, within: limits.tone))
  }

  /// Change of gain at a frequency, dB: tilted about 1 kHz by a quarter of ``tone`` per octave, two octaves
  /// either way, held beyond; as a whole no higher than leaves every frequency within `greatestRise`.
  ///
  /// - Parameters:
  ///   - frequency: Hz.
  ///   - greatestRise: Most by which the gain of a frequency is raised, dB.
  func change(at frequency: Double, greatestRise: Double) -> Double {
    let octaves = min(max(log2(frequency / 1000), -2), 2)
    let excess = max(0, volume + abs(tone) / 2 - greatestRise)
    return volume + tone / 4 * octaves - excess
  }

  private static func held(_ value: Double, within range: ClosedRange<Double>) -> Double {
    value.isNaN ? 0 : min(max(value, range.lowerBound), range.upperBound)
  }
}

/// Ranges of volume and tone, dB. Both contain 0.
///
/// - Threads: `any`.
public struct AdjustmentLimits: Sendable, Hashable {
  /// Range of ``SoundAdjustment/volume``.
  public let volume: ClosedRange<Double>
  /// Range of ``SoundAdjustment/tone``.
  public let tone: ClosedRange<Double>
  /// Most by which the gain of a frequency is raised, dB above the prescription.
  private(set) var greatestRise: Double

  /// Without a prescription that says otherwise: softer only, and a tone that takes away where it would add. Own
  /// choice; nobody has decided that more gain is safe.
  public static let usual: AdjustmentLimits = {
    var limits = AdjustmentLimits(volume: -20...0, tone: -6...6)
    limits.greatestRise = 0
    return limits
  }()

  /// As prescribed. Tone may raise a frequency by half of what it may be turned, above the highest volume.
  public init(volume: ClosedRange<Double>, tone: ClosedRange<Double>) {
    (self.volume, self.tone) = (volume, tone)
    greatestRise = max(0, volume.upperBound) + max(abs(tone.lowerBound), abs(tone.upperBound)) / 2
  }
}

extension HearingSettings {
  /// Treatment of the sound besides the gain, as the program has it.
  public var treatment: Treatment {
    var treatment = program?.treatment ?? .plain
    if let debug { treatment = debug.changed(treatment) }
    treatment.transition = transition
    treatment.isSofteningShared = !isOneSided
    treatment.streamingReduction = streaming?.held(within: adjustmentLimits).microphoneReduction ?? 0
    let (delay, range) = (feedback.loopDelay, FeedbackControl.loopDelays)
    func accepted(_ time: Double) -> Double {
      time.isFinite ? min(max(time, range.lowerBound), range.upperBound) : 0
    }
    treatment.feedback.loopDelay = accepted(delay)
    treatment.feedback.isDelayMeasured = feedback.isDelayMeasured
    treatment.feedback.deviceDelay = accepted(feedback.deviceDelay ?? 0)
    // In a loop longer than its memory the canceller finds nothing of the path, and may adapt to the sound itself.
    if delay.isFinite, delay > range.upperBound {
      treatment.feedback.isCancelling = false
      treatment.feedback.wholeDelay = min(delay, FeedbackControl.wholeDelays.upperBound)
    }
    return treatment
  }

  /// Times and link that are in force.
  public var soundingDynamics: Dynamics {
    var dynamics = program?.dynamics(over: dynamics) ?? dynamics
    // The gain of an ear without a prescription stands, so a link would keep no difference, and its sound
    // take gain from the other.
    if isOneSided { dynamics.binauralLink = 0 }
    return debug?.changed(dynamics) ?? dynamics
  }

  /// An ear's prescribed curves changed by the program, and then by volume and tone.
  ///
  /// A program only takes away. Volume and tone add no more than their limits allow, to an ear without
  /// thresholds nothing, and never more than the chain accepts.
  func adjustments(of curves: [GainCurve], for ear: Ear) -> [GainLayer] {
    let wish = adjustment.held(within: adjustmentLimits)
    guard program != nil || wish != .none else { return [] }
    let rise = fittedEars.contains(ear) ? adjustmentLimits.greatestRise : 0
    var layers = [GainLayer(.program, curves), GainLayer(.volume, curves)]
    for (band, centre) in bands.centres.enumerated() {
      var curve = curves[band]
      if let program {
        curve = curve.flattened(above: referenceGain(curve, band), share: program.compressionShare)
      }
      let (least, room) = (program?.gainChange(at: centre) ?? 0, max(0, Self.room(above: curve)))
      layers[0].curves[band] = curve.shifted(by: min(least, room))
      layers[1].curves[band] = curve.shifted(
        by: min(least + wish.change(at: centre, greatestRise: rise), room))
    }
    return layers
  }

  /// Gain for loud speech: what remains as prescribed when a program takes compression out.
  private func referenceGain(_ curve: GainCurve, _ band: Int) -> Double {
    let level = bands.speechLevel(inBand: band, overall: SpeechLevel.loud.level)
    // A band without speech keeps all of its gain for loud sound.
    return curve.gain(at: level.decibels.isFinite ? level : SpeechLevel.loud.level)
  }

  /// Rise of a curve up to which the chain accepts it, dB.
  private static func room(above curve: GainCurve) -> Double {
    // Beyond what any device delivers, for the slopes at both ends.
    let ends = [-60.0, 200].map { curve.gain(at: SoundPressureLevel($0)) }
    let greatest = (curve.knots.map(\.gain) + ends).max() ?? 0
    return EarFitting.gainCeiling - greatest
  }
}
