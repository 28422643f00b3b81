import Acoustics
import Base
import Control
import Engine

/// Debug mode. It belongs to the connection of its caller, which the kernel ends with the process, and is
/// never written to a disk: what ends the daemon ends it.
extension ServiceState {
  /// Time after a change in which levels settle, s: Fast weighting and a compressor's release.
  private static let settling = 0.5

  // MARK: - Beginning and ending

  /// Begins debug mode for no longer than the role lasts, and notes it in the audit trail; without a note it does not
  /// stay.
  ///
  /// - Throws: ``Failure`` while there is another one, or no sound.
  mutating func beginDebug(for time: Double, by peer: Peer) throws(Failure) -> Outcome<DebugAnswer> {
    if let other = debug?.caller {
      throw Failure(
        "debug mode", found: "another one, process \(other.processID)", expected: "one at a time",
        remedy: "Wait for its end, or end it with: auricle debug --end", exit: .temporary)
    }
    guard ending == nil, state.name == .running, let request, let grant = peer.grant else {
      throw Failure(
        "debug mode", found: "that the aid is \(state.words)", expected: "sound that flows",
        remedy: "See: auricle status", exit: .temporary)
    }
    let mode = DebugMode(request, of: peer, at: now, for: min(time, grant.due - now.monotonic))
    debug = mode
    let seconds = "\(Int(mode.time.rounded())) s"
    log(.notice, "debug mode began: \(peer.words), \(mode.role), \(seconds)")
    let actor = peer.actor
    return work(.book, { _ in { $0.store.note(.debugBegan, seconds, by: actor) } }) {
      (state, failure) throws(Failure) in
      state.noteChange(failure)
      // Another may have begun since.
      guard state.debug?.number == mode.number else {
        throw Failure(
          "debug mode", found: "that it was ended meanwhile", expected: "it on", exit: .temporary)
      }
      if let failure {
        state.endDebug("its beginning cannot be noted in the audit trail")
        throw failure
      }
      state.debug?.isNoted = true
      return .now(
        state.debugAnswer(
          "Debug mode is on for \(NumberText.longestDuration(mode.time)) at most. What is changed in it ends with it."
        ))
    }
  }

  /// Ends debug mode: what was heard before is heard again, ramped. Does nothing while there is none.
  ///
  /// - Parameters:
  ///   - reason: A clause.
  ///   - peer: The one that ends it; nil: the one that began it.
  mutating func endDebug(_ reason: String, by peer: Peer? = nil) {
    guard let mode = debug else { return }
    do throws(Failure) { try hear(shortest: ProgramPace.bySwitch) { $0.debug = nil } } catch {
      // The settings were played before it began.
      debug = nil
      log(.error, "debug mode: the former settings cannot be played: \(error.logMessage)")
    }
    log(.notice, "debug mode ended: \(reason)")
    note(.debugEnded, reason, by: peer ?? mode.caller)
  }

  /// Ends a mode whose time is over, whose note did not reach the disk in time, or whose sound has a fault.
  mutating func followDebug() {
    guard let debug else { return }
    if now.running >= debug.due { return endDebug("its time is over") }
    if !debug.isNoted, !pending.contains(where: { $0.request == debug.number }) {
      return endDebug("its beginning is not in the audit trail")
    }
    switch state.name {
    case .faulted: endDebug("the sound has a fault")
    case .muted: endDebug("the aid was muted")
    case .stopped: endDebug("the aid was stopped")
    case .running, .starting, .waitingForDevice: break
    }
  }

  // MARK: - In it

  /// Measures what is heard.
  mutating func listenInDebug() {
    guard debug != nil, audio.devices != nil else { return }
    let meters = audio.reading.meters
    debug?.listen(
      [meters.left, meters.right].map { ($0.inputLevel, $0.outputLevel) }, frames: meters.frames,
      at: now.monotonic)
  }

  /// The mode, for its own connection.
  ///
  /// - Throws: ``Failure`` for any other, and while there is none.
  func ownDebug(_ peer: Peer) throws(Failure) -> DebugMode {
    guard let debug else {
      throw Failure(
        "debug mode", inWords: "Debug mode is off",
        remedy: "The audit trail has the reason: auricle audit show", exit: .temporary)
    }
    guard debug.caller == peer else {
      throw Failure(
        "debug mode", found: "the one of process \(debug.caller.processID)",
        expected: "the connection that began it", exit: .temporary)
    }
    return debug
  }

  /// Changes what is heard.
  ///
  /// - Throws: ``Failure``; nothing is changed then.
  mutating func changeDebug(
    by peer: Peer, _ change: (HearingSettings, inout DebugSettings) throws(Failure) -> String?
  ) throws(Failure) -> DebugAnswer {
    var mode = try ownDebug(peer)
    var settings = mode.settings
    let caution = try change(heard, &settings)
    mode.change(to: settings)
    try hear(mode)
    return debugAnswer([mode.changesSentence, caution].compactMap(\.self).joined(separator: " "))
  }

  /// Lets the prescribed or the changed setting be heard, equally loud as far as that was measured.
  ///
  /// - Parameter side: Nil: the other one.
  mutating func compareDebug(_ side: LevelMatch.Side?, by peer: Peer) throws(Failure) -> DebugAnswer {
    var mode = try ownDebug(peer)
    guard !mode.settings.isEmpty else {
      throw Failure(
        "debug mode", inWords: "There is nothing to compare: nothing is changed",
        remedy: "Change something first, such as: stage noise-reduction off", exit: .usage)
    }
    mode.compare(side ?? (mode.heard == .changed ? .prescribed : .changed))
    try hear(mode)
    return debugAnswer(
      "Heard: \(mode.heard == .changed ? "changed" : "as prescribed"). \(Self.words(mode))")
  }

  private mutating func hear(_ mode: DebugMode) throws(Failure) {
    try hear(shortest: ProgramPace.bySwitch) { $0.debug = mode }
    waitForLevels()
  }

  /// Leaves out the way to the settings in force.
  private mutating func waitForLevels() {
    debug?.levels.wait(until: now.monotonic + heard.transition + Self.settling)
  }

  /// Begins the measurement of both settings anew: what was measured before is of other conditions.
  mutating func forgetLevels() {
    for side in LevelMatch.Side.allCases { debug?.levels.forget(side) }
    waitForLevels()
  }

  /// Difference of both in level, a sentence.
  private static func words(_ mode: DebugMode) -> String {
    guard let difference = mode.difference else {
      return
        "Not matched in level: each has to be heard for \(Int(LevelMatch.leastTime)) s, with speech or other sound."
    }
    guard abs(difference) >= 0.05 else { return "Both are equally loud." }
    let most = DebugSettings.greatestAttenuation
    let louder = difference > 0 ? "The changed setting" : "The prescribed setting"
    let rest = abs(difference) > most ? " of it \(NumberText.fixed(most)) dB are" : " that is"
    return
      "\(louder) is \(NumberText.fixed(abs(difference))) dB louder;\(rest) taken away while it is heard."
  }

  // MARK: - Reports

  func debugAnswer(_ message: String) -> DebugAnswer { DebugAnswer(message: message, debug: debugReport) }

  var debugReport: StatusReport.Debug? { debug.map { StatusReport.Debug($0, now: now) } }
}
