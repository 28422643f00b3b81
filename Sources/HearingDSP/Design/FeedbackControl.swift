/// What is done against sound that comes from the earphone back to the microphone.
///
/// - Threads: `any`.
public struct FeedbackControl: Sendable, Equatable {
  /// Whether an adaptive filter takes away what comes back, which it can only where ``loopDelay`` is known.
  public var isCancelling = false
  /// Shift of everything above 1.5 kHz, Hz, which keeps harmonic sounds from being taken for feedback; 0: none.
  public var frequencyShift = 0.0
  /// Whether a howl that rises all the same is notched.
  public var isNotching = false
  /// Time between a sample leaving the chain and its first trace coming back in, s: converters, buffers,
  /// air. 0: not known, and the measured paths' own delay is taken; where there are none, nothing is cancelled.
  public var loopDelay = 0.0

  /// Range in which paths are strong and the canceller follows them in full, Hz: the flanks of vent and earphone lie
  /// outside.
  public static let cancelledFrequencies = 1500.0...6000.0
  /// Shifts accepted, Hz.
  public static let frequencyShifts = 0.0...30.0
  /// Loop delays accepted, s: the hard ceiling of the whole loop.
  public static let loopDelays = 0.0...0.05

  public init() {}

  /// The loop delay to run with: as set, else the least of the measured ones.
  func loopDelay(measured paths: [FeedbackPath]) -> Double {
    loopDelay > 0 ? loopDelay : paths.map { $0.delay }.min() ?? 0
  }

  func check() throws(ChainError) {
    guard Self.frequencyShifts.contains(frequencyShift) else {
      throw .effectOutOfRange(name: "frequency shift", found: frequencyShift, range: Self.frequencyShifts)
    }
    guard Self.loopDelays.contains(loopDelay) else {
      throw .timeOutOfRange(name: "loop delay", found: loopDelay, range: Self.loopDelays)
    }
  }
}
