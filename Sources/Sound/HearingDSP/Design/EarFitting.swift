public import Acoustics
public import Fitting

/// What one ear is to hear: its gain at each level, its limits, and what its microphone's and earphone's
/// numbers mean in dB SPL.
///
/// - Threads: `any`.
public struct EarFitting: Sendable, Equatable {
  /// Insertion gain against band input level, one curve per band.
  public var curves: [GainCurve]
  /// Greatest output of each band, dB SPL. - Shape: one per band.
  public var bandLimits: [SoundPressureLevel]
  /// Greatest output of all bands together, dB SPL: neither the level of the sound nor, for a pure tone,
  /// its peak exceeds it.
  public var outputLimit: SoundPressureLevel
  /// dB SPL at the microphone that a full-scale sine in the input stands for.
  public var inputAtFullScale: SoundPressureLevel
  /// dB SPL at the ear that a full-scale sine in the output makes, at each band's centre.
  public var outputAtFullScale: [SoundPressureLevel]
  /// Moves high sounds to where the ear still hears; nil: nothing is moved.
  public var lowering: FrequencyLowering?
  /// Sound that is added for a person with tinnitus; nil: none.
  public var tinnitusSound: TinnitusSound?
  /// The way from the earphone back into the microphone, as measured; nil: unknown.
  public var feedbackPath: FeedbackPath?

  public init(
    curves: [GainCurve], bandLimits: [SoundPressureLevel], outputLimit: SoundPressureLevel,
    inputAtFullScale: SoundPressureLevel, outputAtFullScale: [SoundPressureLevel],
    lowering: FrequencyLowering? = nil,
    tinnitusSound: TinnitusSound? = nil, feedbackPath: FeedbackPath? = nil
  ) {
    self.curves = curves
    self.bandLimits = bandLimits
    self.outputLimit = outputLimit
    self.inputAtFullScale = inputAtFullScale
    self.outputAtFullScale = outputAtFullScale
    self.lowering = lowering
    self.tinnitusSound = tinnitusSound
    self.feedbackPath = feedbackPath
  }
}
