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
    feedWatchdog()
    guard now.monotonic >= secondDue else { return }
    secondDue = now.monotonic + Self.interval
    checkDisk()
    checkScheduling()
    if disk.isIdle { advanceBook() }
    if ending == nil { emit(.checkSocket) }
    traceSound()
  }

  /// Tells the service manager that the daemon is alive. Depends on no disk.
  private mutating func feedWatchdog() {
    guard let interval = facts.watchdogInterval, now.monotonic >= watchdogDue else { return }
    watchdogDue = now.monotonic + interval / 2
    let age = now.running - toldBegan.running
    if heartbeat.beats(told.name, for: age, blocks: audio.reading.counters.blocks) {
      emit(.notify(.watchdog))
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
    case .ordinary: emit(.renewScheduling)
    }
  }

  /// Levels and load for a developer's log; nobody's thresholds.
  private mutating func traceSound() {
    guard isDeveloping else { return }
    let report = report
    func level(_ value: Double?) -> String { value.map { NumberText.fixed($0) } ?? "silence" }
    let ears = [("left", report.meters.left), ("right", report.meters.right)].map { name, ear in
      "\(name) in \(level(ear.inputLevelDBSPL)), out \(level(ear.outputLevelDBSPL)) dB SPL, "
        + "limited \(NumberText.percent(ear.limiter.activeShare))"
    }
    let load = report.meters.load
    log(
      .debug,
      "\(report.state.name.rawValue): \(ears.joined(separator: "; ")); load median "
        + "\(NumberText.percent(load.medianShare)), most \(NumberText.percent(load.maximumShare))")
  }
}
