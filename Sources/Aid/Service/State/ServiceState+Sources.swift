import Acoustics
import Base
import Engine

/// The sources of what is heard, beside the configuration.
extension ServiceState {
  // MARK: - Prescription

  /// Lets time pass in the book on the disk.
  mutating func advanceBook() {
    work(.bookTime, { _ in { ($0.store.advance(), $0.store.known) } }) { state, result in
      state.take(result.1)
      // Most of the time nothing is written: only after a failure does a success say that the end of a trial was.
      if result.0 != nil || state.bookTrouble != nil { state.noteChange(result.0) }
      let trouble = result.0?.logMessage
      if let trouble, trouble != state.bookTrouble { state.log(.error, trouble) }
      state.bookTrouble = trouble
    }
  }

  /// Takes in what was read of the book, and lets it be heard.
  mutating func take(_ known: KnownPrescription) {
    let former = self.known.book
    self.known = known
    self.known.advance(to: now)
    if let former { self.known.book?.keepUp(with: former) }
    followPass()
    followOwner()
    followPrescription()
    // Also what the next look would find as it was: a book on the disk may be behind by a part of a second.
    tellPrescription()
  }

  /// Brings the settings in line with the prescription in force, ramped. One that cannot be played leaves
  /// the former one in force. Waits for no disk: a trial ends at its time though its end cannot be written
  /// yet.
  mutating func followPrescription() {
    let source = known.prescribed
    guard source != prescribed else {
      refused = nil
      return
    }
    guard source != refused?.prescribed else { return }
    endDebug("the prescription changed")
    do throws(Failure) {
      try hear { state in
        state.prescribed = source
        state.refused = nil
      }
      log(.notice, "prescription: \(source)")
      endTest("the prescription changed meanwhile", remedy: "Measure again.")
    } catch {
      refused = (source, error)
      log(.error, "the prescription cannot be applied: \(error.logMessage)")
    }
  }

  /// Tells subscribers of another prescription, another trial or other notes.
  mutating func tellPrescription() {
    let standing = known.standing ?? StatusReport.Prescription(serial: nil, clinic: nil, environment: nil)
    guard standing != toldPrescription else { return }
    // Nobody subscribed before the first look.
    if toldPrescription != nil { emit(.publishPrescription(standing)) }
    toldPrescription = standing
  }

  /// While a developer's pass is open, everything that happens is in the log, whatever the configuration
  /// says.
  mutating func followPass() {
    let isOpen = known.developerModeEnds != nil
    guard isDeveloping != isOpen else { return }
    isDeveloping = isOpen
    if !isOpen {
      emit(.endGrants(means: RoleGrant.pass))
      if debug?.caller.grant?.means == RoleGrant.pass { endDebug("the developer's pass is over") }
      if recording?.recorder?.grant?.means == RoleGrant.pass {
        endRecording("the developer's pass is over")
      }
    }
    log(.notice, "developer mode \(isOpen ? "opened" : "closed")")
  }

  // MARK: - Program

  /// Lets the automatic choice classify the surroundings, and follows it slowly.
  mutating func followSurroundings() {
    guard audio.devices != nil else { return }
    var listening = programs
    guard listening.listen(audio.reading.meters, at: now.monotonic) else {
      programs = listening
      return
    }
    do throws(Failure) {
      try hear(shortest: ProgramPace.byItself) { $0.programs = listening }
    } catch { return programs = listening }
    keepProgram()
    log(.info, "program: \(programReport.reason ?? programs.program.name)")
  }

  /// Leaves the choice for the disk, where it is not yet. Sound goes before memory: a disk that is full or
  /// does not answer keeps nobody from turning the volume down.
  ///
  /// - Returns: The number of the work; 0: none.
  @discardableResult mutating func keepProgram() -> Int {
    guard programs.isUnsaved else { return 0 }
    if let waiting = disk.waiting.first(where: { $0.kind == .program }) { return waiting.number }
    return work(.program, { state in { [memory = state.programs.memory] in (memory, $0.keep(memory)) } }) {
      let former = $0.programs.problem
      $0.programs.note($1.0, problem: $1.1)
      $0.programDue = $0.now.monotonic + ServiceState.writingInterval
      if let problem = $1.1, problem != former { $0.log(.warning, problem) }
    }
  }

  /// Sentence for an answer to a choice that came too late to be written; nil: it did not.
  var unkeptSentence: String? {
    disk.isClosed && programs.isUnsaved ? "The daemon is ending: this is not remembered." : nil
  }

  /// Time between two attempts to write what could not be written, s. Own choice: room on a disk, or a right, comes by a person.
  private static let writingInterval = 10.0

  /// Writes the choice once more where that has failed before.
  mutating func keepProgramAgain() {
    guard programs.isRefused, ending == nil, disk.isIdle, now.monotonic >= programDue else { return }
    keepProgram()
  }

  // MARK: - Measured feedback

  /// Takes over what was done to the file, and lets it be heard.
  ///
  /// - Throws: ``Failure``: of the file, which changes nothing; or of settings that cannot be played, which
  ///   leaves the former ones in force.
  mutating func hear(_ failure: Failure?, after change: (inout MeasuredFeedback) -> Void) throws(Failure) {
    if let failure { throw failure }
    change(&feedback)
    try hear(shortest: ProgramPace.byTurn) { _ in }
  }

  /// Takes in what the devices and cancellers tell.
  mutating func followFeedback() {
    var measured = feedback
    let former = measured.distrusted
    let hasChanged = measured.look(
      audio.devices, reading: audio.reading, opens: audio.opens, now: now.monotonic)
    guard hasChanged else { return feedback = measured }
    for ear in measured.distrusted where !former.contains(ear) { log(.warning, Self.distrust(ear)) }
    do throws(Failure) { try hear(nil) { $0 = measured } } catch { log(.error, error.logMessage) }
  }

  static func distrust(_ ear: Ear) -> String {
    "\(ear.rawValue): the canceller did harm, or something howled: what was measured may no longer hold, and the gain "
      + "granted for it is taken back for some minutes. Look how the earpiece sits; if it comes again: auricle fit feedback"
  }
}
