import Realtime

/// Lowers an ear that goes on howling: the very last resort, where the notch did not find the howl or was not enough, as in
/// long loops, or where many frequencies howl and beat.
///
/// What stays near the limit, or stands as one loud tone, is asked by a ``LevelProbe``; what follows its code is lowered by 6 dB
/// behind the limiter, by as much again while it goes on, and given back slowly. What comes again soon stays lowered for longer.
///
/// - Threads: built on `control`, run on `audio`.
struct HowlRelief: ~Copyable {
  /// Time for which a sound must be suspect before it is asked, s, and before it is asked once more after it was lowered.
  static let patience = 0.3
  static let nextPatience = 0.06
  /// Output level from which every sound is suspect, power relative to the limit's: −8 dB. Several howls share the limit and stand
  /// 2 to 5 dB below it.
  static let nearLimit: Float = 0.158_489
  /// The same for one tone that stands, as a howl does that compression holds: −25 dB; and for how long it must stand, s. Own
  /// choice: softer and shorter ones are left to the notch and the canceller, for a note in a loop that is near its
  /// edge, and stable, follows the question too.
  static let loudTone: Float = 0.003_162
  static let standing = 1.0
  /// Time after which a sound from outside is asked again at first, s, the longest that this grows to, and the time without
  /// anything suspect after which it is short again.
  static let rest = 1.0
  static let longestRest = 16.0
  static let forgetting = 5.0
  /// What a howl is lowered by each time, −6 dB, and at most, −24 dB.
  static let step: Float = 0.501_187
  static let most: Float = 0.063_096
  /// Time for which it stays lowered at first, s, and at most, where it comes again.
  static let hold = 1.0
  static let longestHold = 16.0
  /// Pace at which it is given back, dB/s.
  static let recovery = 6.0
  /// Time in which the factor moves by 1, s: a step of the probe's takes a third of that.
  static let fadeTime = 0.02

  private var probe: LevelProbe
  private(set) var isAsking = false
  private var run = 0
  private var calm = 0
  private var rest: Int
  private var waiting = 0
  private var held = 0
  private var hold: Int
  private var sinceRelief = 0
  /// Factor that is to last, 1 and below.
  private(set) var lasting: Float = 1
  /// Factor in force, questions included.
  private(set) var factor: Float = 1
  private let fadeStep: Float
  private let recoveryFactor: Float
  private let patience: Int
  private let nextPatience: Int
  private let standing: Int
  private let shortestRest: Int
  private let longestRest: Int
  private let forgetting: Int
  private let shortestHold: Int
  private let longestHold: Int

  init(_ geometry: ChainGeometry, readingTime: Double) {
    probe = LevelProbe(geometry, readingTime: readingTime)
    patience = Int(Self.patience / readingTime)
    nextPatience = Int(Self.nextPatience / readingTime)
    standing = Int(Self.standing / readingTime)
    shortestRest = Int(Self.rest / readingTime)
    longestRest = Int(Self.longestRest / readingTime)
    forgetting = Int(Self.forgetting / readingTime)
    shortestHold = Int(Self.hold / readingTime)
    longestHold = Int(Self.longestHold / readingTime)
    (rest, hold) = (shortestRest, shortestHold)
    fadeStep = Float(1 / (Self.fadeTime * geometry.sampleRate))
    // 1 dB is a factor of 1.122; for small steps its logarithm is proportional.
    recoveryFactor = Float(1 + 0.115_129_254_6 * Self.recovery * readingTime)
  }

  /// Whether it lowers anything, or soon may.
  var isActive: Bool { isAsking || lasting < 1 || factor < 1 }
  var isSuspicious: Bool { run > 0 || isAsking }

  mutating func aim(loopDelay: Double) { probe.aim(loopDelay: loopDelay) }

  /// Looks at a reading.
  ///
  /// - Parameters:
  ///   - power: Of all that may howl, at the microphone.
  ///   - stood: Readings for which one tone has stood.
  ///   - output: Power of what goes out, relative to the limit's.
  ///   - isFree: Whether nobody else asks.
  /// - Returns: Whether a howl was found.
  mutating func read(power: Float, stood: Int, output: Float, isFree: Bool) -> Bool {
    recover()
    let isSuspect = output > Self.nearLimit || (stood >= standing && output > Self.loudTone)
    run = isSuspect ? min(run + 1, 4 * patience) : max(0, run - 2)
    calm = isSuspect ? 0 : calm + 1
    if calm >= forgetting { rest = shortestRest }
    waiting = max(0, waiting - 1)
    guard isAsking else {
      if isFree, waiting == 0, run >= (lasting < 1 ? nextPatience : patience) {
        isAsking = true
        probe.begin()
      }
      return false
    }
    switch probe.hear(power) {
    case .none: return false
    case .stands:
      isAsking = false
      waiting = rest
      rest = min(2 * rest, longestRest)
      return false
    case .follows:
      isAsking = false
      lower()
      return true
    }
  }

  private mutating func lower() {
    if lasting == 1 { hold = sinceRelief < 2 * hold ? min(2 * hold, longestHold) : shortestHold }
    lasting = max(Self.most, lasting * Self.step)
    held = hold
    run = 0
    rest = shortestRest
  }

  private mutating func recover() {
    sinceRelief = lasting < 1 ? 0 : min(sinceRelief + 1, 4 * longestHold)
    held = max(0, held - 1)
    if held == 0 { lasting = min(1, lasting * recoveryFactor) }
  }

  /// Ends everything.
  mutating func letGo() {
    (isAsking, run, lasting, held) = (false, 0, 1, 0)
  }

  /// Moves the factor that the output is lowered by, behind the limiter, by one hop.
  mutating func advance(frames: Int) -> OutputRequest.Factor {
    let target = isAsking && probe.isLow ? lasting * LevelProbe.factor : lasting
    let most = fadeStep * Float(frames)
    let next = factor < target ? min(target, factor + most) : max(target, factor - most)
    let lowering = OutputRequest.Factor(from: factor, to: next)
    factor = next
    return lowering
  }
}
