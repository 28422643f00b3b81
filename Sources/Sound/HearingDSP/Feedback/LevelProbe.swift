import Realtime

/// Probe by level: does a loud sound at the microphone come from the earphone?
///
/// The ear's output is attenuated a little, again and again, by a code. Behind the limiter a howl cannot
/// make up for that: it comes back softer one round later, however many frequencies howl and beat, and
/// however long the round is. A sound from outside does not change. The code is the sequence of Thue and
/// Morse, which is orthogonal to a level that rises, falls or bends.
///
/// - Threads: `audio`.
struct LevelProbe: ~Copyable {
  /// Attenuation of the output, dB. Own choice: little enough for a sound that goes on, and more than three
  /// times the amount by which the level of recorded music follows the code as a rule.
  static let depth: Float = 3
  /// 10^(−3/20).
  static let factor: Float = 0.707_946
  /// Steps of the code; half of them suffice for a sound that follows closely or not at all.
  static let steps = 16
  /// Readings per step: longer than the spectrum's window, which otherwise lies over three steps.
  static let readingsPerStep = 5
  /// Readings of a step that count; none lies at its ends.
  private static let first = 1
  private static let last = 3
  /// Least that the level must follow, as a share of the depth, and least share of its changes that must be
  /// the code's, after half of the steps to go on, and after all. Own choice by trial.
  private static var follows: (half: Float, all: Float) { (0.4, 0.6) }
  private static var likeness: (half: Float, all: Float) { (0.3, 0.5) }
  /// The same that decide after half of the steps. By trial, as the others: of 300 probes of recorded music
  /// one had 0.55 and 0.86, a howl at the limit has 1 and 0.99; howls that begin or beat have less.
  private static var certain: (follows: Float, likeness: Float) { (0.8, 0.9) }

  enum Answer {
    case none
    case follows
    case stands
  }

  /// Power of each reading since the probe began.
  private var powers: Buffer
  /// Level of each step, dB.
  private var levels = Buffer(count: steps)
  private var count = 0
  private var lags = 0...0
  private let readingTime: Double
  private let windowTime: Double

  init(_ geometry: ChainGeometry, readingTime: Double) {
    self.readingTime = readingTime
    windowTime = Double(geometry.filterLength) / geometry.sampleRate
    let longest = FeedbackControl.loopDelays.upperBound + LoopProbe.innerDelay + 0.5 * windowTime
    powers = AlignedBuffer(count: Self.steps * Self.readingsPerStep + Int(longest / readingTime) + 2)
    retarget(loopDelay: 0)
  }

  /// Sets the times after which the response is expected.
  ///
  /// - Parameter loopDelay: ``FeedbackControl/loopDelay``, s; 0 when unknown.
  mutating func retarget(loopDelay: Double) {
    let (shortest, longest) = loopDelay > 0 ? (loopDelay, loopDelay) : (0.004, 0.03)
    // To the middle of the spectrum's window.
    let inner = LoopProbe.innerDelay + 0.5 * windowTime
    lags = max(0, Int((shortest + inner) / readingTime))...Int((longest + inner) / readingTime) + 1
  }

  /// The output is attenuated now.
  var isLow: Bool {
    let step = count / Self.readingsPerStep
    return step < Self.steps && step.nonzeroBitCount & 1 == 1
  }

  /// Begins a probe.
  mutating func reset() { count = 0 }

  /// Reads the next power.
  mutating func process(_ power: Float) -> Answer {
    powers[count] = power + 1e-20
    count += 1
    let half = Self.steps / 2 * Self.readingsPerStep + lags.upperBound
    let all = Self.steps * Self.readingsPerStep + lags.upperBound
    if count == half {
      if isLike(steps: Self.steps / 2, Self.certain.follows, Self.certain.likeness) { return .follows }
      return isLike(steps: Self.steps / 2, Self.follows.half, Self.likeness.half) ? .none : .stands
    }
    // Another delay may be set meanwhile, and the end have passed with it.
    guard count >= all else { return .none }
    return isLike(steps: Self.steps, Self.follows.all, Self.likeness.all) ? .follows : .stands
  }

  /// The level has followed after one of the lags.
  private mutating func isLike(steps: Int, _ follows: Float, _ likeness: Float) -> Bool {
    for lag in lags {
      var mean: Float = 0
      for step in 0..<steps {
        var sum: Float = 0
        let start = step * Self.readingsPerStep + lag
        for n in start + Self.first...start + Self.last where n < count { sum += powers[n] }
        levels[step] = Decibel.fromPower(sum + 1e-20)
        mean += levels[step] / Float(steps)
      }
      var (along, whole) = (Float(0), Float(1e-9))
      for step in 0..<steps {
        let level = levels[step] - mean
        along += step.nonzeroBitCount & 1 == 1 ? -level : level
        whole += level * level
      }
      along /= Float(steps)
      if 2 * along >= follows * Self.depth, Float(steps) * along * along >= likeness * whole { return true }
    }
    return false
  }
}
