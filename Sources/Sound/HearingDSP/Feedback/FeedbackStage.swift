import Acoustics
import Realtime

/// All processing against feedback: canceller, frequency shift, howl guard of each ear.
///
/// - Threads: built on `control`, run on `audio`.
struct FeedbackStage: ~Copyable {
  private(set) var canceller: FeedbackCanceller
  private var shifter: FrequencyShifter
  /// Input before the canceller, interleaved, newest last: kept while a guard suspects a howl.
  private var input: Buffer
  private var inputSpectrum: PairSpectrum
  private var isNotching = false
  /// Mean square of the microphones' sound in this hop; nil when nothing is added to it.
  private var ownPower = Binaural<Float?>(both: nil)
  private var hop = 0
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
  }

  var meters: Binaural<Meters> {
    Binaural(left: canceller.ears.left.meters, right: canceller.ears.right.meters)
  }

  /// - Parameter former: Figures of a former chain, whose counts go on.
  /// - Throws: ``ChainError/noPlan(length:)``.
  init(
    _ geometry: ChainGeometry, control: FeedbackControl, paths: borrowing Binaural<PathPrior>,
    after former: Binaural<Meters> = Binaural(both: Meters())
  ) throws(ChainError) {
    let hops = geometry.hops(HowlGuard.readingTime)
    canceller = try FeedbackCanceller(
      geometry, readingTime: Double(hops) * geometry.hopTime, after: former)
    hopsPerReading = hops
    shifter = FrequencyShifter(geometry)
    input = AlignedBuffer(count: 2 * geometry.filterLength)
    inputSpectrum = PairSpectrum(length: geometry.filterLength)
    retarget(to: control, paths: paths)
  }

  /// Writes the estimated paths.
  ///
  /// - Parameter edges: Edges of the bands in bins.
  func read(into frame: inout Binaural<GainFrame>, edges: borrowing Buffer, bandCount: Int) {
    canceller.ears.left.estimate.read(into: &frame.left, edges: edges, bandCount: bandCount)
    canceller.ears.right.estimate.read(into: &frame.right, edges: edges, bandCount: bandCount)
  }

  /// Bins of an estimated path, Hz.
  var binWidth: Double { canceller.binWidth }

  /// Moves to another setting.
  mutating func retarget(to control: FeedbackControl, paths: borrowing Binaural<PathPrior>) {
    canceller.retarget(to: control, paths: paths)
    shifter.retarget(to: control.frequencyShift)
    isNotching = control.isNotching
  }

  /// Clears everything remembered of the sound; the estimated paths stay.
  mutating func reset() {
    canceller.reset()
    shifter.reset()
    input.fill(0)
    ownPower = Binaural(both: nil)
  }

  /// Cancels feedback in the newest frames of the input, before their spectrum is made.
  mutating func processInput(_ microphones: inout Buffer, frames: Int) {
    guard canceller.isActive else { return }
    if isNotching && (canceller.ears.left.howls.isSuspicious || canceller.ears.right.howls.isSuspicious) {
      input.shiftDown(by: 2 * frames)
      let (from, to) = (microphones.count - 2 * frames, input.count - 2 * frames)
      for n in 0..<2 * frames { input[to + n] = microphones[from + n] }
    }
    canceller.process(&microphones, frames: frames)
  }

  /// Detects tones and howls in the spectrum of the input.
  mutating func processSpectrum(_ spectrum: borrowing PairSpectrum) {
    let (isCancelling, isNotching) = (canceller.isActive, self.isNotching)
    let isActive = canceller.ears.left.howls.isActive || canceller.ears.right.howls.isActive
    guard isCancelling || isNotching || isActive else { return }
    hop += 1
    guard hop >= hopsPerReading else { return }
    hop = 0
    if isCancelling, canceller.ears.left.howls.isProbing || canceller.ears.right.howls.isProbing {
      inputSpectrum.process(input)
    }
    canceller.ears.forEach(spectrum.ears, inputSpectrum.ears) {
      $0.processSpectrum($1, input: $2, isCancelling: isCancelling, isNotching: isNotching)
    }
  }

  /// Shifts and notches a hop of the microphones' sound, before anything is added to it.
  ///
  /// - Parameter isAdded: Other sound is added before the limiter.
  mutating func processOutput(
    _ left: inout Samples, _ right: inout Samples, from start: Int, frames: Int, isAdded: Bool
  ) {
    if shifter.isActive { shifter.process(&left, &right, from: start, frames: frames) }
    canceller.ears.left.howls.sections.process(&left, from: start, frames: frames)
    canceller.ears.right.howls.sections.process(&right, from: start, frames: frames)
    let isNeeded = isAdded && isNotching
    ownPower.left = isNeeded ? Self.power(left, from: start, frames: frames) : nil
    ownPower.right = isNeeded ? Self.power(right, from: start, frames: frames) : nil
  }

  /// Mean square of a hop, in four lanes that do not wait for each other.
  private static func power(_ samples: borrowing Samples, from start: Int, frames: Int) -> Float {
    precondition(start >= 0 && start + frames <= samples.count)
    var squares = SIMD4<Float>()
    let whole = start + frames / 4 * 4
    for n in stride(from: start, to: whole, by: 4) {
      let four = unsafe SIMD4(
        samples[unchecked: n], samples[unchecked: n + 1], samples[unchecked: n + 2],
        samples[unchecked: n + 3])
      squares += four * four
    }
    var square = squares.sum()
    for n in whole..<start + frames { square += samples[n] * samples[n] }
    return square / Float(frames)
  }

  /// Asks for an ear that goes on howling to be attenuated behind the limiter, which would make up for it before.
  mutating func processRequest(_ request: inout OutputRequest, frames: Int) {
    request.left = canceller.ears.left.howls.relief.process(frames: frames)
    request.right = canceller.ears.right.howls.relief.process(frames: frames)
  }

  /// Stores the hop as it is played, and the state of the limiter: the canceller needs the sound that leaves.
  mutating func processPlayed(
    _ left: borrowing Samples, _ right: borrowing Samples, from start: Int, frames: Int,
    played: OutputReport
  ) {
    let ramp = played.ramp
    canceller.ears.forEach(played.ears, ownPower) { $0.processPlayed($1, ramp: ramp, own: $2) }
    canceller.history.process(left, right, from: start, frames: frames)
  }
}
