import AudioIO

/// A sound card that exists only in a script: virtual time, two directions, and faults on command.
///
/// Time stands still until somebody waits (``FakeClock``) or a test calls ``advance(_:)``; then the pointers
/// move as a card's would, with a drift in parts per million for each direction. All that is written is
/// kept, and so is all that is heard, which differs after a mishap.
///
/// The default source writes the time into the sound: the left sample of capture frame `n` is `n / 2^24`,
/// which a `Float` holds exactly, so that ``heardLatencies()`` can be read off what comes out.
///
/// - Threads: one at a time.
package final class FakeRig: @unchecked Sendable {
  /// Now, s.
  package internal(set) var time = 0.0
  /// The name by which both directions are opened.
  package var name = "fake"
  /// What a device says it can do.
  package var offer: DeviceOffer
  /// Channels that capture has; nil: two, or as near to two as ``offer`` comes.
  package var captureChannels: Int?
  /// Formats of a rate that has not all of ``offer``'s, Hz.
  package var formatsOfRate: [Int: [SampleFormat]] = [:]
  /// Whether the two directions can be linked.
  package var isLinkable = true
  /// Whether both directions have one oscillator by their own account.
  package var sharesClock = true
  /// Time that each start takes, s.
  package var startDuration = 0.0
  /// Whether a suspended device can resume; one that cannot says ENOSYS.
  package var resumes = true
  /// Times a resuming device says "not yet".
  package var resumeDelay = 2
  /// Frames that playback goes on through its buffer before it notices that it has run empty: 5 ms at 44.1 kHz, as was
  /// recorded of snd-aloop. They are old sound, unless the buffer was silenced.
  package var overshoot = 220
  /// Time by which capture begins after playback when linked devices start, s; negative when before.
  package var captureLag = 0.0
  /// Frames that playback holds already when it has been prepared.
  package var leftover = 0
  /// Frames that playback takes out of its buffer ahead of playing them, as USB drivers do.
  package var takenAhead: Int {
    get { playback.takenAhead }
    set { playback.takenAhead = newValue }
  }
  /// Directions of the devices that were claimed, in order.
  package var claims: [StreamDirection] = []
  /// True while another aid plays on the device.
  package var isClaimed = false
  /// Called before a direction is closed.
  package var beforeClosing: (StreamDirection) -> Void = { _ in }
  /// Why opening fails, if it does.
  package var openError: PCMOpenError?
  /// The sound in the room: sample of a capture frame and channel.
  package var source: @Sendable (_ frame: Int, _ channel: Int) -> Float = { frame, channel in
    Float(frame & 0xFF_FFFF) * 0x1p-24 * (channel == 0 ? 1 : -1)
  }

  /// All that was accepted for playback, left and right.
  package private(set) var writtenLeft: [Float] = []
  package private(set) var writtenRight: [Float] = []
  /// All that left the converter.
  package private(set) var heardLeft: [Float] = []
  package private(set) var heardRight: [Float] = []
  /// Where in what was heard each run began, and when.
  package private(set) var runs: [(index: Int, time: Double, speed: Double)] = []
  /// Calls made so far.
  package internal(set) var calls: [PCMCall: Int] = [:]
  /// Times either direction was opened.
  package internal(set) var opens = 0

  var capture = FakeSide(direction: .capture)
  var playback = FakeSide(direction: .playback)
  var isLinked = false
  /// True when the playback buffer turns to silence behind what is played.
  var silencesPlayed = false
  var script: [ScriptedFault] = []
  /// Why the last transfer was refused, `-errno`.
  var refusal = 0
  private var ringLeft: [Float] = []
  private var ringRight: [Float] = []
  /// Samples of one transfer, before they are in the ring.
  private var acceptedLeft: [Float] = []
  private var acceptedRight: [Float] = []
  private let recordingCapacity: Int

  /// - Parameter recordingCapacity: Frames kept of what is written and heard; the rest is forgotten. The
  ///   memory is taken at once, so that a test can count the allocations of others.
  package init(recordingCapacity: Int = 1 << 18) {
    self.recordingCapacity = recordingCapacity
    offer = DeviceOffer(
      rates: [44_100, 48_000, 96_000], formats: SampleFormat.preferred, channels: 1...8,
      period: 16...4096, buffer: 32...65_536)
    writtenLeft.reserveCapacity(recordingCapacity)
    writtenRight.reserveCapacity(recordingCapacity)
    heardLeft.reserveCapacity(recordingCapacity)
    heardRight.reserveCapacity(recordingCapacity)
    runs.reserveCapacity(4096)
    for call in PCMCall.allCases { calls[call] = 0 }
  }

  /// A device for each direction, and the clock they live by.
  package func device(_ direction: StreamDirection) -> FakePCM { FakePCM(self, direction) }
  package var clock: FakeClock { FakeClock(rig: self) }

  // MARK: - Orders

  /// Adds a line to the script; it counts calls from now on.
  package func schedule(_ fault: ScriptedFault) { script.append(fault) }

  /// Throws the rest of the script away.
  package func clearScript() { script = [] }

  /// Lets time pass while the program does something else.
  package func advance(_ seconds: Double) {
    time += seconds
    update()
  }

  /// Sets the deviation of an oscillator, parts per million.
  package func setDrift(_ direction: StreamDirection, _ partsPerMillion: Double) {
    update()
    withSide(direction) { $0.retune(partsPerMillion, at: time) }
  }

  /// Frames between two movements of a pointer, as of a device that works in bursts.
  package func setGranularity(_ direction: StreamDirection, _ frames: Int) {
    withSide(direction) { $0.granularity = frames }
  }

  /// Lets a direction move so many frames of time after each start, as behind a sound server or a radio.
  package func setStartLag(_ direction: StreamDirection, _ frames: Int) {
    withSide(direction) { $0.startLag = Double(frames) / Double($0.format.rate) }
  }

  /// Makes a direction a plugin's, which tells so many frames of delay beyond what waits in its buffer: codec
  /// and radio.
  package func setBehind(_ direction: StreamDirection, _ frames: Int) {
    withSide(direction) { ($0.behind, $0.isOnCard) = (frames, false) }
  }

  /// Pulls the plug of both directions, or of one.
  package func unplug(_ direction: StreamDirection? = nil) {
    update()
    for side in direction.map({ [$0] }) ?? StreamDirection.allCases {
      withSide(side) {
        $0.stop(.disconnected, at: time)
        $0.isPlugged = false
      }
      // The kernel gives linked streams the state of the one that it stops.
      let other: StreamDirection = side == .capture ? .playback : .capture
      if isLinked { withSide(other) { if $0.state == .running { $0.stop(.disconnected, at: time) } } }
    }
  }

  /// Puts the plug back.
  package func replug() {
    capture.isPlugged = true
    playback.isPlugged = true
  }

  /// Stops both pointers without a word, until the devices are prepared again.
  package func freeze() {
    update()
    for side in StreamDirection.allCases {
      withSide(side) {
        $0.origin = $0.position(at: time)
        $0.since = time
        $0.isFrozen = true
      }
    }
  }

  /// Lets time pass that the driver does not see, as when the whole machine stands still: each pointer moves on by what
  /// is left of that time after whole turns of its own buffer.
  package func passUnseen(_ seconds: Double) {
    update()
    let end = time + seconds
    for direction in StreamDirection.allCases {
      withSide(direction) { side in
        let turns = Int(seconds * side.speed) / side.format.buffer
        side.unseen += turns * side.format.buffer
        let past = Double(turns * side.format.buffer) / side.speed
        side.since += past
        if direction == .playback { time += past }
      }
    }
    beginRun()
    time = end
    update()
  }

  /// Puts the machine to sleep for a while.
  package func sleep(_ seconds: Double) {
    update()
    for side in StreamDirection.allCases { suspend(side) }
    time += seconds
  }

  // MARK: - What was heard

  /// Frames between the room and the ear, of every heard sample that came from the default source.
  package func heardLatencies() -> [Double] {
    var result: [Double] = []
    for (n, run) in runs.enumerated() {
      let end = n + 1 < runs.count ? runs[n + 1].index : heardLeft.count
      for index in run.index..<max(end, run.index) where heardLeft[index] != 0 {
        let heardAt = run.time + Double(index - run.index) / run.speed
        result.append(heardAt * Double(capture.format.rate) - Double(heardLeft[index]) * 0x1p24)
      }
    }
    return result
  }

  /// Forgets what was written and heard so far; only the end of a long run is looked at.
  package func forgetRecording() {
    writtenLeft.removeAll(keepingCapacity: true)
    writtenRight.removeAll(keepingCapacity: true)
    heardLeft.removeAll(keepingCapacity: true)
    heardRight.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
  }

  // MARK: - The machine

  func withSide<Result>(_ direction: StreamDirection, _ body: (inout FakeSide) -> Result) -> Result {
    switch direction {
    case .capture: body(&capture)
    case .playback: body(&playback)
    }
  }

  /// Moves both pointers to now, and stops what ran over or empty.
  func update() {
    let captureEnd = capture.arrival(at: capture.limit)
    let playbackEnd = playback.arrival(at: playback.limit)
    // Linked, the first to stop stops the other, which must not move on before.
    for direction: StreamDirection in captureEnd < playbackEnd
      ? [.capture, .playback] : [.playback, .capture]
    {
      advancePointer(direction)
    }
  }

  private func advancePointer(_ direction: StreamDirection) {
    let side = direction == .capture ? capture : playback
    guard side.state == .running else { return }
    // A hundredth of a frame forgives the rounding of times.
    let exact = Int((side.position(at: time) + 0.01).rounded(.down))
    let reached = exact / side.granularity * side.granularity
    let now = min(max(reached, side.hardware), side.limit)
    if direction == .playback { hear(side.hardware..<now) }
    withSide(direction) { $0.hardware = now }
    if direction == .playback {
      hear(now..<min(max(reached, now), now + (reached >= side.limit ? overshoot : 0)))
    }
    if reached >= side.limit { overrun(direction, at: min(side.arrival(at: side.limit), time)) }
  }

  private func overrun(_ direction: StreamDirection, at moment: Double) {
    withSide(direction) { $0.stop(.xrun, at: moment) }
    let other: StreamDirection = direction == .capture ? .playback : .capture
    if isLinked, withSide(other, { $0.state }) == .running {
      withSide(other) { $0.stop(.xrun, at: moment) }
    }
  }

  func suspend(_ direction: StreamDirection) {
    withSide(direction) {
      guard $0.isOpen, $0.isPlugged, $0.state != .suspended else { return }
      $0.stop(.suspended, at: time)
      $0.resumesLeft = resumeDelay
    }
  }

  private func hear(_ frames: Range<Int>) {
    guard !ringLeft.isEmpty, !frames.isEmpty else { return }
    var place = frames.lowerBound % ringLeft.count
    for _ in frames {
      if heardLeft.count < recordingCapacity {
        heardLeft.append(ringLeft[place])
        heardRight.append(ringRight[place])
      }
      if silencesPlayed {
        ringLeft[place] = 0
        ringRight[place] = 0
      }
      place = place + 1 < ringLeft.count ? place + 1 : 0
    }
  }

  /// Gives the playback ring the size that was granted.
  func makeRing(frames: Int) {
    ringLeft = [Float](repeating: 0, count: frames)
    ringRight = [Float](repeating: 0, count: frames)
    acceptedLeft = [Float](repeating: 0, count: frames)
    acceptedRight = [Float](repeating: 0, count: frames)
  }

  /// Takes frames for playback, as many as the ring has at most.
  ///
  /// - Parameter first: Number of the first one since the device was prepared.
  func accept(_ raw: UnsafeRawPointer, frames: Int, _ format: StreamFormat, at first: Int) {
    format.format.decode(raw, channels: format.channels, channel: 0, frames: frames, into: &acceptedLeft)
    format.format.decode(raw, channels: format.channels, channel: 1, frames: frames, into: &acceptedRight)
    var place = first % ringLeft.count
    for n in 0..<frames {
      ringLeft[place] = acceptedLeft[n]
      ringRight[place] = acceptedRight[n]
      place = place + 1 < ringLeft.count ? place + 1 : 0
    }
    let kept = max(0, min(frames, recordingCapacity - writtenLeft.count))
    writtenLeft.append(contentsOf: acceptedLeft[..<kept])
    writtenRight.append(contentsOf: acceptedRight[..<kept])
  }

  /// The room's number of the first frame that capture recorded in this run.
  var firstCaptureFrame: Int { Int((capture.trigger * capture.speed).rounded()) }

  /// - Parameter start: s; nil: now.
  func beginRun(at start: Double? = nil) { runs.append((heardLeft.count, start ?? time, playback.speed)) }

  // MARK: - Script

  /// The effect due at this call, if any; every call of the kind is counted.
  func effect(_ direction: StreamDirection, _ call: PCMCall) -> ScriptedFault.Effect? {
    calls[call, default: 0] += 1
    var due: ScriptedFault.Effect?
    for index in script.indices where script[index].direction == direction && script[index].call == call {
      if script[index].after > 0 {
        script[index].after -= 1
      } else if due == nil {
        due = script[index].effect
        script[index].times -= 1
      }
    }
    script.removeAll { $0.times <= 0 }
    return due
  }

  /// Puts a direction into the state that goes with a fault.
  func fall(_ direction: StreamDirection, into fault: PCMFault) {
    switch fault {
    case .xrun: overrun(direction, at: time)
    case .suspended: for side in StreamDirection.allCases { suspend(side) }
    case .gone: unplug(sharesClock ? nil : direction)
    default: break
    }
  }
}
