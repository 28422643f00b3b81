import Acoustics
import Realtime

/// All processing against feedback: canceller, frequency shift, howl guard of each ear.
///
/// - Threads: built on `control`, run on `audio`.
struct FeedbackStage: ~Copyable {
  private(set) var canceller: FeedbackCanceller
  private var guards: Binaural<HowlGuard>
  private var shifter: FrequencyShifter
  /// Power of each bin of the input behind the canceller.
  private var power: Binaural<Buffer>
  /// Power of each bin of the input before the canceller.
  private var inputPower: Binaural<Buffer>
  /// Input before the canceller, interleaved, newest last: kept while a guard suspects a howl.
  private var input: Buffer
  private var inputSpectrum: PairSpectrum
  private let transform: PairTransform
  private var isNotching = false
  private var hop = 0
  /// Report on the last hop.
  private var sent = Binaural(both: OutputReport.Ear())
  private let hopsPerReading: Int

  /// Figures of one ear.
  struct Meters: BitwiseCopyable, Sendable {
    /// Howls notched or attenuated.
    var howls: Int64 = 0
    /// Frequency of the last howl, Hz.
    var howlFrequency: Float = 0
    /// Lasting factor on the output because of howls.
    var howlFactor: Float = 1
    /// Times that the estimate was discarded.
    var resets: Int64 = 0
    var isCancelling = false
    /// The estimate began with a measured path: false without one, or after the measured one diverged.
    var hasMeasuredPath = false
  }

  var meters: Binaural<Meters> {
    Binaural(
      left: meters(guards.left, canceller.ears.left), right: meters(guards.right, canceller.ears.right))
  }

  /// Factor on each ear's output in force, probes included.
  var factors: Binaural<Float> {
    Binaural(left: guards.left.relief.factor, right: guards.right.relief.factor)
  }

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(
    _ geometry: ChainGeometry, control: FeedbackControl, paths: borrowing Binaural<PathPrior>
  ) throws(ChainError) {
    // A value that cannot be copied must not be left half made.
    let transform = try PairTransform(length: geometry.filterLength)
    canceller = try FeedbackCanceller(geometry)
    self.transform = transform
    let hops = geometry.hops(HowlGuard.readingTime)
    guards = Binaural { _ in HowlGuard(geometry, readingTime: Double(hops) * geometry.hopTime) }
    hopsPerReading = hops
    shifter = FrequencyShifter(geometry)
    power = Binaural { _ in AlignedBuffer(count: geometry.filterLength / 2) }
    inputPower = Binaural { _ in AlignedBuffer(count: geometry.filterLength / 2) }
    input = AlignedBuffer(count: 2 * geometry.filterLength)
    inputSpectrum = PairSpectrum(length: geometry.filterLength)
    retarget(to: control, paths: paths)
  }

  /// Moves to another setting.
  mutating func retarget(to control: FeedbackControl, paths: borrowing Binaural<PathPrior>) {
    canceller.retarget(to: control, paths: paths)
    shifter.retarget(to: control.frequencyShift)
    isNotching = control.isNotching
    guards.forEach { $0.retarget(loopDelay: control.loopDelay) }
  }

  /// Clears everything remembered of the sound; the estimated paths stay.
  mutating func reset() {
    canceller.reset()
    shifter.reset()
    input.fill(0)
  }

  /// Cancels feedback in the newest frames of the input, before their spectrum is made.
  mutating func processInput(_ microphones: inout Buffer, frames: Int) {
    guard canceller.isActive else { return }
    if isNotching && (guards.left.isSuspicious || guards.right.isSuspicious) {
      input.shiftDown(by: 2 * frames)
      let (from, to) = (microphones.count - 2 * frames, input.count - 2 * frames)
      for n in 0..<2 * frames { input[to + n] = microphones[from + n] }
    }
    canceller.process(
      &microphones, frames: frames, tones: Binaural(left: guards.left.tone, right: guards.right.tone),
      sent: sent)
  }

  /// Detects tones and howls in the spectrum of the input.
  mutating func processSpectrum(_ spectrum: borrowing PairSpectrum) {
    guard canceller.isActive || isNotching || guards.left.isActive || guards.right.isActive else { return }
    hop += 1
    guard hop >= hopsPerReading else { return }
    hop = 0
    spectrum.hannPower(bins: spectrum.length / 2, into: &power)
    // A probing guard reads the input before the canceller: the canceller's estimate follows the probe too,
    // be it feedback or not.
    let isCancelling = canceller.isActive
    if isCancelling, guards.left.isProbing || guards.right.isProbing {
      inputSpectrum.process(input, transform: transform)
      inputSpectrum.hannPower(bins: inputSpectrum.length / 2, into: &inputPower)
    }
    let isHowling = Binaural(
      left: Self.read(
        &guards.left, &power.left, &inputPower.left, output: sent.left.limitShare, isCancelling, isNotching),
      right: Self.read(
        &guards.right, &power.right, &inputPower.right, output: sent.right.limitShare, isCancelling,
        isNotching))
    canceller.processHowls(isHowling)
  }

  /// Runs a guard on the spectrum behind the canceller, or on the one before it as far as the guard probes.
  ///
  /// - Returns: True when a howl was found and is notched.
  private static func read(
    _ howls: inout HowlGuard, _ power: inout Buffer, _ input: inout Buffer, output: Float,
    _ isCancelling: Bool, _ isNotching: Bool
  ) -> Bool {
    guard isCancelling, howls.isProbing else {
      return howls.process(&power, level: nil, output: output, isNotching: isNotching)
    }
    guard howls.relief.isProbing else {
      return howls.process(&input, level: nil, output: output, isNotching: isNotching)
    }
    var level: Float = 0
    for k in howls.lowestBin..<input.count { level += input[k] }
    return howls.process(&power, level: level, output: output, isNotching: isNotching)
  }

  /// Shifts and notches a hop of the output, before the limiter.
  mutating func processOutput(_ left: inout Samples, _ right: inout Samples, from start: Int, frames: Int) {
    if shifter.isActive { shifter.process(&left, &right, from: start, frames: frames) }
    guards.left.processOutput(&left, from: start, frames: frames)
    guards.right.processOutput(&right, from: start, frames: frames)
  }

  /// Asks for an ear that goes on howling to be attenuated behind the limiter, which would make up for it before.
  mutating func processRequest(_ request: inout OutputRequest, frames: Int) {
    request.left = guards.left.processRequest(frames: frames)
    request.right = guards.right.processRequest(frames: frames)
  }

  /// Stores the hop as it is played, and the state of the limiter: the canceller needs the sound that leaves.
  mutating func processPlayed(
    _ left: borrowing Samples, _ right: borrowing Samples, from start: Int, frames: Int,
    played: OutputReport
  ) {
    sent = played.ears
    canceller.processPlayed(left, right, from: start, frames: frames)
  }

  private func meters(_ howls: borrowing HowlGuard, _ ear: borrowing EarCanceller) -> Meters {
    Meters(
      howls: howls.howls, howlFrequency: howls.frequency, howlFactor: howls.relief.lasting,
      resets: ear.resets, isCancelling: canceller.isActive, hasMeasuredPath: ear.estimate.beganWithMeasured)
  }
}
