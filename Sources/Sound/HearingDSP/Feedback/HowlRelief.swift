import Realtime

/// Attenuation of an ear that goes on howling: the very last resort, where the notch did not find the howl
/// or was not enough, as in long loops, or where many frequencies howl and beat.
///
/// A sound that stays near the limit, or stands as one loud tone, is probed by a ``LevelProbe``; one that
/// follows its code is attenuated by 6 dB behind the limiter, by as much again while it goes on, and
/// released slowly. A howl that comes back soon stays attenuated for longer.
///
/// Streamed sound and a tinnitus sound are added behind the microphones' chain and follow the code wherever
/// they leak into the microphone, howl or not. So nothing is suspected while the microphones' own sound is
/// not most of what the ear gets (``ownShare``): a howl beside them is found once it is the greater part.
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
  /// the time without a suspect sound after which it is short again and what is left of it is over.
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
  /// Least share of the microphones' sound in the power before the limiter with which a sound is suspected:
  /// a howl 6 dB above what is added. Where nothing comes in from outside, the share is the power gain round
  /// the loop, so that with 0.8 the loop is within 1 dB of its edge. Own choice.
  static let ownShare: Float = 0.8
  /// The same with which a probe goes on: the code takes 3 dB from a howl and nothing from what is added.
  static let ownShareOfProbe: Float = 0.5
  /// Time constant of that share, s: longer than a step of the code.
  static let shareTime = 0.05

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
  /// Mean squares before the limiter: of the microphones' sound, and of all.
  private var ownPower: Float = 0
  private var wholePower: Float = 0
  private let powerShare: Float
  private let fadeStep: Float
  private let recoveryFactor: Float
  private let readingTime: Double

  init(_ geometry: ChainGeometry, readingTime: Double) {
    probe = LevelProbe(geometry, readingTime: readingTime)
    self.readingTime = readingTime
    rest = Int(Self.rest / readingTime)
    hold = Int(Self.hold / readingTime)
    fadeStep = Float(1 / (Self.fadeTime * geometry.sampleRate))
    powerShare = geometry.share(Self.shareTime)
    // 1 dB is a factor of 1.122; for small steps its logarithm is proportional.
    recoveryFactor = Float(1 + 0.115_129_254_6 * Self.recovery * readingTime)
  }

  /// Readings within a time, s.
  private func readings(_ time: Double) -> Int { Int(time / readingTime) }

  /// Attenuates or probes.
  var isActive: Bool { isProbing || lasting < 1 || factor < 1 }
  var isSuspicious: Bool { run > 0 || isProbing }

  /// Moves to another loop delay.
  mutating func retarget(to control: FeedbackControl) { probe.retarget(to: control) }

  /// Reads a spectrum's figures.
  ///
  /// - Parameters:
  ///   - power: Of all that may howl, at the microphone.
  ///   - stood: Readings for which one tone has lasted.
  ///   - output: Power of the output, relative to the limit's; nil while the ramp lets next to nothing through.
  ///   - isFree: No other probe is under way.
  /// - Returns: True when a howl was found.
  mutating func process(power: Float, stood: Int, output: Float?, isFree: Bool) -> Bool {
    recover()
    let level = output ?? 0
    let isLoud = level > Self.nearLimit || (stood >= readings(Self.standing) && level > Self.loudTone)
    let isSuspect = isLoud && isOwn(Self.ownShare)
    run = isSuspect ? min(run + 1, 4 * readings(Self.patience)) : max(0, run - 2)
    calm = isLoud ? 0 : calm + 1
    waiting = max(0, waiting - 1)
    if calm >= readings(Self.recoveryOfRest) { (rest, waiting) = (readings(Self.rest), 0) }
    guard output != nil else {
      // A question to silence has no answer.
      (isProbing, run) = (false, 0)
      return false
    }
    guard isProbing else {
      if isFree, waiting == 0, run >= readings(lasting < 1 ? Self.nextPatience : Self.patience) {
        isProbing = true
        // Near the limit several howls may beat, and a level that is not steady needs the greater depth.
        probe.reset(depth: level > Self.nearLimit ? LevelProbe.depth : LevelProbe.gentleDepth)
      }
      return false
    }
    guard isOwn(Self.ownShareOfProbe) else {
      // The answer would be that of the added sound.
      (isProbing, run) = (false, 0)
      restLonger()
      return false
    }
    guard let follows = probe.process(power) else { return false }
    isProbing = false
    if follows {
      lower()
    } else {
      restLonger()
    }
    return follows
  }

  /// After a question that found no howl: the next one comes the later the oftener it was asked.
  private mutating func restLonger() {
    waiting = rest
    rest = min(2 * rest, readings(Self.longestRest))
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

  /// The microphones' sound has at least a share of the power before the limiter.
  private func isOwn(_ share: Float) -> Bool { ownPower >= share * wholePower }

  /// Takes in a hop before the limiter.
  ///
  /// - Parameters:
  ///   - own: Mean square of the microphones' sound; nil when nothing was added to it.
  ///   - whole: Mean square of all, finite.
  mutating func processPowers(own: Float?, whole: Float) {
    wholePower += powerShare * (whole - wholePower)
    ownPower += powerShare * ((own ?? whole) - ownPower)
  }

  /// Ends probe and attenuation.
  mutating func reset() { (isProbing, run, lasting, held) = (false, 0, 1, 0) }

  /// Moves the factor on the output, behind the limiter, by one hop.
  mutating func process(frames: Int) -> OutputRequest.Factor {
    let target = isProbing && probe.isLow ? lasting * probe.factor : lasting
    let most = fadeStep * Float(frames)
    let next = factor < target ? min(target, factor + most) : max(target, factor - most)
    defer { factor = next }
    return OutputRequest.Factor(from: factor, to: next)
  }
}

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
  /// The same for one tone that stands: hardly heard. The least step in level that listeners tell in a tone of 80 dB SL is
  /// 0.5 to 1 dB (Jesteadt, Wier and Green 1977, J. Acoust. Soc. Am. 61, 169: about 0.5 dB there, from memory).
  static let gentleDepth: Float = 1
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
  /// Loops considered when the delay is unknown, s.
  private static var loops: ClosedRange<Double> { 0.004...0.03 }
  /// Time by which a loop is longer, at most, than devices tell that nobody has measured, s. Own choice: a
  /// sound server's or a plugin's buffer beside a card's.
  static let untoldDelay = 0.03

  /// Power of each reading since the probe began.
  private var powers: Buffer
  /// Level of each step, dB.
  private var levels = Buffer(count: steps)
  private var count = 0
  private var depth = Self.depth
  /// Factor on the output while it is attenuated.
  private(set) var factor: Float = 1
  private var lags = 0...0
  private let readingTime: Double
  private let windowTime: Double

  init(_ geometry: ChainGeometry, readingTime: Double) {
    self.readingTime = readingTime
    windowTime = Double(geometry.filterLength) / geometry.sampleRate
    let longest =
      FeedbackControl.wholeDelays.upperBound + Self.untoldDelay + LoopProbe.innerDelay + 0.5 * windowTime
    powers = AlignedBuffer(count: Self.steps * Self.readingsPerStep + Int(longest / readingTime) + 2)
    retarget(to: FeedbackControl())
  }

  /// Sets the times after which the response is expected.
  mutating func retarget(to control: FeedbackControl) {
    let delay = max(control.loopDelay, control.wholeDelay)
    let isKnown = delay > 0
    let shortest = isKnown ? delay : Self.loops.lowerBound
    let untold = control.isDelayMeasured ? 0 : Self.untoldDelay
    let longest = isKnown ? delay + untold : Self.loops.upperBound
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
  ///
  /// - Parameter depth: Attenuation, dB.
  mutating func reset(depth: Float) {
    count = 0
    self.depth = depth
    factor = Decibel.toPower(-0.5 * depth)
  }

  /// Reads the next power.
  ///
  /// - Returns: True for a level that follows, false for one that stands; nil before the end of the probe.
  mutating func process(_ power: Float) -> Bool? {
    powers[count] = power + 1e-20
    count += 1
    let half = Self.steps / 2 * Self.readingsPerStep + lags.upperBound
    let all = Self.steps * Self.readingsPerStep + lags.upperBound
    if count == half {
      if isLike(steps: Self.steps / 2, Self.certain.follows, Self.certain.likeness) { return true }
      return isLike(steps: Self.steps / 2, Self.follows.half, Self.likeness.half) ? nil : false
    }
    // Another delay may be set meanwhile, and the end have passed with it.
    return count >= all ? isLike(steps: Self.steps, Self.follows.all, Self.likeness.all) : nil
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
      if 2 * along >= follows * depth, Float(steps) * along * along >= likeness * whole { return true }
    }
    return false
  }
}
