import Acoustics
import Base
import Engine
import Prescriptions
import Procedures

/// A feedback test, or another procedure, under way.
///
/// It belongs to the connection of its caller: the kernel ends that with its process, whatever ends the
/// process.
struct RunningTest: Sendable, Equatable {
  enum Phase: Sendable, Equatable {
    /// The audio thread is not open yet.
    case opening
    case measuring
    /// Nothing sounds any more; the result is for the disk, a piece of work with this number.
    case keeping(Int)
  }

  enum Task: Sendable, Equatable {
    case feedback(FeedbackTestKind, [Ear])
    case procedure(ProcedureCommission)

    var isFeedback: Bool { if case .feedback = self { true } else { false } }

    /// True of tones that are louder than a wearer may ask for, or may be: those of a record that is gone on with are not read yet.
    var isLoud: Bool {
      guard case .procedure(let commission) = self else { return false }
      switch commission.task {
      case .new(let order): return (order.highest ?? 0) > ProcedureOrder.usualHighest
      case .resume: return commission.highest > HearingLevel(ProcedureOrder.usualHighest)
      }
    }

    /// True of a measurement of the loop's delay.
    var isDelay: Bool { if case .feedback(.delay, _) = self { true } else { false } }

    /// Name for sentences.
    var name: String {
      switch self {
      case .feedback(let kind, _): kind.words
      case .procedure(let commission): commission.name
      }
    }

    /// Name for everybody, with or without a role: the procedure's own would tell of the wearer's hearing.
    var publicName: String {
      switch self {
      case .feedback(let kind, _): kind.words
      case .procedure: "measurement"
      }
    }
  }

  /// The request that began it.
  let number: RequestID
  let caller: Peer
  let task: Task
  /// The role without which the caller could not have begun it, with the end that it was given; nil: it needs none.
  var grant: RoleGrant?
  /// When that role ends at the latest, and the test with it, monotonic s.
  var roleEnds = Double.infinity
  var report: StatusReport.Procedure
  /// Name of a procedure's record, once there is one.
  var record = ""
  /// Earphones with which alone a procedure may be carried out, once its record is open; nil: any.
  var allowance: EarphoneAllowance?
  /// When it ends unless its earphones are told again, monotonic s; infinite: they are allowed; nil: they were not found to be yet.
  var identityDue: Double?
  /// Volume controls of the earphones' card as they stood when it began; nil: nobody could read them yet.
  var volumes: [VolumeSetting]?
  var phase = Phase.opening
  /// When a phase that waits for others is over at the latest, monotonic s.
  var due: Double
}

/// A feedback test without a result that is kept.
struct BrokenTest: Sendable, Equatable {
  let number: RequestID
  let report: StatusReport.Procedure
  /// Sentences for the status and the log.
  let sentence: String
}

extension ServiceState {
  /// Begins a test, once the audio thread is open; the aid is silent until it has ended.
  ///
  /// - Throws: ``Failure`` while there is another one, or the daemon is ending.
  mutating func beginTest(
    _ kind: FeedbackTestKind = .path, of ears: [Ear], for caller: Peer
  ) throws(Failure) {
    try begin(.feedback(kind, ears), named: kind.procedure, for: caller)
  }

  /// Begins a feedback test or a procedure.
  ///
  /// - Parameter name: For the status.
  /// - Throws: ``Failure`` while there is another one, devices are on trial, or the machine is about to sleep.
  mutating func begin(_ task: RunningTest.Task, named name: String, for caller: Peer) throws(Failure) {
    if let other = test {
      throw Failure(
        task.name, found: "a \(other.task.name) under way, process \(other.caller.processID)",
        expected: "one at a time", remedy: "Wait for its end.", exit: .temporary)
    }
    if let reason = sound.pause {
      throw Failure(
        task.name, found: "that \(reason)", remedy: "Try again when it has woken.", exit: .temporary)
    }
    if isOnTrial {
      throw Failure(
        task.name, found: "devices on trial", expected: "some that stay",
        remedy: "Keep them, auricle route keep, or wait until the former ones are back.", exit: .temporary)
    }
    guard ending == nil, let request else {
      throw Failure(task.name, found: "that the daemon is about to end", exit: .temporary)
    }
    test = RunningTest(
      number: request, caller: caller, task: task, grant: grantNeeded(for: task, by: caller),
      report: StatusReport.Procedure(name: name, pid: caller.processID, beganUnixSeconds: now.wall),
      volumes: volumes.settings, due: now.monotonic + SoundControl.longestClosing)
    brokenTest = nil
    holdRole()
    sound.occupy(
      "a \(task.publicName) is under way, process \(caller.processID); sound comes back when it ends",
      audio.state)
  }

  /// Lets it measure, when the audio thread is open.
  mutating func proceedWithTest() {
    guard let test, test.phase == .opening, sound.isOpen else { return }
    self.test?.phase = .measuring
    switch test.task {
    case .feedback(let kind, let ears):
      emit(.tell(test.caller, FeedbackNotice(share: 0)))
      emit(.measure(test.number, kind, ears))
    case .procedure(let commission): emit(.carryOut(test.number, commission))
    }
  }

  /// Takes in news of a test. What comes of one that was ended is not taken.
  mutating func take(_ news: FeedbackTestNews, of number: RequestID) {
    guard let test, test.number == number, test.phase == .measuring else { return }
    switch news {
    case .progress(let notice):
      if let share = notice.share { self.test?.report.share = share }
      emit(.tell(test.caller, notice))
    case .ended(.failure(let fault)): endTest(Failure(fault, of: test.task.name))
    case .ended(.success(let record)): keep(record, of: test)
    }
  }

  /// Takes in news of a procedure, which keeps its record itself.
  mutating func take(_ news: ProcedureNews, of number: RequestID) {
    guard let test, test.number == number, test.phase == .measuring else { return }
    switch news {
    case .notice(let notice):
      self.test?.report.share = notice.share
      self.test?.record = notice.record
      emit(.tellProcedure(test.caller, notice))
    case .allowance(let allowance):
      self.test?.allowance = allowance
      endTestOfOtherEarphones()
    case .ended(let failure?): endTest(failure)
    case .ended(nil):
      sound.vacate()
      self.test = nil
      releaseRole(of: test)
      log(.info, "\(test.task.name) of process \(test.caller.processID) finished")
    }
  }

  /// Leaves the result for the disk; what sounded before sounds again.
  private mutating func keep(_ record: FeedbackRecord, of test: RunningTest) {
    sound.vacate()
    let piece = work(
      .feedback, { state in { [whole = record.over(state.feedback.record)] in $0.keep(whole) } }
    ) { state, failure in
      var notice = FeedbackNotice()
      do throws(Failure) {
        try state.hear(failure) { $0.keep(record) }
        if state.brokenTest?.number == test.number { state.brokenTest = nil }
        notice.answer =
          test.task.isDelay ? .keptDelay(state.feedbackReport) : .kept(state.feedbackReport)
      } catch { notice.error = error }
      if state.test?.number == test.number { state.finishTest(with: notice) }
    }
    var keeping = test
    keeping.phase = .keeping(piece)
    keeping.due = now.monotonic + facts.diskPatience
    self.test = keeping
  }

  /// Tells the caller that the test has ended.
  ///
  /// - Parameter isAskedFor: True when the caller wants it; otherwise the reason of a failure stays to be read
  ///   until the next test or change.
  private mutating func finishTest(with notice: FeedbackNotice, isAskedFor: Bool = false) {
    guard let test else { return }
    switch test.task {
    case .feedback: emit(.tell(test.caller, notice))
    case .procedure:
      var last = ProcedureNotice(test.record, .broken, share: test.report.share)
      last.error = notice.error
      emit(.tellProcedure(test.caller, last))
    }
    self.test = nil
    releaseRole(of: test)
    guard let failure = notice.error, !isAskedFor else { return }
    // Of a procedure the log's words, without anybody's thresholds.
    let words = test.task.isFeedback ? failure.found : failure.logMessage
    let found = words.hasPrefix("that ") ? String(words.dropFirst(5)) : words
    let isMeasured = if case .keeping = test.phase { true } else { false }
    var report = test.report
    report.endedUnixSeconds = now.wall
    report.reason = (isMeasured ? "its result is not on the disk: \(failure.subject): " : "") + found
    let kept =
      if case .feedback = test.task { "Nothing of it is kept." } else { "Whatever was answered is kept." }
    let sentence =
      "The \(test.task.name) of process \(test.caller.processID) "
      + (isMeasured
        ? "has a result that is not on the disk. \(failure.logMessage)"
        : "broke off: \(found.hasSuffix(".") ? String(found.dropLast()) : found). \(kept)")
    brokenTest = BrokenTest(number: test.number, report: report, sentence: sentence)
    let isBack = !isMeasured && state.name == .running
    log(.warning, sentence + (isBack ? " What sounded before sounds again." : ""))
  }

  // MARK: - An end before there is a result

  /// Ends the test because a client asks for it.
  mutating func stopTest(by peer: Peer) {
    if test?.caller != peer { return endTest("process \(peer.processID) ended it") }
    endTest(
      Failure(FeedbackFault.cancelled, of: test?.task.name ?? FeedbackTestKind.path.words), isAskedFor: true
    )
  }

  /// Ends a test that waits for others for too long, or whose earphones' teller has been gone for too long.
  mutating func endOverdueTest() {
    guard let test else { return }
    if let due = test.identityDue, now.monotonic >= due { return endTestOfOtherEarphones() }
    guard now.monotonic >= test.due else { return }
    switch test.phase {
    case .opening: endTest("the sound device that was used before does not close")
    case .measuring: break
    case .keeping(let work):
      finishTest(with: FeedbackNotice(error: refuseLate(work, facts.diskPatience)))
    }
  }

  /// Ends the test under way for a fault of its own words.
  mutating func endTest(_ fault: FeedbackFault) {
    endTest(Failure(fault, of: test?.task.name ?? FeedbackTestKind.path.words))
  }

  /// Ends the test under way for a reason from outside, a clause.
  mutating func endTest(_ reason: String, remedy: String? = nil) {
    endTest(
      Failure(test?.task.name ?? "feedback test", found: "that \(reason)", remedy: remedy, exit: .temporary)
    )
  }

  /// Ends the test under way: its sound falls to silence, what sounded before sounds again, ramped, and
  /// nothing of it is taken. Does nothing while there is none, or where it has a result already.
  ///
  /// - Parameters:
  ///   - failure: Told to the caller.
  ///   - isAskedFor: True when the caller wants it; otherwise the reason stays to be read until the next
  ///     test or change.
  mutating func endTest(_ failure: Failure, isAskedFor: Bool = false) {
    guard let test else { return }
    if case .keeping = test.phase { return }
    sound.vacate()
    emit(.endTest)
    finishTest(with: FeedbackNotice(error: failure), isAskedFor: isAskedFor)
  }

  /// Note of a test that broke off; nil: none did.
  var testNote: String? {
    guard let brokenTest, let ended = brokenTest.report.endedUnixSeconds else {
      return nil
    }
    return "\(Instant(seconds: Int(ended)).localText): \(brokenTest.sentence)"
  }
}
