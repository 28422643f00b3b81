import Realtime

/// Distinguishes a howl from a tone of the surroundings and notches it: the last resort, when the canceller
/// did not keep the loop stable.
///
/// A howl grows until a limit holds it and then stands, so only a narrow peak that dominates while the
/// output is loud, and that never falls meanwhile as a struck note does, is suspected. Then a ``LoopProbe``
/// turns the phase. A tone that follows is notched; any other one is left alone until it ends or grows, or
/// for a time that doubles. A sound that stays loud all the same is left to ``HowlRelief``.
///
/// - Threads: built on `control`, run on `audio`.
struct HowlGuard: ~Copyable {
  /// Lowest frequency of a howl, Hz: below, hearing aids have neither the gain nor the path.
  static let lowest = 600.0
  /// Time between two readings, s: a quarter of the spectrum's window and a little.
  static let readingTime = 0.0058
  /// Readings for which a peak must last before it is probed.
  static let readingsBefore = 5
  /// Most that a peak may fall from one reading to the next, power: 0.5 dB in 5.8 ms. Own choice: a note
  /// that dies away within 0.7 s falls faster; slower decays are left to the probe.
  static let standing: Float = 0.5
  /// Bins by which a peak may move and count as the same: two howls of a loop may beat, and are turned
  /// together.
  private static var reach: Int { 2 }
  /// Least share of a howl in all power.
  static let dominance: Float = 0.5
  /// Least output level of a howl, power relative to the limit's: −35 dB. Own choice: behind compression a
  /// howl stands where the gain has fallen to the path's loss, 18 to 35 dB below a limit of 110 dB SPL for
  /// N4; softer ones disturb little, and the canceller has time.
  static let loudness: Float = 0.000_316
  /// Time for which a howl is notched, s: enough for the canceller to learn the path anew.
  static let notchTime = 1.0
  /// Time after which a tone from outside is probed again at first, s, and the longest that it grows to.
  static let rest = 0.1
  static let longestRest = 16.0
  /// Time in which the notch opens and closes, s.
  static let fadeTime = 0.004

  private enum State {
    case watching, probing
    /// The peak is a tone from outside.
    case cleared
  }

  /// Howls notched or attenuated since the chain began.
  private(set) var howls: Int64 = 0
  /// Frequency of the last one, Hz.
  private(set) var frequency: Float = 0
  /// Certainty that the sound is a steady tone with few harmonics.
  var tone: ToneCertainty { tones.certainty }
  /// A probe by phase or level is under way.
  var isProbing: Bool { state == .probing || relief.isProbing }
  /// A probe is under way, or may be soon.
  var isSuspicious: Bool { run > 0 || state == .probing || relief.isSuspicious }
  /// A notch, a probe or an attenuation is under way.
  var isActive: Bool { sections.isActive || relief.isActive }
  /// Attenuation of the whole ear.
  var relief: HowlRelief
  private var tones = ToneWatch()
  var sections: HowlSections
  private var probe: LoopProbe
  private var state = State.watching
  private var bin = 0
  private var probedPosition: Float = 0
  /// Bin of the notch, and readings left to it.
  private var notchedBin = 0
  private var notchedReadings = 0
  private var run = 0
  private var clearedBin = 0
  private var gone = 0
  private var probedPower: Float = 0
  private var peakPower: Float = 0
  private var readings = 0
  private var rest: Int
  private let readingTime: Double
  private let binWidth: Float
  private let turnPerBin: Float
  let lowestBin: Int

  /// - Parameters:
  ///   - readingTime: Time between two readings, s.
  ///   - former: Figures of a former chain, whose counts go on.
  init(
    _ geometry: ChainGeometry, readingTime: Double, after former: FeedbackStage.Meters = .init()
  ) {
    (howls, frequency) = (former.howls, former.howlFrequency)
    let width = geometry.sampleRate / Double(geometry.filterLength)
    binWidth = Float(width)
    turnPerBin = Float(2 / Double(geometry.filterLength))
    lowestBin = Int((Self.lowest / width).rounded(.up))
    sections = HowlSections(step: Float(1 / (Self.fadeTime * geometry.sampleRate)))
    self.readingTime = readingTime
    rest = Int(Self.rest / readingTime)
    probe = LoopProbe(geometry, readingTime: readingTime)
    relief = HowlRelief(geometry, readingTime: readingTime)
  }

  /// Moves to another loop delay.
  mutating func retarget(to control: FeedbackControl) {
    probe.retarget(to: control)
    relief.retarget(to: control)
  }

  /// Reads a spectrum of the input.
  ///
  /// - Parameters:
  ///   - powers: Power per bin; overwritten.
  ///   - isInput: They are of the sound before the canceller and whatever follows it.
  ///   - level: Power of all that may howl, before the canceller; nil when it is the sum of `powers`.
  ///   - output: Power of the output, relative to the limit's, before the ramp.
  ///   - isPlayed: The ramp lets so much of it through that a howl can be asked by its level.
  ///   - isNotching: Howls are notched.
  /// - Returns: True when a howl was found and is notched.
  mutating func process(
    _ powers: inout Buffer, isInput: Bool, level: Float?, output: Float, isPlayed: Bool, isNotching: Bool
  ) -> Bool {
    var low: Float = 0
    for k in 1..<lowestBin { low += powers[k] }
    let lowPeak = ToneReading.low(powers, count: lowestBin)
    let reading = ToneReading(&powers, lowest: lowestBin, count: powers.count)
    tones.process(reading, low: low, lowPeak: lowPeak)
    guard isNotching else {
      if isActive { stop() }
      return false
    }
    let high = reading.power / max(reading.share, 1e-6)
    let all = high + low + 1e-20
    let played = isPlayed ? output : nil
    if relief.process(power: level ?? high, stood: run, output: played, isFree: state != .probing) {
      frequency = reading.position * binWidth
      howls += 1
    }
    return watch(
      reading, isInput: isInput, isDominant: reading.power > Self.dominance * all,
      isLoud: output > Self.loudness)
  }

  private mutating func watch(
    _ reading: ToneReading, isInput: Bool, isDominant: Bool, isLoud: Bool
  ) -> Bool {
    let isThere = isDominant && reading.power > 1e-10 && abs(reading.bin - bin) <= Self.reach
    let stands = isThere && isLoud
    run = stands && reading.power > Self.standing * peakPower ? run + 1 : 0
    peakPower = reading.power
    if state != .probing { probe.processIdle(reading) }
    if run == 0, state != .probing { bin = reading.bin }
    readings += 1
    // The notch fades out when its time is over.
    if notchedReadings == 1 { sections.resetNotch() }
    notchedReadings = max(0, notchedReadings - 1)
    switch state {
    case .watching:
      // A notched howl is still fading.
      let isNew = notchedReadings == 0 || abs(bin - notchedBin) > Self.reach
      if !relief.isProbing, run >= Self.readingsBefore, isNew { beginProbe(reading) }
    case .probing: return processProbe(reading, isInput: isInput, isThere: isThere)
    case .cleared:
      gone = stands && abs(reading.bin - clearedBin) <= Self.reach ? 0 : gone + 1
      if gone >= Self.readingsBefore {
        rest = Int(Self.rest / readingTime)
        state = .watching
      } else if reading.power > 4 * probedPower || readings >= rest {
        rest = min(2 * rest, Int(Self.longestRest / readingTime))
        state = .watching
      }
    }
    return false
  }

  private mutating func beginProbe(_ reading: ToneReading) {
    probedPower = reading.power
    probedPosition = reading.position
    bin = reading.bin
    probe.reset()
    state = .probing
    turn()
  }

  private mutating func processProbe(_ reading: ToneReading, isInput: Bool, isThere: Bool) -> Bool {
    guard isThere, reading.power > 0.25 * probedPower else {
      sections.resetTurn()
      run = 0
      if isInput, probe.isBeginning, abs(reading.bin - bin) > Self.reach {
        // Frequency lowering sends it out at another frequency than it came in, so it is no howl, unless it
        // moved in this moment: then it is gone at the next reading.
        clear(bin, gone: Self.readingsBefore - 1)
      } else {
        // It ended by itself.
        state = .watching
      }
      return false
    }
    switch probe.process(reading) {
    case .none: return false
    case .followed: turn()
    case .howl: return notch()
    case .tone:
      sections.resetTurn()
      clear(reading.bin, gone: 0)
    }
    return false
  }

  /// Leaves a tone alone, which has been gone for some readings.
  private mutating func clear(_ bin: Int, gone: Int) {
    clearedBin = bin
    readings = 0
    self.gone = gone
    state = .cleared
  }

  private mutating func turn() {
    sections.retargetTurn(at: turnPerBin * probedPosition, by: probe.angle, speed: probe.speed)
  }

  private mutating func notch() -> Bool {
    sections.retargetNotch(at: turnPerBin * probedPosition)
    notchedBin = Int(probedPosition + 0.5)
    notchedReadings = Int(Self.notchTime / readingTime)
    frequency = probedPosition * binWidth
    howls += 1
    run = 0
    state = .watching
    return true
  }

  private mutating func stop() {
    sections.resetTurn()
    sections.resetNotch()
    relief.reset()
    notchedReadings = 0
    run = 0
    state = .watching
  }
}
