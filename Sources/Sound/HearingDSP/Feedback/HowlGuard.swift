import Realtime

/// Tells a howl from a tone that somebody plays, and notches it: the last resort, when cancelling did not keep the loop
/// stable.
///
/// A howl grows until something holds it and then stands, so only a narrow peak that outweighs all else while the output
/// is loud, and that never falls meanwhile as a struck note does, is suspected. Then the loop is asked by
/// a ``LoopProbe``. What follows its turn is notched; what does not is left alone until it ends or grows, or for a
/// time that doubles. What goes on being loud all the same is left to a ``HowlRelief``.
///
/// - Threads: built on `control`, run on `audio`.
struct HowlGuard: ~Copyable {
  /// Lowest frequency of a howl, Hz: below, hearing aids have neither the gain nor the path.
  static let lowest = 600.0
  /// Time between two readings, s: a quarter of the spectrum's window and a little.
  static let readingTime = 0.0058
  /// Readings in which a peak must have stood before it is tested.
  static let readingsBefore = 5
  /// Most that a peak may fall from one reading to the next, power: 0.5 dB in 5.8 ms. Own choice: a note that dies away
  /// within 0.7 s falls faster; what is left of a slower one is the test's to find.
  static let standing: Float = 0.5
  /// Bins by which a peak may move and be the same: two howls of a loop may beat, and are turned together.
  private static var reach: Int { 2 }
  /// Share of all power that a howl has at least.
  static let dominance: Float = 0.5
  /// Least output level of a howl, power relative to the limit's: −35 dB. Own choice: behind compression a howl stands where
  /// the gain has fallen to what the path loses, 18 to 35 dB below a limit of 110 dB SPL for N4; softer ones disturb
  /// little, and the canceller has time.
  static let loudness: Float = 0.000_316
  /// Time for which a howl is notched, s: enough for the canceller to learn the path anew.
  static let notchTime = 1.0
  /// Time after which a tone that was not a howl is asked again at first, s, and the longest that this grows to.
  static let rest = 0.1
  static let longestRest = 16.0
  /// Time in which the notch opens and closes, s.
  static let fadeTime = 0.004

  private enum State {
    case listening
    case asking
    /// The peak is a tone from outside.
    case cleared
  }

  /// Howls notched or lowered since the chain began.
  private(set) var howls: Int64 = 0
  /// Frequency of the last one, Hz.
  private(set) var frequency: Float = 0
  /// Whether the sound is a steady tone with few harmonics.
  var tone: ToneCertainty { tones.certainty }
  /// Whether the loop is being asked by the phase.
  var isAsking: Bool { state == .asking }
  /// Whether it is, or may soon be.
  var isSuspicious: Bool { run > 0 || state == .asking || relief.isSuspicious }
  /// Whether a notch or a question is under way.
  var isActive: Bool { sections.isActive }
  /// What lowers the whole ear when it goes on.
  private(set) var relief: HowlRelief
  private var tones = ToneWatch()
  private var sections: HowlSections
  private var probe: LoopProbe
  private var state = State.listening
  private var bin = 0
  private var askedPosition: Float = 0
  /// Bin that the notch beside the asking one holds, and readings left to it.
  private var notchedBin = 0
  private var notchedReadings = 0
  private var run = 0
  private var clearedBin = 0
  private var gone = 0
  private var askedPower: Float = 0
  private var peakPower: Float = 0
  private var readings = 0
  private var rest: Int
  private let shortestRest: Int
  private let longestRest: Int
  private let notchReadings: Int
  private let binWidth: Float
  private let turnPerBin: Float
  let lowestBin: Int
  private let binCount: Int

  /// - Parameter readingTime: Time between two readings, s.
  init(_ geometry: ChainGeometry, readingTime: Double) {
    let width = geometry.sampleRate / Double(geometry.filterLength)
    binWidth = Float(width)
    turnPerBin = Float(2 / Double(geometry.filterLength))
    lowestBin = Int((Self.lowest / width).rounded(.up))
    binCount = geometry.filterLength / 2
    sections = HowlSections(step: Float(1 / (Self.fadeTime * geometry.sampleRate)))
    notchReadings = Int(Self.notchTime / readingTime)
    shortestRest = Int(Self.rest / readingTime)
    longestRest = Int(Self.longestRest / readingTime)
    rest = shortestRest
    probe = LoopProbe(geometry, readingTime: readingTime)
    relief = HowlRelief(geometry, readingTime: readingTime)
  }

  /// Takes over another loop's delay.
  ///
  /// - Parameter loopDelay: s; 0: not known.
  mutating func aim(loopDelay: Double) {
    probe.aim(loopDelay: loopDelay)
    relief.aim(loopDelay: loopDelay)
  }

  /// Looks at a spectrum of the microphone behind the canceller.
  ///
  /// - Parameters:
  ///   - powers: Power per bin; destroyed.
  ///   - heard: Power of all that may howl, before the canceller; nil: the same as behind it.
  ///   - output: Power of what goes out, relative to the limit's.
  ///   - isNotching: Whether howls are to be notched.
  /// - Returns: Whether a howl was found now that is notched.
  mutating func read(
    _ powers: inout AlignedBuffer<Float>, heard: Float?, output: Float, isNotching: Bool
  ) -> Bool {
    var low: Float = 0
    for k in 1..<lowestBin { low += powers[k] }
    let lowPeak = ToneReading.low(powers, count: lowestBin)
    let reading = ToneReading(&powers, lowest: lowestBin, count: binCount)
    tones.read(reading, low: low, lowPeak: lowPeak)
    guard isNotching else {
      if isActive || relief.isActive { letGo() }
      return false
    }
    let high = reading.power / max(reading.share, 1e-6)
    let total = high + low + 1e-20
    if relief.read(power: heard ?? high, stood: run, output: output, isFree: state != .asking) {
      frequency = reading.position * binWidth
      howls += 1
    }
    return judgeHowl(
      reading, isDominant: reading.power > Self.dominance * total, isLoud: output > Self.loudness)
  }

  /// Lowers or notches what is to be lowered.
  mutating func apply(_ samples: inout MutableSpan<Float>, from start: Int, frames: Int) {
    sections.apply(&samples, from: start, frames: frames)
  }

  /// Factor that the hop is to be lowered by, behind the limiter.
  mutating func lowering(frames: Int) -> OutputRequest.Factor {
    relief.isActive ? relief.advance(frames: frames) : OutputRequest.Factor()
  }

  private mutating func judgeHowl(_ reading: ToneReading, isDominant: Bool, isLoud: Bool) -> Bool {
    let isThere = isDominant && reading.power > 1e-10 && abs(reading.bin - bin) <= Self.reach
    let stands = isThere && isLoud
    run = stands && reading.power > Self.standing * peakPower ? run + 1 : 0
    peakPower = reading.power
    if state != .asking { probe.wait(reading) }
    if run == 0, state != .asking { bin = reading.bin }
    readings += 1
    expire()
    switch state {
    case .listening:
      // What a notch holds is on its way down.
      if !relief.isAsking, run >= Self.readingsBefore,
        notchedReadings == 0 || abs(bin - notchedBin) > Self.reach
      {
        ask(reading)
      }
    case .asking:
      return hear(reading, isThere: isThere)
    case .cleared:
      gone = stands && abs(reading.bin - clearedBin) <= Self.reach ? 0 : gone + 1
      if gone >= Self.readingsBefore {
        rest = shortestRest
        state = .listening
      } else if reading.power > 4 * askedPower || readings >= rest {
        rest = min(2 * rest, longestRest)
        state = .listening
      }
    }
    return false
  }

  private mutating func ask(_ reading: ToneReading) {
    askedPower = reading.power
    askedPosition = reading.position
    bin = reading.bin
    probe.begin()
    state = .asking
    turn()
  }

  private mutating func hear(_ reading: ToneReading, isThere: Bool) -> Bool {
    guard isThere, reading.power > 0.25 * askedPower else {
      // It ended by itself.
      sections.endQuestion()
      run = 0
      state = .listening
      return false
    }
    switch probe.hear(reading) {
    case .none: return false
    case .followed: turn()
    case .howl: return found()
    case .tone:
      sections.endQuestion()
      clearedBin = reading.bin
      readings = 0
      gone = 0
      state = .cleared
    }
    return false
  }

  private mutating func turn() {
    sections.turn(at: turnPerBin * askedPosition, by: probe.angle, speed: probe.speed)
  }

  private mutating func found() -> Bool {
    sections.notch(at: turnPerBin * askedPosition)
    notchedBin = Int(askedPosition + 0.5)
    notchedReadings = notchReadings
    frequency = askedPosition * binWidth
    howls += 1
    run = 0
    state = .listening
    return true
  }

  /// Opens the notch that has lasted for its time.
  private mutating func expire() {
    guard notchedReadings > 0 else { return }
    notchedReadings -= 1
    guard notchedReadings == 0 else { return }
    sections.endNotch()
  }

  private mutating func letGo() {
    sections.endQuestion()
    sections.endNotch()
    relief.letGo()
    notchedReadings = 0
    run = 0
    state = .listening
  }
}
