import Acoustics
import AudioIO
import CommonTesting
import Glibc

@testable import Engine

/// A sound card whose microphones hear its own earphones, by paths that a test knows, and noise.
///
/// Runs as fast as it is asked; nothing waits for a clock.
final class EchoRoom: @unchecked Sendable {
  static let rate = 48_000.0
  static let period = 64
  /// What the card says of its own delay, frames, as a rule.
  static let latency = 192
  /// Every this many readings it says two periods less; 0: never.
  var readingsPerError = 0
  private var readings = 0

  /// Frames from leaving to the first tap.
  var delay = 300
  /// Taps behind the delay, from each earphone to each microphone.
  var paths: [(from: Ear, to: Ear, taps: [Float])] = []
  /// RMS of the noise of each microphone, full scale.
  var noise = Binaural<Float>(both: 3e-6)
  /// Nothing in the room waits for a clock but the test itself, whose processors others use as well.
  var patience = TakePlayer.Patience(opening: 120, reopening: 60, take: 120)
  /// Called before each block; counts from 0.
  var before: (EchoRoom, Int) -> Void = { _, _ in }
  /// Events instead of the next blocks.
  var events: [StreamEvent] = []
  var openError: PCMOpenError?
  /// Frames played before each opening of the card.
  fileprivate(set) var openings: [Int] = []
  /// Times that sound began after silence.
  private(set) var takes = 0
  /// For a test's own use.
  var marks = 0
  private var wasSilent = true
  /// Frames since sound last began after silence.
  private(set) var framesSounding = 0
  /// Peak of all that was played.
  private(set) var peak: Float = 0

  /// All that was played; to be read when the aid has stopped.
  private(set) var sent = Binaural(both: [Float]())
  private var state = seed
  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
  var blocks = 0

  /// A path like that of a vented earpiece: a few taps that ring around `frequency` and fade in a
  /// millisecond.
  static func vent(peak: Float, around frequency: Double = 3000) -> [Float] {
    (0..<96).map { n in
      let time = Double(n) / rate
      return peak * Float(exp(-time / 0.0004) * sin(2 * .pi * frequency * time + 0.7))
    }
  }

  /// |F|, dB, of taps at a frequency, by the definition of the transform.
  static func level(_ taps: [Float], at frequency: Double) -> Double {
    var (c, s) = (0.0, 0.0)
    for (n, tap) in taps.enumerated() {
      let phase = 2 * .pi * frequency * Double(n) / rate
      c += Double(tap) * cos(phase)
      s += Double(tap) * sin(phase)
    }
    return 10 * log10(c * c + s * s)
  }

  /// An aid in this room, not started.
  func aid(_ change: (inout AidSettings) -> Void = { _ in }) -> HearingAid {
    var settings = AidSettings(captureName: "room", playbackName: "room", ramp: 0.05)
    settings.stream = StreamRequest(rate: Int(Self.rate), period: Self.period)
    change(&settings)
    return HearingAid(settings: settings, patience: patience) { [self] state, stop, settings in
      var loop = AudioLoop(stream: EchoStream(room: self), settings: settings, state: state)
      loop.run(until: stop)
    }
  }

  /// What it says of its own delay now.
  func tellLatency() -> Int {
    readings += 1
    return readingsPerError > 0 && readings % readingsPerError == 1
      ? Self.latency - 2 * Self.period : Self.latency
  }

  func next() -> StreamEvent {
    // The audio thread may have the only processor to itself.
    if blocks % 64 == 0 { usleep(20) }
    before(self, blocks)
    blocks += 1
    return events.isEmpty ? .block : events.removeFirst()
  }

  func hear(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    var heard = Binaural(both: [Float](repeating: 0, count: Self.period))
    for index in 0..<Self.period {
      heard.left[index] = noise.left * Self.gaussian(&state)
      heard.right[index] = noise.right * Self.gaussian(&state)
    }
    let now = sent.left.count - delay
    for path in paths {
      let echo = FiniteResponse(path.taps).output(of: sent[path.from], at: now..<now + Self.period)
      for index in echo.indices { heard[path.to][index] += echo[index] }
    }
    for index in 0..<Self.period {
      left[index] = min(max(heard.left[index], -1), 1)
      right[index] = min(max(heard.right[index], -1), 1)
    }
  }

  func play(_ left: Span<Float>, _ right: Span<Float>) {
    var isSilent = true
    for index in 0..<Self.period {
      isSilent = isSilent && left[index] == 0 && right[index] == 0
      sent.left.append(left[index])
      sent.right.append(right[index])
      peak = max(peak, abs(left[index]), abs(right[index]))
    }
    if wasSilent, !isSilent {
      takes += 1
      // However long the thread waited for its order: each take has a noise of its own, the same in every
      // run.
      state = Self.seed &+ UInt64(takes)
    }
    framesSounding = isSilent || wasSilent ? 0 : framesSounding + Self.period
    wasSilent = isSilent
  }

  /// Deterministic, variance 1: the sum of twelve even numbers less 6.
  private static func gaussian(_ state: inout UInt64) -> Float {
    var sum: Float = -6
    for _ in 0..<12 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      sum += Float(state >> 40) * 0x1p-24
    }
    return sum
  }
}

/// The room as a stream.
struct EchoStream: SoundStream, ~Copyable {
  let room: EchoRoom
  private(set) var captureFormat: StreamFormat?
  private(set) var playbackFormat: StreamFormat?

  init(room: EchoRoom) { self.room = room }

  var captureName: String { "room" }
  var playbackName: String { "room" }
  var period: Int { EchoRoom.period }
  var counters: StreamCounters { StreamCounters() }
  var drift: ClockDrift { .shared }

  mutating func open() throws(PCMOpenError) {
    if let error = room.openError { throw error }
    room.openings.append(room.sent.left.count)
    let format = StreamFormat(
      rate: Int(EchoRoom.rate), channels: 2, format: .signed32, period: EchoRoom.period,
      buffer: 3 * EchoRoom.period)
    captureFormat = format
    playbackFormat = format
  }
  mutating func close() {}
  mutating func wait() -> StreamEvent { room.next() }
  mutating func read(left: inout MutableSpan<Float>, right: inout MutableSpan<Float>) -> StreamEvent {
    room.hear(&left, &right)
    return .block
  }
  mutating func write(left: Span<Float>, right: Span<Float>) -> StreamEvent {
    room.play(left, right)
    return .block
  }
  mutating func measureLatency() -> Int? { room.tellLatency() }
}

extension HearingAid {
  /// A test with an aid that is not started, and is not afterwards.
  func measure(
    _ ears: [Ear], at moment: Double, repeats: (FeedbackFault) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { false }
  ) throws(FeedbackFault) -> [(ear: Ear, measurement: FeedbackMeasurement)] {
    do { try startSilently() } catch { throw .system("\(error)") }
    defer { stop() }
    return try measureFeedback(ears, at: moment, repeats: repeats, isCancelled: isCancelled)
  }
}
