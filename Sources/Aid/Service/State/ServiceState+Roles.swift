import Base
import Book
import Control

/// Roles: who has proved what, who was refused.
extension ServiceState {
  /// Gives a role to a connection.
  ///
  /// - Parameter seconds: From now; no longer than the configuration's time.
  mutating func grant(_ role: Role, to peer: Peer, means: String, for seconds: Double) -> RoleAnswer {
    let time = min(max(seconds, 0), configuration.configuration.control.roleTime)
    let grant = RoleGrant(role: role, means: means, due: now.monotonic + time)
    proofs.forget(peer)
    if test?.caller == peer, test?.grant?.role == role {
      // A test that was begun by the role goes on by the new proof of it.
      test?.grant = grant
      holdRole()
    } else {
      endTest(begunByRoleOf: peer, because: RoleGrant.ended)
      emit(.grant(peer, grant))
    }
    var proved = peer
    proved.grant = grant
    noteRole(.roleBegan, "for \(Int(time)) s", by: proved)
    return answer(grant)
  }

  /// The role that a connection has.
  func answer(_ grant: RoleGrant) -> RoleAnswer {
    RoleAnswer(role: grant.role, untilUnixSeconds: now.wall + grant.due - now.monotonic)
  }

  /// Takes a connection's role back.
  mutating func endRole(of peer: Peer) {
    proofs.forget(peer)
    guard peer.grant != nil else { return }
    endTest(begunByRoleOf: peer, because: RoleGrant.ended)
    emit(.grant(peer, nil))
    if debug?.caller == peer { endDebug("its role was given back") }
    if recording?.recorder == peer { endRecording(RoleGrant.ended) }
    noteRole(.roleEnded, "", by: peer)
  }

  /// Peers whose connections have something going on without a request: debug mode, a recording, earphones that were told, a feedback
  /// test or a procedure, of which nothing is told before its devices are open, a password that is asked for.
  var engaged: [Peer] {
    [debug?.caller, recording?.recorder, earphones?.teller, test?.caller].compactMap(\.self)
      + proofs.awaited.filter { $0.due > now.monotonic }.map(\.peer)
  }

  /// Ends every role, and whatever goes on by one: the machine slept, and it is not known who sits before it now.
  mutating func endAuthority() {
    let reason = "the machine slept"
    proofs = RoleProofs()
    endTest(begunByRoleOf: nil, because: reason)
    emit(.endGrants(means: nil))
    endDebug(reason)
    endRecording(reason)
    log(.notice, "\(reason): roles have to be proved again")
  }

  /// The proof that was waited for. One for which no challenge waits is a refusal, and noted as such: auricle-auth asks for a password with
  /// any challenge, so that passwords could be tried unseen otherwise.
  ///
  /// - Parameter outcome: Of the proof, in words.
  /// - Throws: ``Failure`` when this peer may bring none, or none like it is waited for.
  mutating func takeProof(
    _ challenge: String, of userID: UInt32, from peer: Peer, _ method: String, noting outcome: String
  ) throws(Failure) -> RoleProofs.Awaited {
    // A process of the user proves nothing about anybody but that user.
    guard peer.userID == 0 || (peer.userID == facts.rule.userID && userID == peer.userID) else {
      noteRefusal(method, to: peer)
      throw Failure(
        method, found: "a request of user \(peer.userID)", expected: "auricle-auth, which runs as root",
        remedy: "To have a role, add --as audiologist to a command.", exit: .noPermission)
    }
    guard let awaited = proofs.take(challenge, of: userID, now: now.monotonic) else {
      // Whoever asked, by the process that tells of it.
      let asker = Peer(processID: peer.processID, userID: userID, groupID: peer.groupID)
      noteRefusal("role (\(outcome), no challenge)", to: asker)
      throw Failure(
        method, found: "a challenge that user \(userID) was not given, or that is over",
        expected: "one of the last \(Int(RoleProofs.patience)) s", remedy: "Ask for the role again.",
        exit: .temporary)
    }
    return awaited
  }

  // MARK: - Tests that were begun by a role

  /// The role without which a peer could not begin a test; nil: it needs none.
  func grantNeeded(for task: RunningTest.Task, by peer: Peer) -> RoleGrant? {
    guard let grant = peer.grant, grant.role == .audiologist, !peer.roles.contains(.wearer) || task.isLoud
    else { return nil }
    return grant
  }

  /// Lets the role by which the test under way was begun outlast its time: the test may take longer, and its caller has to answer and
  /// to stop it.
  mutating func holdRole() {
    guard let test, let grant = test.grant?.held(from: now.monotonic) else { return }
    self.test?.roleEnds = grant.due
    emit(.grant(test.caller, grant))
  }

  /// Ends a test whose role has ended though it was held for it.
  mutating func followRole() {
    guard let test, now.monotonic >= test.roleEnds else { return }
    endTest(begunByRoleOf: test.caller, because: RoleGrant.ended)
  }

  /// Lets the role by which a test was begun end at its time, now that the test is over.
  mutating func releaseRole(of test: RunningTest) {
    if let grant = test.grant { emit(.grant(test.caller, grant)) }
  }

  /// Ends the test under way where it could not have been begun without a role that is over.
  ///
  /// - Parameters:
  ///   - peer: Whoever had the role; nil: everybody.
  ///   - reason: A clause.
  private mutating func endTest(begunByRoleOf peer: Peer?, because reason: String) {
    guard let test, test.grant != nil, peer == nil || test.caller == peer else { return }
    // Its end does not give the role back.
    self.test?.grant = nil
    endTest(reason)
  }

  // MARK: - Audit

  /// Notes that a role began or ended. By a pass that costs nothing but a call, so that of many a few are noted.
  private mutating func noteRole(_ note: BookChange.Note, _ detail: String, by peer: Peer) {
    guard let grant = peer.grant else { return }
    var more = ""
    if grant.means == RoleGrant.pass {
      guard let silent = passes.take(peer.userID, now: now.monotonic) else { return }
      more = silent == 0 ? "" : " (\(silent) more before it)"
    }
    let words = note == .roleBegan ? "\(detail), proved by \(grant.means)" : "no longer"
    log(.notice, "\(peer.words) is \(grant.role.rawValue) \(words)\(more)")
    self.note(note, detail + more, by: peer)
  }

  /// Notes a refused call, in the log and in the audit trail, unless there were many lately.
  mutating func noteRefusal(_ call: String, to peer: Peer) {
    guard let silent = refusals.take(peer.userID, now: now.monotonic) else { return }
    let before = silent == 0 ? "" : "; \(silent) more before it"
    log(.warning, "\(call) refused to \(peer.words)\(before)")
    note(.callRefused, call + before, by: peer)
  }

  /// Puts an event into the audit trail.
  mutating func note(_ note: BookChange.Note, _ detail: String, by peer: Peer) {
    // A disk that does not answer is not waited for with more and more of them.
    guard disk.waiting.count < 32 else { return }
    let actor = peer.actor
    work(.book, { _ in { $0.store.note(note, detail, by: actor) } }) { state, failure in
      if let failure { state.log(.warning, "audit trail: \(failure.logMessage)") }
      state.noteChange(failure)
    }
  }
}

extension Peer {
  /// For a log.
  var words: String { "user \(userID), process \(processID)" }

  /// For the audit trail.
  var actor: Actor {
    Actor(channel: .socket, userID: userID, processID: processID, authority: grant?.authority)
  }
}
