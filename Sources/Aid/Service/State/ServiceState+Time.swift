import Base

extension ServiceState {
  /// Time between two looks at book, socket and priority, s: a trial ends within it, and it is short beside
  /// starting another daemon by hand.
  private static let interval = 1.0
  /// Time after which a disk that does not answer is reported, s: longer than a healthy one takes, an SD
  /// card that moves its blocks about among them. Own choice.
  private static let longestAnswer = 5.0

  /// Everything that is due.
  mutating func passTime() {
    followPass()
    followPrescription()
    endOverdueTest()
    followRole()
    followDebug()
    followRecording()
    feedWatchdog()
    guard now.monotonic >= secondDue else { return }
    secondDue = now.monotonic + Self.interval
    checkDisk()
    checkScheduling()
    followWaking()
    keepProgramAgain()
    if disk.isIdle { advanceBook() }
    if ending == nil { emit(.checkSocket) }
    if replaced == nil { emit(.checkProgram) }
    tellPrescription()
    traceSound()
  }

  /// Time to the next look after one at which the audio thread stood still, s: many of them before the service manager's limit.
  private static let nextLook = 0.1

  /// Tells the service manager that the daemon is alive. Depends on no disk.
  private mutating func feedWatchdog() {
    guard let interval = facts.watchdogInterval, now.monotonic >= watchdogDue else { return }
    watchdogDue = now.monotonic + interval / 2
    var (state, age) = (told.name, now.running - toldBegan.running)
    // A device that hangs is told as one that is waited for; another process may get it open.
    if state == .waitingForDevice {
      if let since = sound.openingSince ?? sound.closingSince {
        (state, age) = (.starting, now.monotonic - since)
      } else if sound.isStandingStill {
        state = .running
      } else if let since = sound.ending {
        (state, age) = (.starting, now.monotonic - since)
      }
    }
    if heartbeat.beats(state, for: age, blocks: audio.reading.counters.blocks) {
      emit(.notify(.watchdog))
    } else {
      watchdogDue = now.monotonic + min(Self.nextLook, interval / 2)
    }
  }

  /// The disk's fault, a sentence; nil while it answers.
  var diskTrouble: String? {
    let delay = disk.delay(at: now.monotonic)
    guard delay >= Self.longestAnswer else { return nil }
    return
      "The disk has not answered for \(Int(delay)) s: sound goes on as it is, but prescriptions, configuration and "
      + "what is turned are neither read nor kept until it does."
  }

  /// Logs when the disk begins or ceases to answer late.
  mutating func checkDisk() {
    let trouble = diskTrouble
    guard isDiskLate != (trouble != nil) else { return }
    isDiskLate = trouble != nil
    log(trouble.map { LogLine(.error, $0) } ?? LogLine(.notice, "the disk answers again"))
  }

  /// Suspension and other programs can take the priority away without a word.
  private mutating func checkScheduling() {
    guard let scheduling = audio.scheduling else {
      wasRealtime = nil
      return
    }
    if wasRealtime != scheduling.isRealtime {
      wasRealtime = scheduling.isRealtime
      log(scheduling.isRealtime ? .info : .warning, "audio thread: \(scheduling)")
    }
    switch scheduling {
    case .realtime, .ordinary(.ranTooLong, _): break
    case .ordinary(let reason, _):
      emit(.renewScheduling)
      if case .notPermitted = reason, priority.isDue(at: now.monotonic) { emit(.askForPriority) }
    }
  }

  /// Levels and load for a developer's log; nobody's thresholds.
  private mutating func traceSound() {
    guard isDeveloping else { return }
    let report = report
    func level(_ value: Double?, _ words: String = "") -> String {
      value.map { words + NumberText.fixed($0) } ?? "silence"
    }
    let ears = [("left", report.meters.left), ("right", report.meters.right)].map { name, ear in
      "\(name) in \(level(ear.inputLevelDBSPL)), out \(level(ear.outputLevelDBSPL, "at most ")) dB SPL, "
        + "limited \(NumberText.percent(ear.limiter.activeShare ?? 0))"
    }
    let load = report.meters.load
    log(
      .debug,
      "\(report.state.name.rawValue): \(ears.joined(separator: "; ")); load median "
        + "\(NumberText.percent(load.medianShare)), most \(NumberText.percent(load.maximumShare))")
  }

  /// Says once that the next start runs another program.
  mutating func noteReplacement() {
    guard replaced == nil else { return }
    replaced = now.wall
    log(
      .notice,
      "another version of the program was installed: sound goes on with this one until the daemon is started again"
    )
  }

  // MARK: - The end

  /// The way to the daemon's end.
  struct Ending: Sendable {
    /// Exit status of the process.
    let status: ExitStatus
    /// When it is not waited for any longer, monotonic s.
    var due: Double
    /// True once the sound has ended or is not waited for.
    var isClosing = false
    var isSoundOver = false
    var isBookClosed = false
    /// A second interruption ends at once.
    var isInterrupted = false
    var isHurried = false
    var hasEnded = false
  }

  /// Longest that the end waits for the audio thread, s: half of what a person takes for "at once".
  private static let longestFade = 0.9
  /// Longest that the end waits for the disk, s. What is not written by then is as it was before.
  private static let longestClosing = 0.5

  /// Begins the end: the sound fades out first.
  mutating func beginEnd(_ status: ExitStatus) {
    guard ending == nil else { return }
    ending = Ending(status: status, due: now.monotonic + Self.longestFade)
    emit(.notify(.stopping))
    emit(.declareEnd)
  }

  /// Nobody can stop or mute this daemon, and another would start beside it on the same earphones.
  mutating func endUnreachable() {
    guard ending == nil else { return }
    log(.error, "ending: the control socket or its lock file was taken away")
    silence()
    // An end that nobody asked for: one after which starting again helps.
    beginEnd(.temporary)
  }

  /// Ends sound, then the book, so that whoever starts another daemon at once finds it free, then the
  /// daemon.
  mutating func proceedToEnd() {
    guard var next = ending, !next.hasEnded else { return }
    defer { ending = next }
    if next.isHurried {
      next.hasEnded = true
      disk.close()
      emit(.forgetKept)
      return emit(.end(.interrupted, isOrderly: false))
    }
    let isDue = now.monotonic >= next.due
    if !next.isClosing {
      guard !sound.hasThread || isDue else { return }
      next.isClosing = true
      next.isSoundOver = !sound.hasThread
      next.due = now.monotonic + Self.longestClosing
      if programs.isRefused { keepProgram() }
      closeDisk(isForgetting: next.status != .temporary)
      // Those since the last line, which would otherwise never be logged.
      if let line = mishaps.rest(audio.reading.counters, last: audio.reading.lastFault) { log(line) }
    } else if next.isBookClosed || isDue {
      next.hasEnded = true
      answerPending(isEnd: true)
      playback = nil
      if next.status == .temporary {
        emit(.noteEnd)
      } else if !next.isBookClosed {
        // The disk has not come to it.
        emit(.forgetKept)
      }
      emit(.end(next.status, isOrderly: next.isSoundOver && next.isBookClosed))
    }
  }

  /// Has the book closed, and then what is kept forgotten, by the last piece of work: what was begun before it may still keep something.
  ///
  /// - Parameter isForgetting: False for a daemon that is to be started again, which goes on as it was.
  private mutating func closeDisk(isForgetting: Bool) {
    work(
      .closing,
      { _ in
        { disk -> [LogLine] in
          disk.store.close()
          return isForgetting ? disk.forgetKept() : []
        }
      }
    ) { state, lines in
      for line in lines { state.log(line) }
      state.ending?.isBookClosed = true
    }
    disk.close()
    beginWork()
  }

  /// False once an end was decided that forgets what is kept: a mark of a later mute or stop would outlast it.
  var keepsMarks: Bool { ending.map { $0.status == .temporary } ?? true }
}
