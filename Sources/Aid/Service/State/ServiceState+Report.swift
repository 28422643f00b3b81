extension ServiceState {
  /// The status.
  var report: StatusReport {
    var report = StatusReport(
      snapshot,
      daemon: StatusReport.Daemon(
        version: Version.number, pid: facts.processID, startedUnixSeconds: now.wallTime(of: facts.started),
        nowUnixSeconds: now.wall, restart: facts.restart, replacedUnixSeconds: replaced),
      file: configuration.file)
    report.prescription = known.standing
    if let refused {
      // The status goes to every reader, and by signal to the log.
      report.prescription?.notes.append(
        "It cannot be applied, the former one stays in force: \(refused.failure.logMessage)")
    }
    report.program = programReport
    report.stream = streamReport
    report.feedback = feedbackReport
    report.debug = debugReport
    report.recording = recording?.report
    report.earphones = earphones?.earphones
    report.procedure = test?.report ?? brokenTest?.report
    // Reasons for which nothing is read or kept stand beside the prescription, or beside the program where no
    // book is.
    let troubles = [configurationTrouble, deviceTrouble, leftOutAudiogram, diskTrouble, refusedChange]
    for trouble in troubles.compactMap(\.self) {
      if report.prescription?.notes.append(trouble) == nil { report.program?.notes.append(trouble) }
    }
    return report
  }

  /// Why the configuration's devices are not those in use; nil: they are, or others are on trial, of which the route tells.
  private var deviceTrouble: String? {
    isOnTrial
      ? nil
      : refusedDevices.map { "\($0). Correct [device] in the file, then: auricle reload." }
  }

  var meters: MetersReport { MetersReport(snapshot) }

  private var snapshot: AidSnapshot {
    let state = state
    return AidSnapshot(
      state: state, reading: audio.reading,
      devices: state.name == .stopped && test == nil ? nil : audio.devices,
      opens: audio.opens, scheduling: audio.scheduling, hearing: heard, found: found,
      chainDelay: chainDelay,
      memory: facts.memoryLock)
  }

  var programReport: ProgramReport {
    programs.report(heard, isSounding: snapshot.isSounding, now: now.monotonic)
  }

  var feedbackReport: StatusReport.Feedback {
    StatusReport.Feedback(
      heard, reading: audio.reading, isSounding: audio.devices != nil,
      notes: [feedback.problem, testNote].compactMap(\.self) + feedback.record.cautions
        + feedback.distrusted.map(Self.distrust))
  }
}
