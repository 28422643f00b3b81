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
  private static var patience: Double { 1 }
  /// Times that a device is begun anew without a frame in between; then it is closed, and opened later. Own
  /// choice: a server that has gone answers each time with the same, and its plugin takes memory each time.
  private static var restartLimit: Int { 3 }
  /// Pause before a device is tried again whose clock is too far off, s. Own choice: it will hardly have changed.
  private static var outOfStepPause: Double { 10 }
  /// Interruptions of the sound within ``breakTime``, s, after which the device counts as unusable for a while: one that
  /// delivers much more or less than its rate says would be heard in pieces. Own choice.
  private static var breakLimit: Int { 3 }
  private static var breakTime: Double { 5 }
  /// Time that waits in the feed for a thread that is late, s. Own choice: of lower priority, it may lose its processor for
  /// as long; a delay of some 20 ms is nothing to music and little to a call (ITU-T G.114: 150 ms, from memory).
  private static var margin: Double { 0.01 }
  /// Longest time between two deliveries for which the feed holds sound, s. Own choice: one that pauses for longer is heard in
  /// pieces, rather than with an echo of what the microphones hear.
  private static var longestBurst: Double { 0.05 }
  /// Time for which the feed may stand still before nobody counts as taking from it, s: ten blocks of the longest aid.
  private static var standstill: Double { 0.25 }
  /// Time after which is looked again whether the aid's devices deliver, s. Own choice: some blocks.
  private static var deliveryTime: Double { 0.05 }
  /// Times in a row after which they count as silent.
  private static var refusalLimit: Int { 5 }
  /// Longest wait for the device, s.
  static var longestWait: Double { 0.1 }

  private let channel: StreamingChannel
  private let make: (String) -> PacedCapture<Device>
  private var capture: PacedCapture<Device>
  private var chain: StreamingChain?
  private var setting: StreamingChain.Setting?
  private var backoff = Backoff(first: 0.1, longest: 2)
  private var reading = StreamingReading()
  /// True until the feed has run out of what was before a gap.
  private var isDraining = true
  /// Most frames that arrived at once since the device was opened, a period at least: pointers may move in greater steps, as of
  /// a loopback card (by 4 ms at 250 ticks a second) or of a thread that is late.
  private var burst = 0
  /// Frames that are to wait in the feed for sound to begin.
  private var target = 0
  /// Frames that are to wait on average; nil: found when the aid next takes any.
  private var aim: Int?
  /// Frames read since the delay was measured last: once for each period.
  private var unmeasured = 0
  /// Blocks of the aid when its devices were last found not to deliver; nil: not looked at.
  private var aidBlocks: Int?
  /// Times in a row that the aid's devices were found not to deliver.
  private var refusals = 0
  /// Times that the device was begun anew since it delivered last.
  private var restarts = 0
  /// When the device delivered last, and when the feed was last seen to move, s.
  private var (lastSound, lastTaking) = (0.0, 0.0)
  private var taken = 0
  /// Interruptions of the feed when it was looked at last.
  private var steeredBreaks = 0
  /// Interruptions of the feed before those that count now, and since when these do, s.
  private var (formerBreaks, breaksSince) = (0, 0.0)

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
    if capture.format == nil, let pause = open() { return pause }
    let isReady = capture.wait(atMost: time, orUntil: descriptor)
    return transfer(isExpected: isReady)
  }

  /// Builds the chain for a setting, or moves the present one to it.
  ///
  /// - Returns: Reason for which there is none.
  private mutating func adapt(to wanted: StreamingChain.Setting) -> String? {
    guard let present = setting, present.geometry == wanted.geometry,
      present.parameters.bands == wanted.parameters.bands
    else {
      close(.off)
      let feed = channel.feed
      do throws(ChainError) {
        // Planning transforms takes longer than a real-time thread may compute.
        chain = try OrdinaryWork.make { () throws(ChainError) in try StreamingChain(wanted, feed: feed) }
        setting = wanted
        return nil
      } catch {
        setting = nil
        return "\(error)"
      }
    }
    if present.parameters.number != wanted.parameters.number { chain?.retarget(to: wanted) }
    setting = wanted
    return nil
  }

  /// Opens the device.
  ///
  /// - Returns: Pause before the next attempt, s; nil: it is open.
  private mutating func open() -> Double? {
    guard let geometry = setting?.geometry else { return 3600 }
    guard isOurTurn() else {
      refusals += 1
      // An aid that sounds is found to do so in a moment: what was told so far stays.
      guard refusals > Self.refusalLimit else { return Self.deliveryTime }
      return wait("the aid's devices deliver no sound", Self.deliveryTime)
    }
    refusals = 0
    let blockTime = Double(geometry.blockFrames) / geometry.sampleRate
    do throws(PCMOpenError) {
      try capture.open(rate: Int(geometry.sampleRate), jitter: blockTime)
    } catch {
      channel.order.endStream()
      return wait("\(error)", backoff.next())
    }
    chain?.reset()
    restarts = 0
    burst = capture.period
    aimFor(geometry)
    drain()
    channel.feed.isFlowing = true
    lastSound = now
    (reading.state, reading.device, reading.format) = (.flowing, capture.name, capture.format)
    channel.reading = reading
    return nil
  }

  /// True when the device may be opened; a card's own does not depend on any server.
  private mutating func isOurTurn() -> Bool {
    let former = DevicePlace.isOnCard(capture.name) ? -1 : aidBlocks
    aidBlocks = nil
    if channel.order.beginStream(since: former) { return true }
    aidBlocks = channel.order.delivered
    return false
  }

  /// Finds how much is to wait: what the audio thread needs, what arrives at once, and what a late thread takes.
  private mutating func aimFor(_ geometry: ChainGeometry) {
    let spare = max(capture.period, Int(Self.margin * geometry.sampleRate))
    target = min((chain?.leastTarget ?? 0) + burst + spare, StreamingFeed.greatestTarget)
    reading.delay = Double(target) / geometry.sampleRate
  }

  /// Notes how many frames arrived at once. What waits while sound flows stays: the next beginning waits for more.
  private mutating func note(burst got: Int) {
    guard let geometry = setting?.geometry, got > burst else { return }
    burst = max(burst, min(got, Int(Self.longestBurst * geometry.sampleRate)))
    aimFor(geometry)
    if !isDraining { channel.feed.target = target }
  }

  /// Reads what there is and passes it on.
  ///
  /// - Parameter isExpected: True when the device says that there is something.
  private mutating func transfer(isExpected: Bool) -> Double {
    var isHeard = false
    var got = 0
    reading: while true {
      switch capture.read() {
      case .sound(let frames):
        (isHeard, restarts) = (true, 0)
        unmeasured += frames
        got += frames
        pass(frames)
        // As of ALSA's null device: it would keep the thread for ever.
        guard got <= StreamingFeed.room else {
          return lose("it delivers sound without end, faster than any clock", Self.outOfStepPause)
        }
      case .nothing: break reading
      case .restarted(let fault):
        drain()
        restarts += 1
        guard restarts <= Self.restartLimit else {
          return lose("\(fault), again and again", backoff.next())
        }
        reading.losses += 1
        lastSound = now
        // Nothing is there before it has been waited for.
        break reading
      case .lost(let fault): return lose("\(fault)", backoff.next())
      }
    }
    if isHeard {
      note(burst: got)
      lastSound = now
      backoff.reset()
      if unmeasured >= capture.period { steer() }
      reading.level = chain?.inputLevel ?? -200
      reading.drift = capture.drift
      channel.reading = reading
    } else if now - lastSound > Self.patience {
      return lose("it delivers no sound", backoff.next())
    } else if isExpected {
      capture.pause()
    }
    guard !capture.isOutOfStep else {
      return lose("its clock differs by more than 0.5 % from the aid's", Self.outOfStepPause)
    }
    guard !breaksTooOften() else {
      return lose("it breaks off again and again: its rate is not what it says", Self.outOfStepPause)
    }
    return 0
  }

  /// Lets the feed run out before anything new is pushed.
  private mutating func drain() {
    chain?.reset()
    isDraining = true
    channel.feed.target = 0
  }

  /// Passes on what was read, once the feed has run out of what was before a gap.
  private mutating func pass(_ frames: Int) {
    if isDraining, channel.feed.waiting == 0 {
      isDraining = false
      channel.feed.target = target
    }
    if !isDraining { chain?.process(left: capture.left, right: capture.right, count: frames) }
  }

  /// Corrects the ratio by what waits, while somebody takes it.
  private mutating func steer() {
    let feed = channel.feed
    unmeasured = 0
    if feed.interruptions != steeredBreaks {
      // What waits grows anew from nothing.
      steeredBreaks = feed.interruptions
      (taken, lastTaking) = (feed.taken, -.infinity)
    }
    if feed.taken != taken { (taken, lastTaking) = (feed.taken, now) }
    let waiting = feed.waiting + (chain?.pending ?? 0)
    guard !isDraining, now - lastTaking < Self.standstill, waiting < 2 * target else {
      // It piles up, or has just begun: that is no drift.
      aim = nil
      return capture.steerNothing()
    }
    // Sound begins up to a delivery above the target; to correct that would detune the first seconds.
    let wanted = aim ?? min(max(waiting, target), target + burst)
    aim = wanted
    capture.steer(excess: waiting - wanted)
  }

  /// True when the sound was interrupted too often in a short time.
  private mutating func breaksTooOften() -> Bool {
    let breaks = channel.feed.interruptions
    guard breaks - formerBreaks >= Self.breakLimit || now - breaksSince > Self.breakTime else {
      return false
    }
    let isOften = breaks - formerBreaks >= Self.breakLimit
    (formerBreaks, breaksSince) = (breaks, now)
    return isOften
  }

  private var now: Double { capture.now }

  // MARK: - Ending

  /// The device is of no use for now.
  private mutating func lose(_ reason: String, _ pause: Double) -> Double {
    reading.losses += 1
    return wait(reason, pause)
  }

  private mutating func wait(_ reason: String, _ pause: Double) -> Double {
    close(.waiting(reason: reason))
    return pause
  }

  /// Gives the device back; what waits in the feed falls to silence.
  private mutating func close(_ state: StreamingReading.State) {
    if capture.format != nil {
      capture.close()
      channel.order.endStream()
    }
    channel.feed.target = 0
    channel.feed.isSounding = false
    let device = capture.name.isEmpty ? nil : capture.name
    guard reading.state != state || reading.device != device else { return }
    (reading.state, reading.format, reading.level) = (state, nil, StreamingReading().level)
    reading.device = state == .off ? nil : device
    (reading.drift, reading.delay) = (.settling, 0)
    channel.reading = reading
  }
}
