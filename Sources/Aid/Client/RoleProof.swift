import Base
import Glibc

/// Proof of who the user of this process is, made by auricle-auth between `role.begin` and the role.
///
///     let place = StandardPaths.current.proofPlace(ofDaemonAt: client.path) { access($0, F_OK) == 0 }
///     let until = try RoleProof(place).prove(
///       challenge: begun.challenge, role: "audiologist",
///       ask: { prompt, isShown throws(Failure) in try terminal.line(prompt, isShown) },
///       tell: { text, isError in print(text) })
package struct RoleProof {
  /// Socket of auricle-auth, and the daemon that it tells.
  package struct Place: Equatable, Sendable {
    package let socket: String
    package let daemon: ProofRequest.Daemon

    package init(socket: String, daemon: ProofRequest.Daemon) {
      (self.socket, self.daemon) = (socket, daemon)
    }

    /// Command that makes the socket listen.
    var start: String {
      let user = socket.hasPrefix("/run/user/") ? "--user " : ""
      return "systemctl \(user)enable --now auricle-auth.socket"
    }
  }

  private let place: Place
  private let timeout: Double
  /// Time after an answer in which what was said meanwhile is read, s, however late the answer came. Own choice: it waits in the socket.
  private static let moment = 1.0

  /// - Parameter timeout: Time for the whole proof, s: that of auricle-auth, 60 s, and what it needs to
  ///   tell the daemon.
  package init(_ place: Place, timeout: Double = 75) {
    (self.place, self.timeout) = (place, timeout)
  }

  /// Has the proof made; the daemon knows of it when this returns.
  ///
  /// - Parameters:
  ///   - challenge: From the daemon's answer to `role.begin`.
  ///   - role: The role that it is for.
  ///   - ask: Answers a prompt; `isShown` is false where what is typed must not be seen. What it throws
  ///   ends the proof.
  ///   - tell: Shows a message, such as where to place a finger.
  /// - Returns: End of the role, s since 1970-01-01 UTC.
  /// - Throws: ``Failure``: ``ExitStatus/unavailable`` when auricle-auth does not run,
  ///   ``ExitStatus/temporary`` when it does not answer in time, ``ExitStatus/noPermission`` when it
  ///   refuses, and errors of `ask`.
  /// - Threads: control; waits for the person.
  package func prove(
    challenge: String, role: String,
    ask: (_ prompt: String, _ isShown: Bool) throws(Failure) -> String,
    tell: (_ text: String, _ isError: Bool) -> Void
  ) throws(Failure) -> Double {
    let stream = try connection()
    var deadline = stream.deadline(after: timeout)
    let request = ProofRequest(challenge: challenge, role: role, daemon: place.daemon)
    try stream.write(request.line + [.newline], before: deadline)
    while let line = try line(of: stream, before: deadline) {
      switch ProofMessage(line: line) {
      case .prompt(let prompt, let echo):
        let answer = ProofAnswer(try ask(LogLine.printable(prompt), echo))
        // While a person took long, auricle-auth may have refused and hung up.
        deadline = max(deadline, stream.deadline(after: Self.moment))
        try stream.write(answer.line + [.newline], before: deadline)
      case .message(let text): tell(LogLine.printable(text), false)
      case .errorMessage(let text): tell(LogLine.printable(text), true)
      case .proved(let until): return until
      case .refused(let reason, let remedy):
        throw Failure("role \(role)", inWords: reason, remedy: remedy, exit: .noPermission)
      case nil:
        throw Failure(
          place.socket, found: "a line that is not auricle-auth's", expected: "auricle-auth",
          remedy: "Install auricle and auricle-auth of the same version.", exit: .protocolMismatch)
      }
    }
    throw Failure(
      "auricle-auth", found: "no end of the proof in \(NumberText.exact(timeout)) s",
      remedy: "Something in the PAM service auricle hangs; look at the log of auricle-auth.",
      exit: .temporary)
  }

  private func connection() throws(Failure) -> ClientStream {
    let stream: ClientStream
    do throws(Failure) {
      stream = try ClientStream(path: place.socket, timeout: 5, kind: "socket of auricle-auth")
    } catch {
      guard error.exitStatus == .unavailable else { throw error }
      throw Failure(
        "auricle-auth", found: "that auricle-auth.socket is not active (\(place.socket))",
        remedy: "Start it: \(place.start)", exit: .unavailable)
    }
    // A password is told to nobody but root and this user.
    guard let owner = stream.peerUserID, owner != 0, owner != geteuid() else { return stream }
    throw Failure(
      place.socket, found: "a socket of user \(owner)", expected: "one of root or of user \(geteuid())",
      remedy: "Do not type a password there.", exit: .noPermission)
  }

  private func line(of stream: ClientStream, before deadline: Double) throws(Failure) -> [UInt8]? {
    do throws(Failure) {
      return try stream.readLine(before: deadline)
    } catch {
      guard error.exitStatus == .unavailable else { throw error }
      throw Failure(
        "auricle-auth", found: "that it hung up before the proof ended", remedy: "Look at its log.",
        exit: .unavailable)
    }
  }
}

extension StandardPaths {
  private static let systemDaemon = "/run/auricle/control.sock"
  private static let systemProof = "/run/auricle-auth/auth.sock"

  /// Socket of the auricle-auth that proves a role to a daemon: `AURICLE_AUTH_SOCKET`; of the system's
  /// daemon the system's; of a person's daemon the one of the person's session,
  /// `$XDG_RUNTIME_DIR/auricle-auth.sock`, or where it does not exist the system's.
  ///
  /// - Parameter control: Control socket of the daemon, as ``clientSocket(explicit:configured:)``
  ///   finds it.
  package func proofPlace(ofDaemonAt control: String, exists: (String) -> Bool) -> RoleProof.Place {
    let daemon: ProofRequest.Daemon = control == Self.systemDaemon ? .system : .user
    if let named = namedProofSocket { return RoleProof.Place(socket: named, daemon: daemon) }
    let own = daemon == .user ? ownProofSocket : nil
    return RoleProof.Place(
      socket: own.flatMap { exists($0) ? $0 : nil } ?? Self.systemProof, daemon: daemon)
  }

  /// Control socket that auricle-auth tells of a proof; never one that the client names.
  ///
  /// - Parameters:
  ///   - daemon: The daemon that the client asks for; only root can tell another than its own user's.
  ///   - peer: User of the client.
  package func provenDaemon(_ daemon: ProofRequest.Daemon?, of peer: UInt32) -> String {
    guard isRoot else { return socket }
    return daemon == .user ? "/run/user/\(peer)/auricle/control.sock" : Self.systemDaemon
  }
}
