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

  /// Looks whether a daemon is there that takes a proof from this process.
  ///
  /// - Parameter ownUserID: User of this process.
  /// - Throws: ``Failure`` when none is, or it takes none.
  func reach(for peer: ProofPeer, by ownUserID: UInt32) throws(Failure) {
    let daemon = try connection(for: peer)
    // Root is the operator of every daemon.
    guard ownUserID != 0 else { return }
    let device: JSONValue
    do throws(CallFailure) { device = try daemon.call("device.show") } catch { throw error.failure }
    try Self.check(device, ownUserID)
  }

  /// Refuses a daemon whose user is not its operator, and so proves nothing to it.
  ///
  /// - Parameter device: Answer of `device.show`.
  static func check(_ device: JSONValue, _ ownUserID: UInt32) throws(Failure) {
    guard device["wearer_is_operator"] == .boolean(false) else { return }
    throw Failure(
      "hearing aid", inWords: "It is a clinic's, and takes no proof from a program of user \(ownUserID)",
      remedy: "Use the system's auricle-auth: systemctl enable --now auricle-auth.socket",
      exit: .noPermission)
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
      throw error.failure
    }
    throw daemon.unreadable("role.prove")
  }
}

extension CallFailure {
  /// The daemon's words, where it refuses.
  fileprivate var failure: Failure {
    switch self {
    case .connection(let failure): failure
    case .refused(let refusal):
      refusal.failure ?? Failure("auricled", inWords: refusal.message, exit: .noPermission)
    }
  }
}
