import Realtime

/// Attenuation of an ear that goes on howling: the very last resort, where the notch did not find the howl
/// or was not enough, as in long loops, or where many frequencies howl and beat.
///
/// A sound that stays near the limit, or stands as one loud tone, is probed by a ``LevelProbe``; one that
/// follows its code is attenuated by 6 dB behind the limiter, by as much again while it goes on, and
/// released slowly. A howl that comes back soon stays attenuated for longer.
///
/// - Threads: built on `control`, run on `audio`.
struct HowlRelief: ~Copyable {
  /// Time for which a sound must be suspect before it is probed, s, and before it is probed again after an
  /// attenuation.
  static let patience = 0.3
  static let nextPatience = 0.06
  /// Output level from which every sound is suspect, power relative to the limit's: −8 dB. Several howls
  /// share the limit and stand 2 to 5 dB below it.
  static let nearLimit: Float = 0.158_489
  /// The same for one tone that stands, as a howl does that compression holds: −25 dB; and for how long it
  /// must stand, s. Own choice: softer and shorter ones are left to the notch and the canceller, for a note
  /// in a stable loop near its edge follows the probe too.
  static let loudTone: Float = 0.003_162
  static let standing = 1.0
  /// Time after which a sound from outside is probed again at first, s, the longest that it grows to, and
  /// the time without a suspect sound after which it is short again.
  static let rest = 1.0
  static let longestRest = 16.0
  static let recoveryOfRest = 5.0
  /// Attenuation of a howl each time, −6 dB, and at most, −24 dB.
  static let step: Float = 0.501_187
  static let most: Float = 0.063_096
  /// Time for which the attenuation lasts at first, s, and at most, for a howl that comes back.
  static let hold = 1.0
  static let longestHold = 16.0
  /// Speed of the release, dB/s.
  static let recovery = 6.0
  /// Time in which the factor moves by 1, s: a step of the probe's takes a third of that.
  static let fadeTime = 0.02

  private var probe: LevelProbe
  private(set) var isProbing = false
  private var run = 0
  private var calm = 0
  private var rest: Int
  private var waiting = 0
  private var held = 0
  private var hold: Int
  private var sinceRelief = 0
  /// Lasting factor, 1 and below.
  private(set) var lasting: Float = 1
  /// Factor in force, probes included.
  private(set) var factor: Float = 1
  private let fadeStep: Float
  private let recoveryFactor: Float
  private let readingTime: Double

  init(_ geometry: ChainGeometry, readingTime: Double) {
    probe = LevelProbe(geometry, readingTime: readingTime)
    self.readingTime = readingTime
    rest = Int(Self.rest / readingTime)
    hold = Int(Self.hold / readingTime)
    fadeStep = Float(1 / (Self.fadeTime * geometry.sampleRate))
    // 1 dB is a factor of 1.122; for small steps its logarithm is proportional.
    recoveryFactor = Float(1 + 0.115_129_254_6 * Self.recovery * readingTime)
  }

  /// Readings within a time, s.
  private func readings(_ time: Double) -> Int { Int(time / readingTime) }

  /// Attenuates or probes.
  var isActive: Bool { isProbing || lasting < 1 || factor < 1 }
  var isSuspicious: Bool { run > 0 || isProbing }

  mutating func retarget(loopDelay: Double) { probe.retarget(loopDelay: loopDelay) }

  /// Reads a spectrum's figures.
  ///
  /// - Parameters:
  ///   - power: Of all that may howl, at the microphone.
  ///   - stood: Readings for which one tone has lasted.
  ///   - output: Power of the output, relative to the limit's.
  ///   - isFree: No other probe is under way.
  /// - Returns: True when a howl was found.
  mutating func process(power: Float, stood: Int, output: Float, isFree: Bool) -> Bool {
    recover()
    let isSuspect = output > Self.nearLimit || (stood >= readings(Self.standing) && output > Self.loudTone)
    run = isSuspect ? min(run + 1, 4 * readings(Self.patience)) : max(0, run - 2)
    calm = isSuspect ? 0 : calm + 1
    if calm >= readings(Self.recoveryOfRest) { rest = readings(Self.rest) }
    waiting = max(0, waiting - 1)
    guard isProbing else {
      if isFree, waiting == 0, run >= readings(lasting < 1 ? Self.nextPatience : Self.patience) {
        isProbing = true
        probe.reset()
      }
      return false
    }
    switch probe.process(power) {
    case .none: return false
    case .stands:
      isProbing = false
      waiting = rest
      rest = min(2 * rest, readings(Self.longestRest))
      return false
    case .follows:
      isProbing = false
      lower()
      return true
    }
  }

  private mutating func lower() {
    if lasting == 1 {
      hold = sinceRelief < 2 * hold ? min(2 * hold, readings(Self.longestHold)) : readings(Self.hold)
    }
    lasting = max(Self.most, lasting * Self.step)
    held = hold
    run = 0
    rest = readings(Self.rest)
  }

  private mutating func recover() {
    sinceRelief = lasting < 1 ? 0 : min(sinceRelief + 1, 4 * readings(Self.longestHold))
    held = max(0, held - 1)
    if held == 0 { lasting = min(1, lasting * recoveryFactor) }
  }

  /// Ends probe and attenuation.
  mutating func reset() { (isProbing, run, lasting, held) = (false, 0, 1, 0) }

  /// Moves the factor on the output, behind the limiter, by one hop.
  mutating func process(frames: Int) -> OutputRequest.Factor {
    let target = isProbing && probe.isLow ? lasting * LevelProbe.factor : lasting
    let most = fadeStep * Float(frames)
    let next = factor < target ? min(target, factor + most) : max(target, factor - most)
    let lowering = OutputRequest.Factor(from: factor, to: next)
    factor = next
    return lowering
  }
}
