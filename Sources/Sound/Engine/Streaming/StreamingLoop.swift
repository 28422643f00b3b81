import AudioIO
import Base
import Glibc
import HearingDSP
import Realtime

/// Work of the stream's thread: open its device, read it at the pace of the aid, send it through the prescription, push it
/// into the feed.
///
/// Whatever happens to the device, the audio thread finds frames or none. After each gap nothing is pushed until the feed
/// has run out, so that the sound falls, is silent and rises anew.
///
/// - Threads: created on control, the rest on the stream's thread.
struct StreamingLoop<Device: PCMDevice & ~Copyable>: ~Copyable {
  /// Time without a frame after which a device is opened again, s. Own choice: as long as the aid's own takes at most.
  static var patience: Double { 1 }
  /// Times that a device is begun anew without a frame in between; then it is closed, and opened later. Own
  /// choice: a server that has gone answers each time with the same, and its plugin takes memory each time.
  static var restartLimit: Int { 3 }
  /// Pause before a device is tried again whose clock is too far off, s. Own choice: it will hardly have changed.
  static var outOfStepPause: Double { 10 }
  /// Interruptions of the sound within ``breakTime``, s, after which the device counts as unusable for a while: one that
  /// delivers much more or less than its rate says would be heard in pieces. Own choice.
  static var breakLimit: Int { 3 }
  static var breakTime: Double { 5 }
  /// Time that waits in the feed for a thread that is late, s. Own choice: of lower priority, it may lose its processor for
  /// as long; a delay of some 20 ms is nothing to music and little to a call (ITU-T G.114: 150 ms, from memory).
  static var margin: Double { 0.01 }
  /// Longest time between two deliveries for which the feed holds sound, s. Own choice: one that pauses for longer is heard in
  /// pieces, rather than with an echo of what the microphones hear.
  static var longestBurst: Double { 0.05 }
  /// Time for which the feed may stand still before nobody counts as taking from it, s: ten blocks of the longest aid.
  static var standstill: Double { 0.25 }
  /// Longest wait for the device, s.
  static var longestWait: Double { 0.1 }

  let channel: StreamingChannel
  let make: (String) -> PacedCapture<Device>
  var capture: PacedCapture<Device>
  var chain: StreamingChain?
  var setting: StreamingChain.Setting?
  var backoff = Backoff(first: 0.1, longest: 2)
  var reading = StreamingReading()
  /// True until the feed has run out of what was before a gap.
  var isDraining = true
  /// Most frames that arrived at once since the device was opened, a period at least: pointers may move in greater steps, as of
  /// a loopback card (by 4 ms at 250 ticks a second) or of a thread that is late.
  var burst = 0
  /// Frames that are to wait in the feed for sound to begin.
  var target = 0
  /// Frames that are to wait on average; nil: found when the aid next takes any.
  var aim: Int?
  /// Frames read since the delay was measured last: once for each period.
  var unmeasured = 0
  /// Times that the device was begun anew since it delivered last.
  var restarts = 0
  /// When the device delivered last, and when the feed was last seen to move, s.
  var (lastSound, lastTaking) = (0.0, 0.0)
  var taken = 0
  /// Interruptions of the feed when it was looked at last.
  var steeredBreaks = 0
  /// Interruptions of the feed before those that count now, and since when these do, s.
  var (formerBreaks, breaksSince) = (0, 0.0)

  /// - Parameter make: A closed device by its name.
  init(_ channel: StreamingChannel, make: @escaping (String) -> PacedCapture<Device>) {
    self.channel = channel
    self.make = make
    capture = make("")
  }

  /// Works until `stop` is requested.
  mutating func run(until stop: StopSignal) {
    while !stop.isRequested {
      let pause = step(atMost: Self.longestWait, orUntil: stop.descriptor)
      if pause > 0 { channel.rest(pause) }
    }
    close(.off)
  }

  /// Does what can be done now.
  ///
  /// - Parameters:
  ///   - time: Longest wait for the device, s.
  ///   - descriptor: Ends the wait when readable.
  /// - Returns: Time to rest before the next step, s; less when something else is wanted.
  mutating func step(atMost time: Double, orUntil descriptor: Int32) -> Double {
    let request = channel.wanted
    guard let device = request.device else {
      channel.feed.isFlowing = false
      close(.off)
      return 3600
    }
    guard let wanted = request.setting else {
      close(.waiting(reason: "the aid does not sound"))
      return 3600
    }
    if capture.name != device {
      close(.off)
      capture = make(device)
      backoff.reset()
    }
    if let refusal = adapt(to: wanted) { return wait(refusal, 3600) }
    if capture.format == nil, let pause = open(beside: request.earphones) { return pause }
    channel.beginCall(on: capture.name)
    defer { channel.endCall() }
    let isReady = capture.wait(atMost: time, orUntil: descriptor)
    return transfer(isExpected: isReady)
  }

  var now: Double { capture.now }

  // MARK: - Ending

  /// The device is of no use for now.
  mutating func lose(_ reason: String, _ pause: Double) -> Double {
    reading.losses += 1
    return wait(reason, pause)
  }

  mutating func wait(_ reason: String, _ pause: Double) -> Double {
    close(.waiting(reason: reason))
    return pause
  }

  /// Gives the device back; what waits in the feed falls to silence.
  mutating func close(_ state: StreamingReading.State) {
    channel.feed.target = 0
    channel.feed.isSounding = false
    tell(state)
    guard capture.format != nil else { return }
    // Last: a sound server that hangs lets nobody finish it.
    channel.beginCall(on: capture.name)
    capture.close()
    channel.endCall()
  }

  /// Tells that nothing is delivered.
  private mutating func tell(_ state: StreamingReading.State) {
    let device = capture.name.isEmpty ? nil : capture.name
    guard reading.state != state || reading.device != device else { return }
    (reading.state, reading.format, reading.level) = (state, nil, StreamingReading().level)
    reading.device = state == .off ? nil : device
    (reading.drift, reading.delay) = (.settling, 0)
    channel.reading = reading
  }
}
