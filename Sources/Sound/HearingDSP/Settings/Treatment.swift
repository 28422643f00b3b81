/// Processing of both ears besides the prescribed gain, as a program chooses it.
///
/// Every number is a greatest effect. The default of each effect is 0, which turns it off.
///
/// - Threads: `any`.
public struct Treatment: Sendable, Equatable {
  /// Greatest attenuation of a band by noise reduction, dB.
  public var noiseReduction = 0.0
  /// Greatest attenuation of a sudden sound, cutlery or a door, dB.
  public var impulseSoftening = 0.0
  /// Greatest attenuation of low bands while wind blows over the microphone, dB.
  public var windReduction = 0.0
  /// Greatest attenuation of bands that hold nothing but the microphone's own noise, dB.
  public var expansion = 0.0
  /// The microphone's own noise, dB(A) SPL, to which ``expansion`` refers: 94 dB SPL less the
  /// signal-to-noise ratio of its data sheet. Default 30; usual silicon microphones state 64 dB(A) (Knowles
  /// SPH0645LM4H: 65, from memory).
  public var microphoneNoise = 30.0
  /// Measures against acoustic feedback. Default: none.
  public var feedback = FeedbackControl()
  /// Time of the transition from the setting before to this one, s. Default 0.1: slow enough not to click,
  /// quick enough to compare by ear.
  public var transition = 0.1

  /// Greatest effects accepted, dB.
  public static let effects = 0.0...20.0
  /// Microphones' own noises accepted, dB(A) SPL: from the best of laboratories to a telephone's.
  public static let microphoneNoises = 0.0...50.0
  /// Transitions accepted, s.
  public static let transitions = 0.02...30.0

  /// Prescribed gain and nothing else.
  public static let plain = Treatment()

  public init() {}

  /// Refuses effects, levels and times that the chain cannot produce.
  func check() throws(ChainError) {
    try ChainError.check(effect: noiseReduction, "noise reduction", in: Self.effects)
    try ChainError.check(effect: impulseSoftening, "impulse softening", in: Self.effects)
    try ChainError.check(effect: windReduction, "wind reduction", in: Self.effects)
    try ChainError.check(effect: expansion, "expansion", in: Self.effects)
    try ChainError.check(level: microphoneNoise, "microphone noise", in: Self.microphoneNoises)
    try ChainError.check(time: transition, "transition", in: Self.transitions)
    try feedback.check()
  }
}

/// Measures against sound that comes from the earphone back to the microphone.
///
/// - Threads: `any`.
public struct FeedbackControl: Sendable, Equatable {
  /// Turns the adaptive canceller on, which works only where ``loopDelay`` is known. Default: off.
  public var isCancelling = false
  /// Shift of everything above 1.5 kHz, Hz, which keeps harmonic sounds from being taken for feedback.
  /// Default 0: none.
  public var frequencyShift = 0.0
  /// Turns on the notch for a howl that rises all the same. Default: off.
  public var isNotching = false
  /// Time between a sample leaving the chain and its first trace coming back in, s: converters, buffers,
  /// air. Default 0, unknown: the measured paths' own delay is taken, and without measured paths nothing is
  /// cancelled.
  public var loopDelay = 0.0

  /// Range in which paths are strong and the canceller follows them in full, Hz: the flanks of vent and
  /// earphone lie outside.
  public static let cancelledFrequencies = 1500.0...6000.0
  /// Shifts accepted, Hz.
  public static let frequencyShifts = 0.0...30.0
  /// Loop delays accepted, s: the hard ceiling of the whole loop.
  public static let loopDelays = 0.0...0.05

  public init() {}

  /// Loop delay in force, s: as set, otherwise the least of the measured ones.
  func loopDelay(measured paths: [FeedbackPath]) -> Double {
    loopDelay > 0 ? loopDelay : paths.map { $0.delay }.min() ?? 0
  }

  /// Refuses shifts and delays that the chain cannot produce.
  func check() throws(ChainError) {
    try ChainError.check(effect: frequencyShift, "frequency shift", in: Self.frequencyShifts)
    try ChainError.check(time: loopDelay, "loop delay", in: Self.loopDelays)
  }
}
