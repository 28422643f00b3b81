import Base
import CLinux
import Control
import Engine
import Glibc
import Realtime

extension Daemon {
  /// Time between two looks at the aid, s: short beside what a person notices, long beside a block.
  private static let interval = 0.05
  /// Time between two looks while the aid starts, s: who waits for its first sound is told soon.
  private static let startingInterval = 0.01
  /// Time between two looks at the book, s: a trial ends within it.
  private static let bookInterval = 1.0
  /// Time between two looks whether the daemon can be reached, s: short beside starting another by hand.
  private static let reachInterval = 1.0
  /// Time between two looks at the audio thread's priority, s.
  private static let schedulingInterval = 1.0
  /// Longest that the end waits for the audio thread, s: half of what a person takes for "at once".
  private static let longestEnd = 0.9

  /// Starts the sound and stays until the daemon is to end.
  ///
  /// - Parameters:
  ///   - isReachable: Whether clients and other daemons still find this one.
  ///   - publish: Tells subscribers of a new state.
  /// - Returns: How the process exits, and whether the audio thread has ended.
  func run(
    _ inbox: borrowing SignalInbox, notifier: ServiceNotifier, isReachable: () -> Bool,
    publish: (StatusReport.State) -> Void
  ) -> (status: ExitStatus, isAtRest: Bool) {
    var watch = Watch(notifier)
    let end = run(inbox, &watch, isReachable: isReachable, publish: publish)
    // Those since the last line, which would otherwise never be logged.
    let reading = aid.reading
    if let line = watch.mishaps.rest(reading.counters, last: reading.lastFault) { write(line) }
    return end
  }

  private func run(
    _ inbox: borrowing SignalInbox, _ watch: inout Watch, isReachable: () -> Bool,
    publish: (StatusReport.State) -> Void
  ) -> (status: ExitStatus, isAtRest: Bool) {
    pilot.requestSound()
    var endDue: Double?
    // Of an end that nobody asked for: one after which starting again helps.
    var status = ExitStatus.done
    var isInterrupted = false
    while true {
      pilot.steer()
      look(&watch, publish)
      if watch.isReachDue, !memory.withLock({ $0.isEnding }), !isReachable() {
        // Nobody could stop or mute it, and another would start beside it on the same earphones.
        write(LogLine(.error, "ending: the control socket or its lock file was taken away"))
        status = .temporary
        end()
      }
      let isEnding = memory.withLock { $0.isEnding }
      if isEnding {
        if endDue == nil {
          endDue = SystemTime.monotonic + Self.longestEnd
          watch.notifier.stopping()
          ward?.declareEnd()
        }
        if pilot.isAtRest { return (status, true) }
        if let endDue, SystemTime.monotonic >= endDue { return (status, false) }
      }
      let isStarting = pilot.state == .starting
      pause(inbox, isEnding ? 0.005 : isStarting ? Self.startingInterval : Self.interval)
      while let signal = inbox.next() {
        switch signal {
        case SIGINT where isInterrupted: return (.interrupted, false)
        case SIGINT, SIGTERM:
          if signal == SIGINT { isInterrupted = true }
          write(LogLine(.info, "ending: \(signal == SIGINT ? "SIGINT" : "SIGTERM")"))
          end()
        case SIGHUP: disk.submit { self.reloadBySignal() }
        case SIGUSR1: dump()
        default: break
        }
      }
    }
  }

  /// Begins the end: sound fades out first.
  private func end() {
    pilot.requestSilence()
    revokeLoan()
    memory.withLock { $0.isEnding = true }
  }

  /// Waits for a signal, the bell, or time to pass.
  private func pause(_ inbox: borrowing SignalInbox, _ seconds: Double) {
    var polled = [
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
    ]
    poll(&polled, nfds_t(polled.count), Int32(seconds * 1000))
    if polled[1].revents != 0 { _ = clinux_eventfd_take(bell) }
  }

  /// Writes everything there is to report, in words.
  private func dump() {
    for line in StatusText(report()).text.split(separator: "\n") { write(LogLine(.notice, String(line))) }
  }

  private func reloadBySignal() {
    switch reload() {
    case .success(let report):
      let parts = [
        ("applied", report.applied), ("reopened devices for", report.reopened),
        ("needs a restart for", report.restartNeeded),
      ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
      write(
        LogLine(
          .notice,
          "configuration read again: \(parts.isEmpty ? "no change" : parts.joined(separator: "; "))"))
    case .failure(let error):
      for failure in error.failures { write(LogLine(.error, failure.logMessage)) }
      write(LogLine(.error, "configuration not changed, the former one stays in force"))
    }
  }

  // MARK: - Looking

  /// What was told and looked at last.
  private struct Watch {
    let notifier: ServiceNotifier
    var isReady = false
    var heartbeat = Heartbeat()
    var mishaps = MishapSummary()
    var wasRealtime: Bool?
    var schedulingDue = 0.0
    var watchdogDue = 0.0
    var bookDue = 0.0
    var isDiskLate = false
    private var reachDue = 0.0

    /// Whether to look if the daemon can be reached; then not again for a while.
    var isReachDue: Bool {
      mutating get {
        let now = SystemTime.monotonic
        guard now >= reachDue else { return false }
        reachDue = now + Daemon.reachInterval
        return true
      }
    }

    init(_ notifier: ServiceNotifier) { self.notifier = notifier }
  }

  private func look(_ watch: inout Watch, _ publish: (StatusReport.State) -> Void) {
    let now = SystemTime.monotonic
    measureChain()
    lookAtLoop()
    lookAtLoan()
    lookAtWisdom()
    followScene()
    let state = currentState()
    let (isNew, began) = note(state)
    if isNew { tell(state, watch.notifier, publish) }
    if !watch.isReady, state.name != .starting, state.name != .stopped {
      watch.isReady = true
      watch.notifier.ready(status: StatusText(report()).sentence)
    }
    let reading = aid.reading
    if let line = watch.mishaps.line(reading.counters, last: reading.lastFault, now: now) { write(line) }
    if now >= watch.schedulingDue {
      watch.schedulingDue = now + Self.schedulingInterval
      lookAtScheduling(&watch)
    }
    if now >= watch.bookDue {
      watch.bookDue = now + Self.bookInterval
      lookAtDisk(wasLate: &watch.isDiskLate)
      followBook()
      if disk.isIdle { disk.submit { self.advanceBook() } }
      traceSound()
    }
    if let interval = watch.notifier.watchdogInterval, now >= watch.watchdogDue {
      watch.watchdogDue = now + interval / 2
      let age = clock.running() - began
      if watch.heartbeat.beats(state.name, for: age, blocks: reading.counters.blocks) {
        watch.notifier.watchdog()
      }
    }
  }

  private func tell(
    _ state: StatusReport.State, _ notifier: ServiceNotifier, _ publish: (StatusReport.State) -> Void
  ) {
    let sentence = StatusText(report()).sentence
    publish(state)
    notifier.status(sentence)
    let level: LogLevel =
      switch state.name {
      case .faulted: .error
      case .waitingForDevice: .warning
      case .starting: .info
      case .stopped, .running, .muted: .notice
      }
    write(LogLine(level, sentence))
  }

  /// Suspend and other programs can take the priority away without a word.
  private func lookAtScheduling(_ watch: inout Watch) {
    guard let scheduling = aid.scheduling else {
      watch.wasRealtime = nil
      return
    }
    if watch.wasRealtime != scheduling.isRealtime {
      watch.wasRealtime = scheduling.isRealtime
      write(LogLine(scheduling.isRealtime ? .info : .warning, "audio thread: \(scheduling)"))
    }
    switch scheduling {
    case .realtime, .ordinary(.ranTooLong, _): break
    case .ordinary: aid.renewScheduling()
    }
  }
}
