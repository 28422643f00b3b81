import Realtime

/// Tells a howl from a tone that somebody plays, and notches it: the last resort, when cancelling did not keep the loop
/// stable.
///
/// A howl grows until the limiter holds it and then stands, so only a narrow peak that outweighs all else while the output
/// is near its limit, and that never falls meanwhile as a struck note does, is suspected. Then the guard makes a small test: it lowers the peak's frequency by 10 dB for 35 ms. A tone from
/// outside stays as strong at the microphone; a howl lives on its loop's gain being one and falls with every round. What
/// stays in its place and falls by 6 dB is notched; what does not is left alone until it ends, or for a second.
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
  static let standing: Float = 0.89
  /// Readings that the test takes at most.
  static let readingsOfTest = 6
  /// Share of all power that a howl has at least.
  static let dominance: Float = 0.7
  /// Least output level of a howl, power relative to the limit's: −15 dB. Own choice: below, it disturbs no more than
  /// what is amplified, and the canceller has time.
  static let loudness: Float = 0.031_6
  /// Share in the notch that makes a dip of 10 dB.
  private static var testDepth: Float { 0.684 }
  /// Fall that shows a howl: 6 dB.
  private static var fall: Float { 0.25 }
  /// Time for which a howl is notched, s: enough for the canceller to learn the path anew.
  static let notchTime = 1.0
  /// Time in which the notch opens and closes, s.
  static let fadeTime = 0.004
  /// Shares of the power in three peaks that make a sound a tone or a flute, and readings in which it must be so.
  static let tonalShare: Float = 0.99
  static let tonalReadings = 5

  /// What the sound may be taken for.
  enum Tone: Equatable {
    /// Something richer than a tone.
    case absent
    /// Perhaps the beginning of a steady tone.
    case possible
    /// A steady tone or a few harmonics of one.
    case certain
  }

  private enum State {
    case listening
    case testing
    case notched
    /// The peak is a tone from outside.
    case cleared
  }

  /// Howls notched since the chain began.
  private(set) var howls: Int64 = 0
  /// Frequency of the last one, Hz.
  private(set) var frequency: Float = 0
  /// Whether the sound is a steady tone with few harmonics.
  private(set) var tone = Tone.absent
  /// Whether a notch or a test is under way.
  var isActive: Bool { notch.isActive }
  private var notch = HowlNotch()
  private var state = State.listening
  private var bin = 0
  private var testedPosition: Float = 0
  private var notchedBin = 0
  private var run = 0
  private var clearedBin = 0
  private var gone = 0
  private var tonalRun = 0
  private var lastPower: Float = 0
  private var testPower: Float = 0
  private var peakPower: Float = 0
  private var readings = 0
  private let notchReadings: Int
  private let binWidth: Float
  private let turnPerBin: Float
  private let step: Float
  private let lowestBin: Int
  private let binCount: Int

  init(_ geometry: ChainGeometry) {
    let width = geometry.sampleRate / Double(geometry.filterLength)
    binWidth = Float(width)
    turnPerBin = Float(2 / Double(geometry.filterLength))
    lowestBin = Int((Self.lowest / width).rounded(.up))
    binCount = geometry.filterLength / 2
    step = Float(1 / (Self.fadeTime * geometry.sampleRate))
    notchReadings = Int(Self.notchTime / Self.readingTime)
  }

  /// Looks at a spectrum of the microphone behind the canceller.
  ///
  /// - Parameters:
  ///   - powers: Power per bin; destroyed.
  ///   - output: Power of what goes out, relative to the limit's.
  ///   - isNotching: Whether howls are to be notched.
  /// - Returns: Whether a howl was found now.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func read(_ powers: inout AlignedBuffer<Float>, output: Float, isNotching: Bool) -> Bool {
    var low: Float = 0
    for k in 1..<lowestBin { low += powers[k] }
    let lowPeak = ToneReading.low(powers, count: lowestBin)
    let reading = ToneReading(&powers, lowest: lowestBin, count: binCount)
    judgeTone(reading, low: low, lowPeak: lowPeak)
    guard isNotching else {
      notch.target = 0
      state = .listening
      return false
    }
    let total = reading.power / max(reading.share, 1e-6) + low + 1e-20
    return judgeHowl(
      reading, isDominant: reading.power > Self.dominance * total, isLoud: output > Self.loudness)
  }

  /// Lowers or notches what is to be lowered.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func apply(_ samples: inout MutableSpan<Float>, from start: Int, frames: Int) {
    notch.apply(&samples, from: start, frames: frames, step: step)
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func judgeTone(_ reading: ToneReading, low: Float, lowPeak: Float) {
    let high = reading.power / max(reading.share, 1e-6)
    let total = high + low + 1e-20
    let strongest = reading.threeShare * high + lowPeak
    let power = reading.power + lowPeak
    let isSteady = power < 1.3 * lastPower && lastPower < 1.3 * power
    lastPower = power
    if strongest > Self.tonalShare * total && isSteady {
      tonalRun = min(tonalRun + 1, Self.tonalReadings)
    } else {
      tonalRun = max(0, tonalRun - 2)
    }
    if tonalRun == Self.tonalReadings || (tone == .certain && tonalRun > 0) {
      tone = .certain
    } else {
      tone = tonalRun > 0 ? .possible : .absent
    }
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func judgeHowl(_ reading: ToneReading, isDominant: Bool, isLoud: Bool) -> Bool {
    let isThere = isDominant && reading.power > 1e-10 && abs(reading.bin - bin) <= 1
    let stands = isThere && isLoud
    run = stands && reading.power > Self.standing * peakPower ? run + 1 : 0
    peakPower = reading.power
    if run == 0 { bin = reading.bin }
    readings += 1
    switch state {
    case .listening:
      if run >= Self.readingsBefore { beginTest(reading) }
    case .testing:
      if isThere, reading.power < Self.fall * testPower { return found() }
      if !isThere {
        // It ended by itself.
        notch.target = 0
        run = 0
        state = .listening
      } else if readings >= Self.readingsOfTest {
        notch.target = 0
        clearedBin = bin
        gone = 0
        state = .cleared
      }
    case .notched:
      if readings >= notchReadings {
        notch.target = 0
        state = .listening
        run = 0
      } else if run >= Self.readingsBefore, abs(bin - notchedBin) > 2 {
        // Another one beside it: the notch moves there.
        testedPosition = reading.position
        return found()
      }
    case .cleared:
      gone = stands && abs(reading.bin - clearedBin) <= 1 ? 0 : gone + 1
      if gone >= Self.readingsBefore || reading.power > 4 * testPower || readings >= notchReadings {
        state = .listening
        run = 0
      }
    }
    return false
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func beginTest(_ reading: ToneReading) {
    testPower = reading.power
    testedPosition = reading.position
    notch.tune(turnPerBin * reading.position)
    notch.target = Self.testDepth
    readings = 0
    state = .testing
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func found() -> Bool {
    notch.tune(turnPerBin * testedPosition)
    notch.target = 1
    notchedBin = Int(testedPosition + 0.5)
    frequency = testedPosition * binWidth
    howls += 1
    readings = 0
    run = 0
    state = .notched
    return true
  }
}

extension ToneReading {
  /// Power of the strongest peak below `count`.
  #if RT_LINT
    @_noAllocation
  #endif
  static func low(_ powers: borrowing AlignedBuffer<Float>, count: Int) -> Float {
    var (peak, most) = (1, Float(-1))
    for k in 1..<count where powers[k] > most { (peak, most) = (k, powers[k]) }
    var sum: Float = 0
    for k in max(1, peak - reach)..<min(count, peak + reach + 1) { sum += powers[k] }
    return sum
  }
}
