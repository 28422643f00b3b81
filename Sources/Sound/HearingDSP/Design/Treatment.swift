/// What is done to the sound of both ears besides the prescribed gain: what a program turns on and how far.
///
/// Every number is a greatest effect; 0 turns a thing off.
///
/// - Threads: `any`.
public struct Treatment: Sendable, Equatable {
  /// Most that noise reduction takes from a band, dB.
  public var noiseReduction = 0.0
  /// Most by which a sudden sound, cutlery or a door, is softened, dB.
  public var impulseSoftening = 0.0
  /// Most that is taken from low bands while wind blows over the microphone, dB.
  public var windReduction = 0.0
  /// Most that is taken from bands in which there is nothing but the microphone's own noise, dB.
  public var expansion = 0.0
  /// The microphone's own noise, dB(A) SPL, to which ``expansion`` refers: 94 dB SPL less the signal-to-noise
  /// ratio of its data sheet. Usual ones of silicon state 64 dB(A) (Knowles SPH0645LM4H: 65, from memory).
  public var microphoneNoise = 30.0
  /// What is done about acoustic feedback.
  public var feedback = FeedbackControl()
  /// Time of the way from the setting before to this one, s: slow enough not to click, quick enough to
  /// compare by ear.
  public var transition = 0.1

  /// Greatest effects accepted, dB.
  public static let effects = 0.0...20.0
  /// Microphones' own noises accepted, dB(A) SPL: from the best of laboratories to a telephone's.
  public static let microphoneNoises = 0.0...50.0
  /// Transitions accepted, s.
  public static let transitions = 0.02...30.0

  /// The prescribed gain and nothing else.
  public static let plain = Treatment()

  public init() {}

  /// Refuses what the chain cannot do.
  func check() throws(ChainError) {
    let effects = [
      ("noise reduction", noiseReduction), ("impulse softening", impulseSoftening),
      ("wind reduction", windReduction), ("expansion", expansion),
    ]
    for (name, effect) in effects where !Self.effects.contains(effect) {
      throw .effectOutOfRange(name: name, found: effect, range: Self.effects)
    }
    guard Self.microphoneNoises.contains(microphoneNoise) else {
      throw .levelOutOfRange(
        name: "microphone noise", found: microphoneNoise, range: Self.microphoneNoises)
    }
    guard Self.transitions.contains(transition) else {
      throw .timeOutOfRange(name: "transition", found: transition, range: Self.transitions)
    }
    try feedback.check()
  }
}
