import AuricleClient
import Base

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
  /// - Parameters:
  ///   - path: Control socket of the daemon.
  ///   - isUsersOwn: True where the socket lies in a folder of the peer, who could make it lead anywhere.
  /// - Returns: End of the role, s since 1970-01-01 UTC; 0 after a refusal.
  /// - Throws: ``Failure`` when the daemon does not answer or does not accept the proof.
  func send(to path: String, isUsersOwn: Bool) throws(Failure) -> Double {
    let daemon = try ControlClient(path: path)
    guard !isUsersOwn || daemon.peerUserID == peer.userID else {
      throw Failure(path, found: "a daemon that is not of user \(peer.userID)", exit: .noPermission)
    }
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
