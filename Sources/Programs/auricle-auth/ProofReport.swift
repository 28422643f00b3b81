import AuricleClient
import Base
import Glibc

/// The daemon to which a client's role is proved.
struct ProofTarget: Equatable {
  /// Control socket.
  let path: String
  /// True where the socket lies in a folder of the client, who could make it lead anywhere.
  let isUsersOwn: Bool
  /// True where the command line names no other socket.
  let isUsual: Bool

  /// Connects.
  ///
  /// - Throws: ``Failure`` when no daemon is there, or a stranger's.
  func connection(for peer: ProofPeer) throws(Failure) -> ControlClient {
    let daemon: ControlClient
    do throws(Failure) {
      daemon = try ControlClient(path: path)
    } catch {
      // The client has a challenge: its daemon runs, at another socket.
      guard isUsual, error.exitStatus == .unavailable else { throw error }
      throw Failure(
        error.subject, found: error.found, expected: error.expected, remedy: Self.naming,
        exit: .unavailable)
    }
    guard !isUsersOwn || daemon.peerUserID == peer.userID else {
      throw Failure(path, found: "a daemon that is not of user \(peer.userID)", exit: .noPermission)
    }
    return daemon
  }

  /// Way to name another socket, whole sentences.
  private static var naming: String {
    "Roles are proved to the aid at this socket alone. One that has another (control.socket) is named by "
      + "systemctl \(geteuid() == 0 ? "" : "--user ")edit auricle-auth@.service, with the lines [Service], ExecStart= and "
      + "ExecStart=/usr/bin/auricle-auth --control SOCKET."
  }
}

/// Result of a proof as the daemon is told it.
struct ProofReport: Equatable {
  let request: ProofRequest
  let peer: ProofPeer
  /// The reason of a refusal; nil: proved.
  let denied: String?

  init(_ request: ProofRequest, _ peer: ProofPeer, denied: String?) {
    (self.request, self.peer, self.denied) = (request, peer, denied)
  }

  /// Tells the daemon.
  ///
  /// - Returns: End of the role, s since 1970-01-01 UTC; 0 after a refusal.
  /// - Throws: ``Failure`` when the daemon does not answer or does not accept the proof.
  func send(to target: ProofTarget) throws(Failure) -> Double {
    let daemon = try target.connection(for: peer)
    var parameters: JSONValue {
      let result: (String, JSONValue) = denied.map { ("reason", .text($0)) } ?? ("means", "PAM")
      let role: [(String, JSONValue)] = denied == nil ? [("role", .text(request.role))] : []
      return .object(
        ([("challenge", .text(request.challenge)), result] + role + [
          ("user_id", .number(Double(peer.userID)))
        ])
        .map { JSONValue.Member(key: $0, value: $1) })
    }
    do throws(CallFailure) {
      let answer = try daemon.call(denied == nil ? "role.prove" : "role.deny", parameters)
      guard denied == nil else { return 0 }
      if case .number(let until) = answer["until_unix_seconds"]?.content { return until }
    } catch {
      switch error {
      case .connection(let failure): throw failure
      case .refused(let refusal):
        throw refusal.failure ?? Failure("auricled", inWords: refusal.message, exit: .noPermission)
      }
    }
    throw daemon.unreadable("role.prove")
  }
}
