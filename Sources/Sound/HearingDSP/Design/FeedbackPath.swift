import Glibc

/// One ear's way from the earphone back into the microphone, as measured at a fitting: an impulse response.
///
/// It holds for that day's earpiece in that day's ear. The canceller begins with it and returns to it, and learns what
/// is different.
///
/// - Threads: `any`.
public struct FeedbackPath: Sendable, Equatable {
  /// Of ``response``, Hz; one of ``ChainGeometry/sampleRates``. Another one than the chain's is converted.
  public var sampleRate: Double
  /// Time between a sample leaving the chain and the first tap coming back in, s: converters, buffers, air.
  public var delay: Double
  /// Taps behind the delay, linear: digital full scale out to digital full scale in. What is longer than the canceller's
  /// taps is cut off.
  public var response: [Double]

  /// Greatest gain of a path that is believed, dB: ten times full reflection at equal calibrations.
  public static let gains = -200.0...20.0
  /// Longest response accepted, s.
  public static let longest = 0.1

  public init(sampleRate: Double, delay: Double, response: [Double]) {
    self.sampleRate = sampleRate
    self.delay = delay
    self.response = response
  }

  /// Response at a frequency, the delay not counted.
  ///
  /// - Parameter frequency: Hz.
  /// - Returns: Real and imaginary part, linear.
  /// - Complexity: O(taps).
  public func value(at frequency: Double) -> (re: Double, im: Double) {
    let omega = 2 * .pi * frequency / sampleRate
    var (re, im) = (0.0, 0.0)
    for (n, x) in response.enumerated() {
      re += x * cos(omega * Double(n))
      im -= x * sin(omega * Double(n))
    }
    return (re, im)
  }

  /// Refuses what cannot have been measured.
  ///
  /// - Throws: ``ChainError`` with rate, delay, length or power.
  public func check() throws(ChainError) {
    guard ChainGeometry.sampleRates.contains(sampleRate) else { throw .unsupportedSampleRate(sampleRate) }
    guard FeedbackControl.loopDelays.contains(delay) else {
      throw .timeOutOfRange(
        name: "feedback path's delay", found: delay, range: FeedbackControl.loopDelays)
    }
    let length = Double(response.count) / sampleRate
    guard length <= Self.longest else {
      throw .timeOutOfRange(name: "feedback path's length", found: length, range: 0...Self.longest)
    }
    // The energy bounds the mean of |F|² over frequency.
    let energy = response.reduce(0) { $0 + $1 * $1 }
    guard energy.isFinite, 10 * log10(energy + 1e-20) <= Self.gains.upperBound else {
      throw .effectOutOfRange(name: "feedback path", found: 10 * log10(energy), range: Self.gains)
    }
  }
}

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
