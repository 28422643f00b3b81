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
  private var isNotching = false
  private var hop = 0
  private var isLimited = (left: false, right: false)
  private var output: (left: Float, right: Float) = (0, 0)
  private let hopsPerReading: Int

  init(_ geometry: ChainGeometry, parameters: ChainParameters) throws(ChainError) {
    canceller = try FeedbackCanceller(geometry)
    leftGuard = HowlGuard(geometry)
    rightGuard = HowlGuard(geometry)
    shifter = FrequencyShifter(geometry)
    leftPower = AlignedBuffer(count: geometry.filterLength / 2)
    rightPower = AlignedBuffer(count: geometry.filterLength / 2)
    hopsPerReading = max(1, Int((HowlGuard.readingTime / geometry.hopTime).rounded()))
    retarget(parameters)
  }

  /// Takes over another setting.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func retarget(_ parameters: ChainParameters) {
    let control = parameters.treatment.feedback
    canceller.retarget(control, left: parameters.leftPath, right: parameters.rightPath)
    shifter.retarget(control.frequencyShift)
    isNotching = control.isNotching
  }

  /// After a gap in the sound.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func reset() {
    canceller.reset()
    shifter.reset()
  }

  /// Takes what came back away from the newest frames that came in.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func receive(_ history: inout PairHistory, frames: Int) {
    guard canceller.isActive else { return }
    history.change { microphones in
      canceller.cancel(
        &microphones, frames: frames, tones: (leftGuard.tone, rightGuard.tone), limited: isLimited)
    }
  }

  /// Looks for tones and howls in the spectrum of what came in.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func read(_ spectrum: borrowing PairSpectrum) {
    guard canceller.isActive || isNotching || leftGuard.isActive || rightGuard.isActive else { return }
    hop += 1
    guard hop >= hopsPerReading else { return }
    hop = 0
    spectrum.hannPower(bins: spectrum.length / 2, left: &leftPower, right: &rightPower)
    let left = leftGuard.read(&leftPower, output: output.left, isNotching: isNotching)
    let right = rightGuard.read(&rightPower, output: output.right, isNotching: isNotching)
    if left || right { canceller.hurry(left: left, right: right) }
  }

  /// Shifts and notches a hop on its way out, before the limiter.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func treat(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, from start: Int, frames: Int
  ) {
    if shifter.isActive { shifter.shift(&left, &right, from: start, frames: frames) }
    if leftGuard.isActive { leftGuard.apply(&left, from: start, frames: frames) }
    if rightGuard.isActive { rightGuard.apply(&right, from: start, frames: frames) }
  }

  /// Remembers what went out.
  ///
  /// - Parameters:
  ///   - limited: Whether each ear's limiter was at work.
  ///   - output: Each ear's power relative to its limit's.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func remember(
    _ left: borrowing MutableSpan<Float>, _ right: borrowing MutableSpan<Float>, from start: Int,
    frames: Int,
    limited: (left: Bool, right: Bool), output: (left: Float, right: Float)
  ) {
    isLimited = limited
    self.output = output
    canceller.remember(left, right, from: start, frames: frames)
  }
}
