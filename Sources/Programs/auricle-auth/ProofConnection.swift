import AuricleClient
import Base
import CLinux
import Glibc

/// The connection of the client who wants to prove who they are: lines, each of a limited length.
struct ProofConnection {
  /// End of a connection as far as lines go.
  enum Fault: Error, Equatable {
    /// The client closed it.
    case gone
    case tooLong
    case late
  }

  /// Greatest length of a client's line without its break, bytes.
  static let longestLine = 4096

  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// The next line, read byte by byte: what follows the request belongs to another process.
  ///
  /// - Parameter deadline: Of the monotonic clock, s.
  func readLine(before deadline: Double = .infinity) throws(Fault) -> [UInt8] {
    var line: [UInt8] = []
    // Never moved in memory, so that wiping it wipes all of it.
    line.reserveCapacity(Self.longestLine)
    while true {
      guard Poll.waits(for: [descriptor], POLLIN, before: deadline) else { throw .late }
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count == 1, byte == .newline { return line }
      guard count == 1 else {
        if count < 0, errno == EAGAIN || errno == EINTR { continue }
        throw .gone
      }
      guard line.count < Self.longestLine else { throw .tooLong }
      line.append(byte)
    }
  }

  /// - Returns: False when the client has gone, or did not read in time.
  @discardableResult func send(_ message: ProofMessage, before deadline: Double = .infinity) -> Bool {
    let bytes = message.line + [.newline]
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        clinux_send(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent)
      }
      if count > 0 { sent += count }
      if count == -Int(EAGAIN), !Poll.waits(for: [descriptor], POLLOUT, before: deadline) { return false }
      if count < 0, count != -Int(EAGAIN), count != -Int(EINTR) { return false }
    }
    return true
  }
}

extension ProofConnection.Fault {
  /// A sentence for the client, who may still read.
  var words: String {
    switch self {
    case .gone: "The client left before the proof ended"
    case .tooLong: "A line of more than \(ProofConnection.longestLine) bytes came"
    case .late: "The proof took too long"
    }
  }
}

/// Waits for descriptors; the corresponding C function is `poll`.
enum Poll {
  /// - Returns: False when nothing came before the deadline. An end of the other side counts as something.
  static func waits(for descriptors: [Int32], _ event: Int32, before deadline: Double) -> Bool {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(event), revents: 0) }
    return wait(&polled, before: deadline)
  }

  /// - Returns: False when nothing came before the deadline, or `poll` fails: another try would fail as well, for ever where
  ///   there is no deadline, and a read in spite of it may have no end.
  static func wait(_ polled: inout [pollfd], before deadline: Double) -> Bool {
    while true {
      let left = deadline - SystemTime.monotonic
      guard left > 0 else { return false }
      let ready = poll(&polled, nfds_t(polled.count), Int32(min(left * 1000, 60_000).rounded(.up)))
      if ready > 0 { return true }
      if ready < 0, errno != EINTR { return false }
    }
  }
}

/// The user at the other end of the connection, as the kernel knows them.
struct ProofPeer: Equatable {
  let userID: UInt32
  /// Name by which PAM knows the user.
  let name: String

  init(userID: UInt32, name: String) { (self.userID, self.name) = (userID, name) }

  /// - Throws: ``Failure`` for what is no connection, and for a user without a name.
  init(_ connection: Int32) throws(Failure) {
    var (process, user, group) = (pid_t(), uid_t(), gid_t())
    guard clinux_peer_credentials(connection, &process, &user, &group) >= 0 else {
      throw Failure(
        "standard input", found: "that it is not a client's connection",
        remedy: "auricle-auth is started by systemd: systemctl enable --now auricle-auth.socket",
        exit: .usage)
    }
    guard let name = Accounts.user(user)?.name else {
      throw Failure("user \(user)", inWords: "user \(user) has no name on this system", exit: .noPermission)
    }
    self.init(userID: user, name: name)
  }

  /// True for a member of a group by the accounts' database, as at a login now, and for root.
  func isMember(of group: String) -> Bool {
    guard userID != 0 else { return true }
    guard let wanted = Accounts.group(named: group), let user = Accounts.user(userID) else { return false }
    return Accounts.groups(of: user).contains(wanted)
  }
}
