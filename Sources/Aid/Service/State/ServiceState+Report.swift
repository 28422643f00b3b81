import Control

extension ServiceState {
  /// The status.
  var report: StatusReport {
    StatusReport(
      snapshot,
      daemon: StatusReport.Daemon(
        version: Version.number, pid: facts.processID, startedUnixSeconds: now.wallTime(of: facts.started),
        nowUnixSeconds: now.wall, restart: facts.restart))
  }

  var meters: MetersReport { MetersReport(snapshot) }

  private var snapshot: AidSnapshot {
    let state = state
    return AidSnapshot(
      state: state, reading: audio.reading,
      devices: state.name == .stopped && test == nil ? nil : audio.devices,
      opens: audio.opens, scheduling: audio.scheduling, hearing: heard, configuration: configuration,
      prescription: prescriptionReport, program: programReport, feedback: feedbackReport,
      procedure: test?.report ?? brokenTest?.report,
      chainDelay: chainDelay, memory: facts.memoryLock
    ).noting(configurationTrouble).noting(diskTrouble)
  }

  private var prescriptionReport: StatusReport.Prescription? {
    guard let standing = known.standing else { return nil }
    guard let refused else { return standing }
    // The status goes to every reader, and by signal to the log.
    return standing.with(
      note: "It cannot be applied, the former one stays in force: \(refused.failure.logMessage)")
  }

  var programReport: ProgramReport {
    let state = state.name
    return programs.report(
      heard, isSounding: audio.devices != nil && (state == .running || state == .muted),
      now: now.monotonic)
  }

  var feedbackReport: StatusReport.Feedback {
    StatusReport.Feedback(
      heard, reading: audio.reading, isSounding: audio.devices != nil,
      notes: ([feedback.problem, testNote] + feedback.distrusted.map(Self.distrust)).compactMap(\.self))
  }
}
