import Realtime

/// Probe by phase: does a tone at the microphone come from the earphone?
///
/// The phase of the output is turned at the tone's frequency, first forwards, then backwards. A howl stands
/// at a frequency at which a round through the loop of time T is a whole number of periods, so turned by
/// the angle θ it moves by θ/2πT, up and then down, T after the turn. A tone from outside, however it
/// begins, ends, trembles or slides, does not follow the earphone's turn. So the course of its frequency,
/// less its mean and slope, is compared with the course that the turn causes. Where several howls beat, all
/// move alike, and loud readings count for more.
///
/// - Threads: `audio`.
struct LoopProbe: ~Copyable {
  /// Movement wanted of a howl, Hz. Own choice: a quarter of a bin of the spectrum, which is read to a
  /// hundredth, and more than a singer's vibrato turns back within 50 ms.
  static let move = 20.0
  /// Largest angle, half turns: beyond it a loop may howl at a neighbouring frequency instead. With it a
  /// loop of more than 12.5 ms is moved by less.
  static let largestAngle = 0.5
  /// Time from the microphone to the earphone and from the path's first trace to its middle, s: the gain
  /// window's 0.5 ms and the path's 0.5 ms.
  static let innerDelay = 0.001
  /// Error of a device's stated delay, s: converters' own filters.
  static let delayError = 0.001_5
  /// Loops considered when the delay is unknown, s: the shortest, and the steps up from it, which are those
  /// around a delay that the devices tell and nobody has measured, too.
  static let shortestLoop = 0.004_5
  static let loopStep = 0.003
  /// Readings before the turn that are part of the comparison.
  static let readingsBefore = 5
  /// Share of the frequency's movement that the turn must explain, and range of the movement relative to
  /// the expected one. Own choice by trial: single howls have 0.95 and 1.0...1.8, those that beat with
  /// another one half of them 0.75; of 2300 notes one has 0.7 and 0.6.
  private static var likeness: Float { 0.75 }
  /// The same for parts of ``longPart`` readings or more, loops beyond 17 ms: a vibrato turns back in that
  /// time.
  private static var longLikeness: Float { 0.9 }
  private static var longPart: Int { 6 }
  private static var moves: ClosedRange<Float> { 0.6...2 }
  /// Share of the expected movement below which the first turn already shows a tone.
  private static var leastRise: Float { 0.15 }
  /// Courses for an unknown delay, and around a known one.
  private static var mostCourses: Int { 4 }
  private static var knownCourses: Int { 3 }

  enum Answer {
    case none
    /// The tone followed forwards: now backwards.
    case followed
    /// It followed both ways.
    case howl
    /// It did not follow.
    case tone
  }

  /// Angle in force, half turns.
  var angle: Float { isForwards ? largest : -largest }
  /// No reading has come since the probe began.
  var isBeginning: Bool { isForwards && count == Self.readingsBefore }
  /// Half turns per sample: the angle is reached in the time of one round, so that a howl moves evenly.
  var speed: Float { isForwards ? pace : 2 * pace }
  private var largest: Float = 0
  private var pace: Float = 0
  /// Expected movement, bins.
  private var expected: Float = 0
  private var readingsPerPart = 1
  private var isForwards = true
  private var count = 0
  /// Delay in force; NaN before the first.
  private var loopDelay = Double.nan
  private var isDelayMeasured = true
  private var courseCount = 0
  /// Positions of the tone, bins, oldest first.
  private var positions: Buffer
  /// Its power at each.
  private var weights: Buffer
  /// Positions of a howl, bins, one course after another.
  private var courses: Buffer
  private var course: Buffer
  private let mostReadings: Int
  private let sampleRate: Double
  private let binWidth: Double
  private let readingTime: Double

  init(_ geometry: ChainGeometry, readingTime: Double) {
    sampleRate = geometry.sampleRate
    binWidth = geometry.sampleRate / Double(geometry.filterLength)
    self.readingTime = readingTime
    let longest = FeedbackControl.loopDelays.upperBound + Self.innerDelay
    mostReadings = Self.readingsBefore + 2 * Self.readings(longest, binWidth, readingTime)
    positions = AlignedBuffer(count: mostReadings)
    weights = AlignedBuffer(count: mostReadings)
    course = AlignedBuffer(count: mostReadings)
    courses = AlignedBuffer(count: Self.mostCourses * mostReadings)
    retarget(to: FeedbackControl())
  }

  /// Readings that a turn lasts: until it has come back and fills the middle of the spectrum's window, and
  /// one more.
  private static func readings(_ round: Double, _ binWidth: Double, _ readingTime: Double) -> Int {
    2 + Int((round + 0.8 / binWidth) / readingTime)
  }

  /// Sets angle and times for a loop.
  ///
  /// Around a delay that nobody has measured the courses lie further apart, so that longer loops than the
  /// devices tell are found too: by trial, in a model of single howls, those as long as told as soon as
  /// around a measured delay, and nine in ten of those up to 4 ms longer within a second. Beyond that the
  /// phase tells little, as in a loop for which the question would be a long one; ``LevelProbe`` is left.
  mutating func retarget(to control: FeedbackControl) {
    if control.loopDelay == loopDelay, control.isDelayMeasured == isDelayMeasured { return }
    (loopDelay, isDelayMeasured) = (control.loopDelay, control.isDelayMeasured)
    let isKnown = loopDelay > 0
    let shortest = isKnown ? loopDelay + Self.innerDelay - Self.delayError : Self.shortestLoop
    courseCount = isKnown ? Self.knownCourses : Self.mostCourses
    let widest = shortest + Self.loopStep * Double(courseCount - 1) / 2
    let isShort = Self.readings(widest, binWidth, readingTime) < Self.longPart
    let isWide = !isKnown || (!isDelayMeasured && isShort)
    let step = isWide ? Self.loopStep : Self.delayError
    let round = shortest + step * Double(courseCount - 1) / 2
    let angle = min(Self.largestAngle, 2 * Self.move * round)
    largest = Float(angle)
    pace = Float(angle / (round * sampleRate))
    expected = Float(angle / (2 * round * binWidth))
    readingsPerPart = Self.readings(round, binWidth, readingTime)
    for index in 0..<courseCount {
      // The course of a howl's frequency.
      let time = max(shortest + step * Double(index), 0.001)
      let move = Float(angle / (2 * time * binWidth))
      for n in 0..<Self.readingsBefore + 2 * readingsPerPart {
        let since = Double(n + 1 - Self.readingsBefore) * readingTime - time
        let back = since - Double(readingsPerPart) * readingTime
        courses[index * mostReadings + n] = move * (share(since) - 2 * share(back))
      }
    }
  }

  /// Share of the spectrum's window, weighted by its square, that lies behind an event `time` before its
  /// end.
  private func share(_ time: Double) -> Float {
    let u = Float(min(1, max(0, time * binWidth)))
    // ∫sin⁴(πu)·8/3 = u − 2/(3π)·sin 2πu + 1/(12π)·sin 4πu, and sin 4πu = 2 sin 2πu cos 2πu; the common
    // sign squared is 1.
    let direction = ComplexExponential.direction(2 * u)
    let sine = direction.sign == 0 ? direction.sine : -direction.sine
    return u - 0.212_206_6 * sine + 0.053_051_65 * direction.sine * direction.cosine
  }

  /// Subtracts mean and slope.
  private static func level(_ values: inout Buffer, weights: borrowing Buffer, count: Int) {
    var (sum, middle, mean) = (Float(1e-30), Float(0), Float(0))
    for n in 0..<count {
      sum += weights[n]
      middle += weights[n] * Float(n)
      mean += weights[n] * values[n]
    }
    middle /= sum
    mean /= sum
    var (moment, spread) = (Float(0), Float(1e-30))
    for n in 0..<count {
      let t = Float(n) - middle
      moment += weights[n] * t * (values[n] - mean)
      spread += weights[n] * t * t
    }
    let slope = moment / spread
    for n in 0..<count { values[n] -= mean + slope * (Float(n) - middle) }
  }

  /// Stores a reading while no probe is under way.
  mutating func processIdle(_ reading: ToneReading) {
    positions.shiftDown(by: 1)
    weights.shiftDown(by: 1)
    positions[Self.readingsBefore - 1] = reading.centre
    weights[Self.readingsBefore - 1] = reading.power
  }

  /// Begins a probe of the last tone.
  mutating func reset() {
    isForwards = true
    count = Self.readingsBefore
  }

  /// Reads the tone's next position.
  mutating func process(_ reading: ToneReading) -> Answer {
    positions[count] = reading.centre
    weights[count] = reading.power
    count += 1
    let inPart = count - Self.readingsBefore - (isForwards ? 0 : readingsPerPart)
    guard inPart >= readingsPerPart else { return .none }
    if isForwards {
      let start = mean(from: 0, to: Self.readingsBefore)
      guard mean(from: count - 2, to: count) - start > Self.leastRise * expected else { return .tone }
      isForwards = false
      return .followed
    }
    return followsCourse() ? .howl : .tone
  }

  /// Mean position of some readings.
  private func mean(from first: Int, to end: Int) -> Float {
    var (sum, weight) = (Float(0), Float(1e-30))
    for n in first..<end {
      sum += weights[n] * positions[n]
      weight += weights[n]
    }
    return sum / weight
  }

  /// The positions follow one of the courses.
  private mutating func followsCourse() -> Bool {
    // Relative to the strongest, so that all stays within the range of a float.
    var most: Float = 1e-30
    for n in 0..<count { most = max(most, weights[n]) }
    for n in 0..<count { weights[n] /= most }
    Self.level(&positions, weights: weights, count: count)
    var whole: Float = 1e-9
    for n in 0..<count { whole += weights[n] * positions[n] * positions[n] }
    let likeness = readingsPerPart < Self.longPart ? Self.likeness : Self.longLikeness
    for index in 0..<courseCount {
      for n in 0..<count { course[n] = courses[index * mostReadings + n] }
      Self.level(&course, weights: weights, count: count)
      var (along, power) = (Float(0), Float(1e-9))
      for n in 0..<count {
        along += weights[n] * course[n] * positions[n]
        power += weights[n] * course[n] * course[n]
      }
      // The best multiple of the course, and the share of the movement that it has.
      let move = along / power
      if move >= Self.moves.lowerBound, move <= Self.moves.upperBound, along * move > likeness * whole {
        return true
      }
    }
    return false
  }
}

/// Certainty that a sound is a steady tone, to which a path cannot be adapted.
///
/// - Threads: `any`.
enum ToneCertainty: Equatable {
  /// Something richer than a tone.
  case absent
  /// Perhaps the beginning of a steady tone.
  case possible
  /// A steady tone or a few harmonics of one.
  case certain
}
