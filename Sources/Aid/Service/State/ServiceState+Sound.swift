import Base
import Engine
import HearingDSP
import Realtime

extension ServiceState {
  // MARK: - Reading the engine

  /// Takes in the engine's state and newest reading, and everything that follows from it.
  mutating func take(_ notice: AudioNotice) {
    if let refusal = notice.watchRefusal, refusal != audio.watchRefusal {
      log(.info, "a device that is waited for is tried four times a second: \(refusal)")
    }
    let (formerStream, formerNames) = (audio.streaming, openNames)
    audio = notice
    followOpenDevices(since: formerNames)
    followStream(since: formerStream)
    measureChain()
    followFeedback()
    keepWisdom()
    followSurroundings()
    listenInDebug()
    let reading = notice.reading
    if let line = mishaps.line(reading.counters, last: reading.lastFault, now: now.monotonic) { log(line) }
  }

  /// Works out the running chain's delay when it is a new one.
  private mutating func measureChain() {
    guard let devices = audio.devices, chainOpens != audio.opens else { return }
    chainOpens = audio.opens
    let geometry = try? ChainGeometry(sampleRate: Double(devices.capture.rate), blockFrames: devices.period)
    var delays = delays
    chainDelay = atLength { geometry.flatMap { delays.seconds(for: heard, $0) } }
    self.delays = delays
  }

  /// Keeps what FFTW has measured for a chain, once it sounds: sound does not wait for the disk. Devices that break off would have it
  /// kept several times a second.
  private mutating func keepWisdom() {
    guard facts.keepsWisdom, audio.reading.counters.blocks > 0, audio.breakingOff == nil,
      wisdomOpens != audio.opens
    else { return }
    wisdomOpens = audio.opens
    work(.wisdom, { _ in { $0.keepWisdom() } }) { _, _ in }
  }

  // MARK: - What is heard

  /// Lets changed sources be heard, ramped. Sources that cannot be played change nothing.
  ///
  /// A louder sound comes at a program's pace, whatever changed. Without a time, a softer one takes the settings' own, for a limit that
  /// counts again must not wait; or what is left of a way under way.
  ///
  /// - Parameters:
  ///   - shortest: Shortest time of the transition, s; nil: the settings' own.
  ///   - publish: The order to the engine; ``Effect/apply(_:)`` by default.
  ///   - change: The change of the sources.
  /// - Throws: ``Failure``.
  mutating func hear(
    shortest: Double? = nil, by publish: (HearingSettings) -> Effect = Effect.apply,
    after change: (inout ServiceState) -> Void
  ) throws(Failure) {
    var next = self
    change(&next)
    let settings = try atLength { () throws(Failure) in
      var settings = next.composed
      if shortest != nil || settings.isLouder(than: heard) {
        settings = next.programs.paced(
          settings, after: heard, shortest: shortest ?? settings.transition, now: now.monotonic)
      } else {
        // The rest of a way to louder sound goes on at its pace, whatever changes meanwhile.
        settings.transition = max(settings.transition, next.programs.timeLeft(at: now.monotonic))
      }
      // The usual ones while no device is open.
      let (rate, period) = audio.devices.map { ($0.capture.rate, $0.period) } ?? (44_100, 64)
      try settings.checkPlayable(rate: rate, period: period, next.configuration)
      return settings
    }
    let isTurned = (settings.program, settings.adjustment) != (heard.program, heard.adjustment)
    self = next
    heard = settings
    if isTurned { forgetLevels() }
    // The gains, and with them the delay, are others.
    chainOpens = -1
    emit(publish(settings))
  }

  /// Computes something that takes milliseconds: below an audio thread that has no real-time priority, which would otherwise
  /// share the processor with it.
  func atLength<Made, Refusal: Error>(_ body: () throws(Refusal) -> Made) throws(Refusal) -> Made {
    guard let scheduling = audio.scheduling, !scheduling.isRealtime else { return try body() }
    return try OrdinaryWork.make(niceness: 10, body)
  }

  /// Settings that follow from all sources.
  var composed: HearingSettings { composed(on: openNames) }

  /// The same with these devices open; nil: with those that are to be opened.
  func composed(on open: RouteReport.Names?) -> HearingSettings {
    .heard(
      configured.calibrated(for: configuration, found: found, open: open).counting(volumes),
      prescribed: prescribed, program: programs.program,
      adjustment: programs.memory.adjustment, streaming: streaming, feedback: feedback.knowledge,
      debug: debug?.sounding)
  }

  // MARK: - Bringing it about

  /// Gives the engine its next order.
  mutating func control() {
    followNewDevices()
    agreeOnCards()
    let orders = sound.step(
      audio.state, opening: audio.openingSince, closing: audio.closingSince, lastBlock: audio.lastBlock,
      areOpen: audio.devices != nil, now: now.monotonic,
      mayOpen: !cards.isWaiting(at: now.monotonic))
    for order in orders {
      emit(.sound(order))
      // The engine opens from now on; its next notice says how that went.
      if order == .start || order == .startSilently { audio.state = .starting }
    }
    giveCardsBack()
    proceedWithTest()
    allowSleep()
  }

  // MARK: - Telling

  /// The state now. A change is dated when it is first seen.
  var state: StatusReport.State {
    var seen = StatusReport.State(
      of: sound.state(audio.toldState, now: now.monotonic), isKeptDown: audio.reading.isKeptDown,
      isMuted: audio.isMuted, since: now.wall)
    if wasStopped, seen.name == .stopped {
      seen = StatusReport.State(
        .stopped, reason: Self.formerStop, isMuted: seen.isMuted, since: seen.sinceUnixSeconds)
    }
    guard told.isAlike(seen) else { return seen }
    // A mute that is only remembered does not begin the wait anew.
    return StatusReport.State(
      seen.name, reason: seen.reason, isMuted: seen.isMuted, since: now.wallTime(of: toldBegan))
  }

  /// Reason for which the sound is off after a crash, a clause.
  private static let formerStop = "it was stopped before the daemon crashed, and stays so"

  /// Tells subscribers, service manager and log of a new state.
  mutating func tellState() {
    let state = state
    let isNew = !told.isSame(as: state)
    if !told.isAlike(state) { toldBegan = now }
    told = state
    // One that begins stopped is ready all the same.
    let isToldReady = !isReady && state.name != .starting && (state.name != .stopped || wasStopped)
    guard isNew || isToldReady else { return }
    let sentence = StatusText(report).sentence
    if isNew {
      emit(.publish(state))
      emit(.notify(.status(sentence)))
      log(Self.level(of: state.name), sentence)
    }
    if isToldReady {
      isReady = true
      emit(.notify(.ready(status: sentence)))
    }
  }

  private static func level(of state: StatusReport.State.Name) -> LogLevel {
    switch state {
    case .faulted: .error
    case .waitingForDevice: .warning
    case .starting: .info
    case .stopped, .running, .muted: .notice
    }
  }
}
