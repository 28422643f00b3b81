import Acoustics
import AudioIO
import AudioIOTesting
import Base
import Fitting
import Glibc
import Realtime

@testable import Engine

/// The whole live path on a scripted card, on the caller's thread and in virtual time.
///
/// The room holds a 1 kHz tone, louder on the left. The prescription takes 20 dB away, so that a sample
/// that did not go through the chain is ten times as large as any that did.
final class LiveBench: @unchecked Sendable {
  static let rate = 44_100.0
  static let period = 64
  /// Frames of silence that playback starts with: three periods.
  static let prefill = 192
  /// Time from silence to full sound, s: the shortest there is.
  static let rise = 0.05
  static let riseFrames = 2205
  /// Time from full sound to silence, s.
  static let fall = 0.02
  static let fallFrames = 882
  /// Amplitude of the tone in the room, 94 and 88 dB SPL where full scale is 120: below every limit.
  static let amplitude = Binaural<Float>(left: 0.05, right: 0.025)
  /// What 20 dB less are as a factor.
  static let factor: Float = 0.1

  let rig: FakeRig
  let state = LoopState()
  /// How long the loop pauses between attempts to open.
  var backoff = Backoff(first: 0.001, longest: 0.008)
  /// Folder of devices' files; nil: none is watched.
  var deviceFolder: String?
  /// Longest wait for news of them, s.
  var longestWait = 5.0
  private(set) var stop: StopSignal
  let settings: AidSettings

  /// Events other than blocks, as they came.
  private(set) var events: [StreamEvent] = []
  /// What the loop was told about its latency, frames.
  var latencies: [Int] = []
  /// Blocks written.
  var blocks = 0
  /// Attempts to open the devices, and when they were made (real time, s).
  private(set) var attempts: [Double] = []
  /// What the loop said of itself when it began to close the devices.
  private(set) var closings: [AidState] = []
  /// Since when devices were being closed, as it told then.
  private(set) var closingTimes: [Double?] = []
  /// Whether the bench had to end a run that would not end.
  private(set) var ranAway = false
  private var plan: [(block: Int, action: () -> Void)] = []
  private var beforeOpening: (Int) -> Void = { _ in }
  private var choosing: ((Int) -> Void)?
  private var beforeEachBlock: () -> Void = {}
  private var waits = 0
  private var isPaced = false
  /// No test needs more waits or attempts than these.
  var waitLimit = 20_000
  private static let attemptLimit = 200

  /// - Parameter recordingCapacity: Frames of what is heard that are kept.
  init(recordingCapacity: Int = 1 << 18, _ change: (inout AidSettings) -> Void = { _ in }) throws {
    rig = FakeRig(recordingCapacity: recordingCapacity)
    stop = try StopSignal()
    var wishes = AidSettings(
      hearing: Self.hearing(gain: -20), captureName: "fake", playbackName: "fake", ramp: Self.rise)
    change(&wishes)
    settings = wishes
    rig.source = { frame, channel in
      Self.tone(frame) * (channel == 0 ? Self.amplitude.left : Self.amplitude.right)
    }
  }

  /// The tone in the room, full scale.
  static func tone(_ frame: Int) -> Float { Float(sin(2 * .pi * 1000 * Double(frame) / rate)) }

  /// The same gain at all levels and frequencies, dB.
  static func hearing(gain: Double) -> HearingSettings {
    HearingSettings(
      audiograms: Binaural(both: StandardAudiogram.n1.audiogram), rule: FlatRule(gain: Binaural(both: gain))
    )
  }

  // MARK: - Orders

  /// Does something just before the loop waits for block number `block`.
  func before(block: Int, _ action: @escaping () -> Void) {
    plan.append((block, action))
    plan.sort { $0.block < $1.block }
  }

  /// Does something before each attempt to open the devices, counted from 1.
  func beforeOpening(_ action: @escaping (Int) -> Void) { beforeOpening = action }

  /// Does something each time the loop chooses its devices, before the attempt of this number.
  func beforeChoosing(_ action: @escaping (Int) -> Void) { choosing = action }

  /// Does something each time before the loop waits for a block.
  func beforeEachBlock(_ action: @escaping () -> Void) { beforeEachBlock = action }

  /// Runs the loop until block number `end`, then stops it.
  func run(until end: Int) {
    before(block: end) { [self] in stop.request() }
    run { [settings] in settings }
  }

  /// Runs the loop until something stops it.
  ///
  /// - Parameter settings: Asked by the loop when it builds a chain.
  func run(_ settings: @escaping @Sendable () -> AidSettings) { run(state, stop, settings) }

  /// An aid on this bench, whose audio thread has the rig to itself while it runs: a test acts through
  /// ``before(block:_:)`` and ``beforeOpening(_:)``.
  func aid() -> HearingAid {
    waitLimit = .max
    isPaced = true
    return HearingAid(settings: settings) { [self] state, stop, settings in run(state, stop, settings) }
  }

  private func run(
    _ state: LoopState, _ stop: StopSignal, _ settings: @escaping @Sendable () -> AidSettings
  ) {
    self.stop = stop
    let stream = ObservedStream(
      base: DuplexStream(
        capture: rig.device(.capture), playback: rig.device(.playback), clock: rig.clock,
        request: settings().stream, wakeDescriptor: stop.descriptor),
      bench: self)
    var loop = AudioLoop(
      stream: stream, settings: settings, state: state, backoff: backoff, deviceFolder: deviceFolder,
      longestWait: longestWait)
    if choosing != nil {
      loop.choose = { [self] _ in
        choosing?(attempts.count + 1)
        return nil
      }
    }
    loop.run(until: stop)
  }

  // MARK: - What the stream tells

  func willOpen() {
    attempts.append(SystemTime.monotonic)
    if attempts.count > Self.attemptLimit { runAway() }
    beforeOpening(attempts.count)
  }

  func willClose() {
    closings.append(state.state)
    closingTimes.append(state.closingSince)
  }

  func willWait() {
    // With real-time priority the thread would keep its processor to itself.
    if isPaced { usleep(50) }
    beforeEachBlock()
    waits += 1
    if waits > waitLimit { runAway() }
    while let next = plan.first, next.block <= blocks {
      plan.removeFirst()
      next.action()
    }
  }

  func note(_ event: StreamEvent) -> StreamEvent {
    if event != .block { events.append(event) }
    return event
  }

  private func runAway() {
    ranAway = true
    stop.request()
  }

  // MARK: - What was found

  /// Faults after which the stream ran again.
  var restarts: [StreamFault] {
    events.compactMap { if case .restarted(let fault, _) = $0 { fault } else { nil } }
  }

  /// Faults after which the devices had to be opened again.
  var losses: [StreamFault] {
    events.compactMap { if case .lost(let fault) = $0 { fault } else { nil } }
  }

  /// What one ear heard.
  func heard(_ ear: Ear) -> [Float] { ear == .left ? rig.heardLeft : rig.heardRight }

  /// Stretches of what was heard between two starts of the converter.
  var runs: [Range<Int>] {
    let starts = rig.runs.map(\.index)
    return zip(starts, starts.dropFirst() + [rig.heardLeft.count]).map { $0..<$1 }
  }

  /// Greatest factor that the rise allows `frames` frames after silence, by its formula 3x² − 2x³.
  static func riseFactor(_ frames: Int) -> Float {
    let x = Float(min(frames, riseFrames)) / Float(riseFrames)
    return x * x * (3 - 2 * x)
  }

  /// Greatest share of its amplitude by which the tone is off centre so many frames after a start, because the block for
  /// direct current takes away the mean of what it has seen: Σ sin over n frames is at most 1 / sin(π·f/fs), so the mean is at most
  /// 1 / (n · sin(π·f/fs)). From 1 / (2π·5 Hz/fs) = 1404 frames on it is forgotten at 5 Hz and stays below 2 %.
  static func offCentre(_ frames: Int) -> Float {
    Float(min(1, max(0.02, 1 / (Double(max(1, frames)) * sin(.pi * 1000 / rate)))))
  }

  /// The same at the end of the shortest rise, 2205 frames: 1 / (1404 · sin(π·f/fs)) · e^(−801/1404), 0.05 dB.
  static let offCentreAfterRise: Float = 0.006

  /// Amplitude of the 1 kHz tone in a stretch, by correlation.
  static func amplitude(of samples: ArraySlice<Float>) -> Double {
    var (c, s) = (0.0, 0.0)
    for n in samples.indices {
      let phase = 2 * Double.pi * 1000 * Double(n) / rate
      c += Double(samples[n]) * cos(phase)
      s += Double(samples[n]) * sin(phase)
    }
    return 2 * (c * c + s * s).squareRoot() / Double(max(samples.count, 1))
  }
}
