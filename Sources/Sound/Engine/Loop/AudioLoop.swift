import AudioIO
import Base
import HearingDSP
import Realtime

/// The audio thread's work: open the devices, let sound flow until something ends it, wait, open again.
///
/// Two performers take turns on the devices while they stay open: the aid, and a procedure when one is
/// under way. Either is played behind its output safety stage only, and one falls silent before the other
/// rises.
///
/// Everything that allocates happens while there is no sound. Sound always begins with silence and rises.
///
/// - Threads: created on control, ``run(until:)`` on `audio`.
struct AudioLoop<Stream: SoundStream & ~Copyable>: ~Copyable {
  var stream: Stream
  /// The settings in force, asked for whenever the chain is built.
  let settings: @Sendable () -> AidSettings
  let state: LoopState
  var backoff = Backoff()
  /// Folder whose news end a wait; nil: none do.
  var deviceFolder: String?
  /// Longest wait for news, s: no file tells that a card was given another name. Own choice.
  var longestWait = 5.0
  /// Puts the stream on the devices wanted now; returns the reason for which there are no devices. Nil: they never
  /// change.
  var choose: (@Sendable (inout Stream) -> String?)?
  /// True once a chain was built, or is being built.
  var hasBuilt = false
  /// News of devices' files, from the first wait on.
  var watch: DeviceWatch?
  /// Last fault of the stream, kept while the devices are closed and opened again.
  var lastFault: StreamFault?
  /// Meters of the last chain on these devices, with whose counts the next one goes on, as the stream's counters do.
  var meters = ChainMeters()

  /// Works until `stop` is requested, then fades out and gives the devices back.
  mutating func run(until stop: StopSignal) {
    while !stop.isRequested {
      if backoff.attempts == 0 { state.enter(.opening) }
      if let absence = chooseDevices() {
        wait(absence, for: .file, until: stop)
        continue
      }
      do throws(PCMOpenError) { try openDevices() } catch {
        end(error, until: stop)
        continue
      }
      let ending = sound(until: stop)
      let next = consequence(of: ending)
      // Before the devices are closed, which a sound server that hangs lets nobody finish.
      if let next { state.enter(next.phase, because: next.reason, isAfterLoss: next.phase == .waiting) }
      // Before any wait: a device that cannot be used is not kept from others.
      closeDevices()
      switch next {
      case (.faulted, let reason)?: latch(reason, until: stop)
      case (_, let reason)?: wait(reason, for: .loss, until: stop)
      case nil: break
      }
    }
    state.enter(.idle)
  }

  /// Reason for which there are no devices; nil: the stream is on those wanted now.
  private mutating func chooseDevices() -> String? {
    guard let choose else { return nil }
    let former = (stream.captureName, stream.playbackName)
    let absence = OrdinaryWork.make { choose(&stream) }
    if former != (stream.captureName, stream.playbackName) {
      meters = ChainMeters()
      state.isBreakingOff.store(false, ordering: .releasing)
    }
    return absence
  }

  /// Opens the devices. alsa-lib reads its whole configuration for it, which a slow processor computes longer than a real-time
  /// thread may, so another thread does it. They stay open where their period is refused.
  private mutating func openDevices() throws(PCMOpenError) {
    state.opening.store(SystemTime.monotonic, ordering: .releasing)
    defer { state.opening.store(0, ordering: .releasing) }
    try OrdinaryWork.make { () throws(PCMOpenError) in try stream.open() }
    let (granted, expected) = (stream.period, ChainGeometry.blockRange)
    guard !expected.contains(granted) else { return }
    let isCapture = stream.captureFormat?.period == granted
    let name = isCapture ? stream.captureName : stream.playbackName
    throw .periodRefused(name: name, granted: granted, expected: expected)
  }

  /// Closes the devices, and has control tell since when: a plugin of a sound server that hangs never comes back.
  private mutating func closeDevices() {
    state.closing.store(SystemTime.monotonic, ordering: .releasing)
    stream.close()
    state.closing.store(0, ordering: .releasing)
  }

  /// Builds the performers for what the devices granted, and lets sound flow through them. Building can take longer than
  /// a real-time thread may compute, so another thread does it.
  private mutating func sound(until stop: StopSignal) -> Ending {
    var wishes = settings()
    hasBuilt = true
    do {
      let geometry = try ChainGeometry(
        sampleRate: Double(stream.captureFormat?.rate ?? 0), blockFrames: stream.period)
      var parameters = try OrdinaryWork.make { try wishes.hearing.parameters(for: geometry) }
      let channel = ParameterChannel(geometry: geometry, bands: wishes.hearing.bands, initial: parameters)
      announce(channel, wishes.stream)
      defer { withdraw() }
      // From here on new settings come through the channel; those that came before there was one are read
      // now.
      let newest = settings()
      if newest.hearing.bands == channel.bands {
        wishes = newest
        parameters = try OrdinaryWork.make { try newest.hearing.parameters(for: geometry) }
        channel.remember(parameters)
      }
      var chain = try OrdinaryWork.make {
        try LimitedChain(
          geometry: geometry, bands: channel.bands, parameters: parameters, rise: wishes.ramp,
          streaming: state.streaming.feed, after: meters)
      }
      var procedure = LimitedPerformer(
        TakePerformer(geometry: geometry), limits: parameters.limits, rise: wishes.ramp)
      var block = SoundBlock(frames: geometry.blockFrames)
      Self.warmUp(&chain, &block)
      Self.warmUp(&procedure, &block)
      let earphones = stream.playbackName
      // Last: the stream's own chain is planned by the same planner.
      OrdinaryWork.make { [state] in state.streaming.open(geometry, earphones: earphones) }
      // Until the first block: a plugin of a sound server that hangs never comes back from the start either.
      state.opening.store(SystemTime.monotonic, ordering: .releasing)
      defer { state.opening.store(0, ordering: .releasing) }
      return perform(&chain, channel, &procedure, &block, until: stop)
    } catch { return .impossible("\(error)") }
  }

  /// Runs a performer before sound flows. Generic as ``flow(_:as:changes:_:_:until:)`` is: where that is not
  /// specialised, the metadata that it needs once is made now.
  private static func warmUp<P: Performer & ~Copyable>(
    _ performer: inout LimitedPerformer<P>, _ block: inout SoundBlock
  ) {
    for _ in 0..<4 { block.warmUp(&performer) }
    performer.restart()
  }

  /// Lets the performers play in turn, as control wants them.
  private mutating func perform(
    _ chain: inout LimitedChain, _ channel: ParameterChannel,
    _ procedure: inout LimitedPerformer<TakePerformer>, _ block: inout SoundBlock, until stop: StopSignal
  ) -> Ending {
    let (state, geometry) = (state, chain.geometry)
    var tap = MeterTap(state, blockTime: Double(geometry.blockFrames) / geometry.sampleRate)
    tap.note(lastFault)
    tap.note(chain.meters)
    var ending = Ending.handedOver
    while ending == .handedOver {
      let part = state.wanted.load(ordering: .acquiring)
      switch part {
      case .aid: ending = flow(&chain, as: part, changes: channel.handover, &block, &tap, until: stop)
      case .procedure, .nobody:
        ending = flow(&procedure, as: part, changes: state.takes, &block, &tap, until: stop)
      }
      // What happened last would otherwise never be told.
      tap.show(chain, &stream)
    }
    tap.showSilence()
    lastFault = tap.reading.lastFault
    meters = chain.meters
    return ending
  }

  // MARK: - Beginning

  /// Lets control see what runs.
  ///
  /// - Parameter request: Settings that the devices granted.
  private func announce(_ channel: ParameterChannel, _ request: StreamRequest) {
    guard let capture = stream.captureFormat, let playback = stream.playbackFormat else { return }
    state.notice.withLock {
      $0.devices = AidDevices(
        captureName: stream.captureName, playbackName: stream.playbackName, capture: capture,
        playback: playback, period: stream.period)
      $0.former = (stream.captureName, stream.playbackName)
      $0.granted = request
      $0.channel = channel
      $0.opens += 1
    }
    state.isProven.store(false, ordering: .releasing)
    // An opening that had failed has succeeded. Of devices that stopped working nothing else is known before sound moves.
    if !state.notice.withLock({ $0.isAfterLoss }) { state.enter(.opening) }
  }

  private func withdraw() {
    state.streaming.close()
    // Of closed devices nothing is known.
    state.note([])
    state.notice.withLock { ($0.devices, $0.channel) = (nil, nil) }
  }

  // MARK: - Ending

  /// Reason for which sound stopped flowing.
  enum Ending: Equatable {
    /// It was asked to.
    case stopped
    /// The other performer is wanted; this one is silent.
    case handedOver
    /// The devices are gone or do not recover.
    case lost(StreamFault)
    /// A performer made something that is not a number.
    case broken
    /// The settings do not make a chain for what the devices granted.
    case impossible(String)

    /// Phase that follows, with its reason for people; nil after a stop that was asked for.
    var next: (phase: LoopState.Phase, reason: String)? {
      switch self {
      case .stopped, .handedOver: nil
      case .lost(.device(.xrun, _, _)):
        (.waiting, DropoutWatch.reason)
      case .lost(let fault): (.waiting, "the sound device stopped working (\(fault))")
      case .impossible(let reason): (.faulted, reason)
      case .broken:
        (.faulted, "the sound path produced a value that is not a number, which is a fault of this program")
      }
    }
  }

  /// Phase that follows, with its reason for people; nil after a stop that was asked for.
  private func consequence(of ending: Ending) -> (phase: LoopState.Phase, reason: String)? {
    guard let next = ending.next, next.phase == .waiting else { return ending.next }
    guard state.phase.load(ordering: .acquiring) == .sounding else {
      // Lost anew before their first block: reasons that take turns would be a state each time.
      return (.waiting, state.notice.withLock { $0.isAfterLoss ? $0.reason : next.reason })
    }
    return (.waiting, state.isUnproven ? state.breakOff(because: next.reason) : next.reason)
  }

  /// Handles an attempt to open the devices that failed.
  private mutating func end(_ error: PCMOpenError, until stop: StopSignal) {
    let sign = error.isToldByFile ? Sign.file : .none
    switch error {
    case .noSuchDevice(_, let others) where sign == .file && !others.isEmpty:
      wait("\(error); the aid waits for it, or uses another by: auricle route use", for: sign, until: stop)
    case .noSuchDevice(let name, _), .failed(let name, _, _):
      if !DevicePlace.isOnCard(name) {
        noteUnwatched("\(name) is on no card, whose files would tell when it is there")
      }
      wait("\(error)", for: sign, until: stop)
    case .busy, .noPermission: wait("\(error)", for: sign, until: stop)
    case .periodRefused(let name, _, _), .rateRefused(let name, _, _), .formatRefused(let name, _, _),
      .channelsRefused(let name, _, _), .accessRefused(let name, _), .bufferRefused(let name, _, _):
      endRefused(error, by: name, until: stop)
    case .bluetoothCapture: latch("\(error)", until: stop)
    }
  }

  /// Handles settings that a device refuses: a fault, but where these devices granted them before. A sound server has come back with
  /// others, and may come back with the former ones; of a USB card, whose directions have a clock in common, and with implicit feedback an
  /// endpoint (hw_rule_format, hw_rule_period_size_implicit_fb and others in sound/usb/pcm.c of Linux), another program has set rate, format
  /// or period, and will give it back. Of channels and access no program is the cause: the card may be another one of that name.
  private mutating func endRefused(_ error: PCMOpenError, by name: String, until stop: StopSignal) {
    let isShared = DevicePlace.isShared(name)
    let isOfCard =
      switch error {
      case .channelsRefused, .accessRefused: true
      default: false
      }
    let isPassing = hasGranted(settings().stream) && (isShared || !isOfCard)
    let cause = isShared ? "" : "another program may have set the card, "
    let reason =
      isPassing ? "\(error); it granted that before, \(cause)and is asked again" : "\(error)"
    // As after sound: told before the devices are closed, which are open where their period is refused.
    state.enter(isPassing ? .waiting : .faulted, because: reason)
    closeDevices()
    if isPassing { wait(reason, for: .settings, until: stop) } else { latch(reason, until: stop) }
  }

  /// True where there was sound on these devices last, with these settings.
  private func hasGranted(_ request: StreamRequest) -> Bool {
    let (former, granted) = state.notice.withLock { ($0.former, $0.granted) }
    guard let former else { return false }
    return former == (stream.captureName, stream.playbackName) && granted == request
  }
}
