import AuricleClient
import Base
import Glibc

/// One client's proof: its request, the conversation with PAM under a limit of time, the daemon's answer,
/// the last line.
struct ProofSession {
  /// Time in which the request must come, s.
  private static let patience = 10.0
  /// Time that PAM has after its client has left, s: the delay after a wrong password (pam_fail_delay(3))
  /// is not to be escaped by leaving.
  private static let grace = 4.0

  let connection: ProofConnection
  let peer: ProofPeer
  /// User of this process.
  let ownUserID: UInt32
  /// Time for the whole proof, s.
  let limit: Double
  /// True when the accounts' database has the client in a group.
  let isMember: (_ group: String) -> Bool
  /// Looks whether the daemon is there, which is told at the end, and takes a proof.
  let reach: (ProofRequest.Daemon?) throws(Failure) -> Void
  let converse: (ProofConnection) throws(Failure) -> Conversation
  let report: (ProofReport) throws(Failure) -> Double

  /// Conducts the proof to its last line.
  ///
  /// - Returns: A line for the log; nil where there was no request.
  func run() -> LogLine? {
    let deadline = SystemTime.monotonic + limit
    let request: ProofRequest
    do throws(Refusal) {
      request = try self.request(before: min(deadline, SystemTime.monotonic + Self.patience))
    } catch {
      send(.refused(reason: error.reason + ".", remedy: error.remedy))
      return nil
    }
    let subject = "user \(peer.userID) (\(peer.name)) as \(request.role)"
    do throws(Refusal) {
      send(.proved(until: try prove(request, before: deadline)))
      return LogLine(.notice, "proved \(subject) by PAM")
    } catch {
      send(.refused(reason: error.reason + ".", remedy: error.remedy))
      return LogLine(.notice, "refused \(subject): \(error.reason).")
    }
  }

  /// A reason without its full stop, and a remedy.
  private struct Refusal: Error {
    let reason: String
    var remedy: String?
  }

  private func send(_ message: ProofMessage) {
    // A client who does not read is not waited for.
    connection.send(message, before: SystemTime.monotonic + 1)
  }

  // MARK: - Request

  private func request(before deadline: Double) throws(Refusal) -> ProofRequest {
    let line: [UInt8]
    do throws(ProofConnection.Fault) {
      line = try connection.readLine(before: deadline)
    } catch {
      throw Refusal(reason: error == .late ? "No request came in time" : error.words)
    }
    let expected = "Send {\"challenge\":\"…\",\"role\":\"audiologist\"}, with the challenge of role.begin."
    guard let request = try? JSON.value(ProofRequest.self, from: line) else {
      throw Refusal(reason: "The first line is not a request", remedy: expected)
    }
    if let fault = request.fault { throw Refusal(reason: "The request has \(fault)", remedy: expected) }
    return request
  }

  // MARK: - Proof

  private func prove(_ request: ProofRequest, before deadline: Double) throws(Refusal) -> Double {
    guard ownUserID == 0 || ownUserID == peer.userID else {
      throw Refusal(
        reason: "This auricle-auth proves who user \(ownUserID) is, not user \(peer.userID)",
        remedy: "Use the system's: systemctl enable --now auricle-auth.socket")
    }
    // Before a password is asked for, which would be in vain.
    do throws(Failure) {
      try reach(request.daemon)
    } catch {
      throw Refusal(reason: Self.withoutStop(error), remedy: error.remedy)
    }
    do throws(Refusal) {
      try membership(ProofRequest.group(of: request.role))
      try conversation(before: deadline)
    } catch {
      // An attempt that is not noted is refused all the same.
      _ = try? report(ProofReport(request, peer, denied: error.reason))
      throw error
    }
    do throws(Failure) {
      return try report(ProofReport(request, peer, denied: nil))
    } catch {
      throw Refusal(reason: Self.withoutStop(error), remedy: error.remedy)
    }
  }

  /// Returns when the client is a member of the role's group now. The groups of a connection are those of its process, which
  /// may be older than the last change of the group, or may have them from a program's setgid bit. A user's own session proves
  /// nothing that this user may not do anyway.
  private func membership(_ group: String) throws(Refusal) {
    guard ownUserID == 0, !isMember(group) else { return }
    throw Refusal(
      reason: "User \(peer.name) is not in group \(group)",
      remedy: "Let the operator add the user to the group and log in again.")
  }

  /// The sentence of a failure without its remedy and its full stop.
  private static func withoutStop(_ failure: Failure) -> String {
    let remedy = failure.remedy.map { " " + $0 } ?? ""
    let sentence = failure.message.dropLast(failure.message.hasSuffix(remedy) ? remedy.count : 0)
    return String(sentence.last == "." ? sentence.dropLast() : sentence)
  }

  /// Returns when PAM has proved who the client is.
  private func conversation(before deadline: Double) throws(Refusal) {
    let conversation: Conversation
    do throws(Failure) {
      conversation = try converse(connection)
    } catch {
      throw Refusal(reason: Self.withoutStop(error), remedy: error.remedy)
    }
    defer { conversation.end() }
    var polled = [
      pollfd(fd: conversation.pipe, events: Int16(POLLIN), revents: 0),
      // POLLHUP alone: a client that has said all may close its half.
      pollfd(fd: connection.descriptor, events: 0, revents: 0),
    ]
    var isInTime = Poll.wait(&polled, before: deadline)
    let hasLeft = polled[1].revents != 0
    if hasLeft, polled[0].revents == 0 {
      polled.removeLast()
      isInTime = Poll.wait(&polled, before: min(deadline, SystemTime.monotonic + Self.grace))
    }
    let outcome = isInTime ? conversation.outcome() : nil
    if let reason = outcome?.reason { throw Refusal(reason: reason, remedy: outcome?.remedy) }
    if hasLeft { throw Refusal(reason: ProofConnection.Fault.gone.words) }
    guard isInTime else {
      throw Refusal(
        reason: "PAM did not come to an end within \(NumberText.exact(limit)) s",
        remedy:
          "Ask again; if nothing asked for an answer, see /etc/pam.d/auricle and the log of auricle-auth.")
    }
    guard outcome != nil else {
      throw Refusal(reason: "PAM ended unexpectedly", remedy: "See the log of auricle-auth.")
    }
  }
}
