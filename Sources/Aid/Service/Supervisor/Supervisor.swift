import Base
import Control
import Engine
import Glibc
import Realtime

/// The daemon's one loop: waits for the control socket, signals, results of disk and feedback test and
/// time, hands each to the ``ServiceState`` as an event, and carries out the effects.
///
/// Only the audio thread, the disk's, the feedback test's and the log's run beside it. It waits for none of
/// them, so that a disk or a device that hangs delays neither the watchdog nor anybody's request.
///
/// - Threads: the main thread.
final class Supervisor {
  /// Parts that it acts on.
  struct Parts {
    let aid: HearingAid
    let server: ControlServer
    let disk: SerialWorker<DiskJob, DiskResult>
    let feedback: FeedbackWorker
    let procedures: ProcedureWorker
    let log: LogWriter
    var buses = DaemonBuses(hasSession: false, connect: { _ in nil })
    var notifier = ServiceNotifier(environment: [:])
    /// Places in which a mute and a stop outlast a crash; nil: none.
    var keptMute: KeptSilence?
    var keptStop: KeptSilence?
    /// Place of the mark of an end that was told; nil: none.
    var toldEnd: ToldEnd?
    /// Place in which the configuration in force outlasts a crash; nil: none.
    var keptConfiguration: KeptConfiguration?
    /// Keeps the process's memory from being paged out: once everything is there, before sound flows.
    var lockMemory: () -> MemoryLock = { .onFault }
    /// Tells whoever starts the daemon again that an end is meant.
    var declareEnd: () -> Void = {}
    var program = RunningProgram()
  }

  /// End of the daemon.
  ///
  /// - `isOrderly`: False when the audio thread, the disk or a feedback test cannot be waited for.
  typealias Outcome = (status: ExitStatus, isOrderly: Bool)

  private var state: ServiceState
  private let parts: Parts
  private var outcome: Outcome?
  private var volumes = VolumeWatch()
  private var identities = IdentityWatch()
  private var plug = PlugWatch()
  /// Sound on its way to a recorder; nil: nobody records.
  private var sound: SoundFeed?

  init(_ state: ServiceState, _ parts: Parts) {
    self.state = state
    self.parts = parts
  }

  /// Starts the sound and stays until the daemon is to end. Then everybody has been answered, and the
  /// socket is gone.
  func run(_ inbox: borrowing SignalInbox) -> Outcome {
    state.facts.memoryLock = parts.lockMemory()
    // Others are asked for the cards before these are opened.
    parts.buses.connectMissing(now: SystemTime.monotonic)
    handle(.begin)
    lookAtDevices()
    while true {
      if let outcome {
        bidFarewell()
        return outcome
      }
      var polled = [
        inbox.descriptor, parts.disk.descriptor, parts.feedback.descriptor, parts.procedures.descriptor,
      ].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      polled.append(pollfd(fd: plug.descriptor, events: Int16(POLLIN), revents: 0))
      polled += parts.buses.descriptors
      let first = polled.count
      wait(&polled, until: min(state.deadline, parts.buses.deadline))
      lookAtPlug()
      handle(.audio(notice))
      if polled[0].revents != 0 { while let signal = inbox.next() { handle(.signal(signal)) } }
      if polled[1].revents != 0 { for result in parts.disk.results() { handle(.disk(result)) } }
      if polled[2].revents != 0 {
        for (number, news) in parts.feedback.news() { handle(.test(number, news)) }
      }
      if polled[3].revents != 0 {
        for (number, news) in parts.procedures.news() { handle(.procedure(number, news)) }
      }
      for event in parts.buses.serve(now: SystemTime.monotonic) { handle(event) }
      lookAtDevices()
      lookAtVolumes()
      serve(polled.dropFirst(first))
      handle(.time)
    }
  }

  /// Waits for a descriptor, or for time to pass; those of the server follow the given ones.
  private func wait(_ polled: inout [pollfd], until deadline: Double) {
    let now = SystemTime.monotonic
    polled += parts.server.descriptors(at: now)
    let spectra = parts.aid.spectra.isOn ? now + SpectrumWatch.interval / 2 : .infinity
    let left = min(deadline, parts.server.deadline, spectra) - now
    let milliseconds = Int32(min(max(left * 1000, 0).rounded(.up), 60_000))
    if poll(&polled, nfds_t(polled.count), milliseconds) < 0 {
      for index in polled.indices { polled[index].revents = 0 }
    }
  }

  private func serve(_ polled: ArraySlice<pollfd>) {
    parts.server.engaged = state.engaged
    for occurrence in parts.server.serve(polled, now: SystemTime.monotonic) {
      volumes.note(occurrence)
      lookAtVolumes()
      handle(.control(occurrence))
    }
    let now = SystemTime.monotonic
    if parts.server.wantsMeters(at: now) { parts.server.publish(state.meters, now: now) }
    serveSpectra(now: now)
  }

  /// Fetches spectra and sound while somebody watches or records.
  private func serveSpectra(now: Double) {
    guard parts.server.watchesSpectra || sound != nil else { return parts.aid.spectra.stop() }
    parts.aid.spectra.start()
    let hearing = parts.aid.currentSettings.hearing
    for frame in parts.aid.spectra.frames() {
      parts.server.publish(
        {
          SpectrumReport(frame, hearing, isDebugging: state.debug != nil, isMuted: parts.aid.isMuted)
        }, now: now)
    }
    guard let recorder = sound?.recorder, let notices = sound?.notices(parts.aid.spectra.takeSound())
    else { return }
    for notice in notices { parts.server.tell(recorder, notice, now: now) }
  }

  /// Lets the last answers go out, then removes the socket.
  private func bidFarewell() {
    parts.server.finish(now: SystemTime.monotonic)
    while !parts.server.isFinished(at: SystemTime.monotonic) {
      var polled: [pollfd] = []
      wait(&polled, until: .infinity)
      _ = parts.server.serve(polled, now: SystemTime.monotonic)
    }
    parts.server.close()
    parts.disk.end()
    parts.feedback.end()
    parts.procedures.end()
    parts.log.end()
  }

  /// Before the volumes: of another model they do not matter.
  private func lookAtDevices() {
    let names = state.devicesInUse
    var question = IdentityWatch.Question(
      capture: names.capture, playback: names.playback, opens: state.audio.opens)
    if question.isOnBluetooth {
      parts.buses.watchBluetooth()
      question.bluetooth = parts.buses.earphones
    }
    if let news = identities.news(question) { handle(.found(news)) }
  }

  /// Before the engine's state is told, of which the plug is a part.
  private func lookAtPlug() {
    let (device, opens) = (parts.aid.devices?.playbackName, parts.aid.opens)
    parts.aid.note(plug.news(of: device, opens: opens, now: SystemTime.monotonic))
  }

  private func lookAtVolumes() {
    let device = state.devicesInUse.playback
    let news = volumes.news(
      for: state.configured, on: device, isTesting: state.test != nil, now: SystemTime.monotonic)
    if let news { handle(.volumes(news)) }
  }

  // MARK: - Events

  private func handle(_ event: Event) {
    var events = [event]
    while !events.isEmpty {
      for effect in state.handle(events.removeFirst(), at: .now) { events += perform(effect) }
    }
  }

  private var notice: AudioNotice {
    let aid = parts.aid
    return AudioNotice(
      state: aid.state, isMuted: aid.isMuted, reading: aid.reading, devices: aid.devices, opens: aid.opens,
      openingSince: aid.openingSince, closingSince: aid.closingSince, lastBlock: aid.lastBlock,
      isUnproven: aid.isUnproven, breakingOff: aid.breakingOff, withheld: aid.withheld,
      scheduling: aid.scheduling, streaming: aid.streaming, watchRefusal: aid.watchRefusal)
  }

  // MARK: - Effects

  /// - Returns: Events that follow at once.
  private func perform(_ effect: Effect) -> [Event] {
    switch effect {
    case .sound(let order): return perform(order)
    case .mute(true): parts.aid.mute()
    case .mute(false): parts.aid.unmute()
    case .keepMute(true):
      return attempt(.warning, "a crash would end the mute") { try parts.keptMute?.keep() }
    case .keepMute(false): return forget(parts.keptMute)
    case .keepStop(true):
      return attempt(.warning, "after a crash the sound would begin again") { try parts.keptStop?.keep() }
    case .keepStop(false): return forget(parts.keptStop)
    // Settings were checked for the devices that were open when they were made: the engine refuses them
    // only when other devices were opened since.
    case .apply(let hearing):
      return attempt(.error, "the settings cannot be played") {
        _ = try state.atLength { () throws(FittingFailure) in try parts.aid.apply(hearing) }
      }
    case .replace(let settings):
      return attempt(.error, "the settings cannot be played") { try parts.aid.replace(settings) }
    case .renewScheduling: parts.aid.renewScheduling()
    case .askForPriority: return parts.aid.threadNumber.map { parts.buses.prioritise($0) } ?? []
    case .reserve(let devices): return parts.buses.reserve(devices)
    case .releaseCards: parts.buses.releaseCards()
    case .allowSleep: parts.buses.allowSleep()
    case .measure(let number, let kind, let ears): parts.feedback.begin(number, kind, ears)
    case .endTest:
      // One that has not reached the engine yet is ended too.
      parts.feedback.cancel()
      parts.procedures.cancel()
      parts.aid.endProcedure()
    case .carryOut(let number, let commission): parts.procedures.begin(number, commission)
    case .key(let key): parts.procedures.put(key, at: SystemTime.monotonic)
    case .tellProcedure(let caller, let notice):
      parts.server.tell(caller, notice, now: SystemTime.monotonic)
    case .tell(let caller, let notice):
      parts.server.tell(caller, notice, now: SystemTime.monotonic)
    case .sendSound(let recorder):
      sound = SoundFeed(recorder)
      parts.aid.spectra.keepSound(true)
    case .endSound(let recorder, let notice):
      sound = nil
      parts.aid.spectra.keepSound(false)
      parts.server.tell(recorder, notice, now: SystemTime.monotonic)
    case .disk(_, let job): parts.disk.submit(job)
    case .answer(let id, let answer):
      return parts.server.answer(id, answer, now: SystemTime.monotonic).map { [.line($0)] } ?? []
    case .grant(let peer, let grant): parts.server.grant(grant, to: peer)
    case .endGrants(let means): parts.server.endGrants(by: means)
    case .admit(let rule): parts.server.admit(rule)
    case .publish(let state): parts.server.publish(state, now: SystemTime.monotonic)
    case .publishPrescription(let prescription):
      parts.server.publish(prescription, now: SystemTime.monotonic)
    case .log(let line): parts.log.write(line, at: SystemTime.wall)
    case .notify(let notice): notify(notice)
    case .forgetKept:
      return forget(parts.keptMute) + forget(parts.keptStop) + forget(parts.keptConfiguration)
    case .noteEnd:
      // Beside another daemon's socket it would be a word about that one. Where a folder has gone, nothing is left there to explain.
      if !parts.server.isTakenOver { _ = try? parts.toldEnd?.keep() }
    case .declareEnd: parts.declareEnd()
    case .checkProgram: return parts.program.isReplaced ? [.programReplaced] : []
    case .checkSocket: return parts.server.isReachable ? [] : [.socketLost]
    case .end(let status, let isOrderly):
      outcome = (status, isOrderly && parts.feedback.isIdle && parts.procedures.isIdle)
    }
    return []
  }

  /// - Returns: A line for the log where it stays.
  private func forget<File: KeptFile>(_ file: File?) -> [Event] {
    guard let line = file?.forgetOrTell() else { return [] }
    return [.line(line)]
  }

  private func perform(_ order: SoundControl.Order) -> [Event] {
    switch order {
    case .requestStop: parts.aid.requestStop()
    // The thread has given the devices back and is about to end: this does not wait.
    case .join: parts.aid.stop()
    case .start, .startSilently:
      do {
        if order == .start { try parts.aid.start() } else { try parts.aid.startSilently() }
      } catch { return [.soundRefused("\(error)")] }
    }
    return []
  }

  /// - Returns: A line for the log where it fails.
  private func attempt(_ level: LogLevel, _ words: String, _ work: () throws -> Void) -> [Event] {
    do { try work() } catch { return [.line(LogLine(level, "\(words): \(error)"))] }
    return []
  }

  private func notify(_ notice: ServiceNotice) {
    switch notice {
    case .ready(let sentence): parts.notifier.ready(status: sentence)
    case .status(let sentence): parts.notifier.status(sentence)
    case .stopping: parts.notifier.stopping()
    case .watchdog: parts.notifier.watchdog()
    }
  }
}
