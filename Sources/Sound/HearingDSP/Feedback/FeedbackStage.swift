import Realtime

/// Everything the chain does about feedback: canceller, frequency shift, howl guard of each ear.
///
/// - Threads: built on `control`, run on `audio`.
struct FeedbackStage: ~Copyable {
  private(set) var canceller: FeedbackCanceller
  private(set) var leftGuard: HowlGuard
  private(set) var rightGuard: HowlGuard
  private var shifter: FrequencyShifter
  private var leftPower: AlignedBuffer<Float>
  private var rightPower: AlignedBuffer<Float>
  private var spare: AlignedBuffer<Float>
  private var otherSpare: AlignedBuffer<Float>
  /// What came in before anything was taken away, interleaved, newest last: kept while a guard suspects something.
  private var heard: AlignedBuffer<Float>
  private var heardSpectrum: PairSpectrum
  private let transform: PairTransform
  private var isNotching = false
  private var hop = 0
  private var isLimited = (left: false, right: false)
  private var output: (left: Float, right: Float) = (0, 0)
  private let hopsPerReading: Int

  init(_ geometry: ChainGeometry, parameters: ChainParameters) throws(ChainError) {
    let canceller = try FeedbackCanceller(geometry)
    let transform = try PairTransform(length: geometry.filterLength)
    self.canceller = canceller
    self.transform = transform
    let hops = max(1, Int((HowlGuard.readingTime / geometry.hopTime).rounded()))
    leftGuard = HowlGuard(geometry, readingTime: Double(hops) * geometry.hopTime)
    rightGuard = HowlGuard(geometry, readingTime: Double(hops) * geometry.hopTime)
    hopsPerReading = hops
    shifter = FrequencyShifter(geometry)
    leftPower = AlignedBuffer(count: geometry.filterLength / 2)
    rightPower = AlignedBuffer(count: geometry.filterLength / 2)
    spare = AlignedBuffer(count: geometry.filterLength / 2)
    otherSpare = AlignedBuffer(count: geometry.filterLength / 2)
    heard = AlignedBuffer(count: 2 * geometry.filterLength)
    heardSpectrum = PairSpectrum(length: geometry.filterLength)
    retarget(parameters)
  }

  /// Takes over another setting.
  mutating func retarget(_ parameters: ChainParameters) {
    let control = parameters.treatment.feedback
    canceller.retarget(control, left: parameters.leftPath, right: parameters.rightPath)
    shifter.retarget(control.frequencyShift)
    isNotching = control.isNotching
    leftGuard.aim(loopDelay: control.loopDelay)
    rightGuard.aim(loopDelay: control.loopDelay)
  }

  /// After a gap in the sound.
  mutating func reset() {
    canceller.reset()
    shifter.reset()
    heard.fill(0)
  }

  /// Takes what came back away from the newest frames that came in.
  mutating func receive(_ history: inout PairHistory, frames: Int) {
    guard canceller.isActive else { return }
    let isSuspicious = isNotching && (leftGuard.isSuspicious || rightGuard.isSuspicious)
    history.change { microphones in
      if isSuspicious { Self.keep(microphones, frames: frames, in: &heard) }
      canceller.cancel(
        &microphones, frames: frames, tones: (leftGuard.tone, rightGuard.tone), limited: isLimited)
    }
  }

  /// Keeps the newest frames.
  private static func keep(
    _ microphones: borrowing AlignedBuffer<Float>, frames: Int, in heard: inout AlignedBuffer<Float>
  ) {
    heard.shiftDown(by: 2 * frames)
    let (from, to) = (microphones.count - 2 * frames, heard.count - 2 * frames)
    for n in 0..<2 * frames { heard[to + n] = microphones[from + n] }
  }

  /// Looks for tones and howls in the spectrum of what came in.
  mutating func read(_ spectrum: borrowing PairSpectrum) {
    guard
      canceller.isActive || isNotching || leftGuard.isActive || rightGuard.isActive
        || leftGuard.relief.isActive
        || rightGuard.relief.isActive
    else { return }
    hop += 1
    guard hop >= hopsPerReading else { return }
    hop = 0
    spectrum.hannPower(bins: spectrum.length / 2, left: &leftPower, right: &rightPower)
    if canceller.isActive, leftGuard.isAsking || rightGuard.isAsking { hearAsking() }
    let heard = heardPowers()
    let left = leftGuard.read(&leftPower, heard: heard.left, output: output.left, isNotching: isNotching)
    let right = rightGuard.read(
      &rightPower, heard: heard.right, output: output.right, isNotching: isNotching)
    if left || right { canceller.hurry(left: left, right: right) }
  }

  /// Each ear's power that came in before the canceller, of all that may howl, where it is asked by its level: what the canceller
  /// takes away follows the level too, be it feedback or not.
  private mutating func heardPowers() -> (left: Float?, right: Float?) {
    let (left, right) = (leftGuard.relief.isAsking, rightGuard.relief.isAsking)
    guard canceller.isActive, left || right else { return (nil, nil) }
    heardSpectrum.read(heard, transform: transform)
    heardSpectrum.hannPower(bins: heardSpectrum.length / 2, left: &spare, right: &otherSpare)
    var (leftSum, rightSum) = (Float(0), Float(0))
    for k in leftGuard.lowestBin..<heardSpectrum.length / 2 {
      leftSum += spare[k]
      rightSum += otherSpare[k]
    }
    return (left ? leftSum : nil, right ? rightSum : nil)
  }

  /// Gives a guard that asks by the phase what came in, before the canceller: what that takes away follows the turn too, be it
  /// feedback or not.
  private mutating func hearAsking() {
    heardSpectrum.read(heard, transform: transform)
    let (left, right) = (leftGuard.isAsking, rightGuard.isAsking)
    if left, right {
      heardSpectrum.hannPower(bins: heardSpectrum.length / 2, left: &leftPower, right: &rightPower)
    } else if left {
      heardSpectrum.hannPower(bins: heardSpectrum.length / 2, left: &leftPower, right: &spare)
    } else {
      heardSpectrum.hannPower(bins: heardSpectrum.length / 2, left: &spare, right: &rightPower)
    }
  }

  /// Shifts and notches a hop on its way out, before the limiter.
  mutating func treat(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, from start: Int, frames: Int
  ) {
    if shifter.isActive { shifter.shift(&left, &right, from: start, frames: frames) }
    if leftGuard.isActive { leftGuard.apply(&left, from: start, frames: frames) }
    if rightGuard.isActive { rightGuard.apply(&right, from: start, frames: frames) }
  }

  /// Asks for a hop that goes on howling to be lowered behind the limiter.
  mutating func lower(_ request: inout OutputRequest, frames: Int) {
    request.left = leftGuard.lowering(frames: frames)
    request.right = rightGuard.lowering(frames: frames)
  }

  /// Remembers what was played, and whether a limiter was at work on it.
  mutating func remember(
    _ left: borrowing MutableSpan<Float>, _ right: borrowing MutableSpan<Float>, from start: Int,
    frames: Int, played: OutputReport
  ) {
    isLimited = (played.left.limiterGain < 0.9, played.right.limiterGain < 0.9)
    output = (played.left.limitShare, played.right.limitShare)
    canceller.remember(left, right, from: start, frames: frames)
  }
}
