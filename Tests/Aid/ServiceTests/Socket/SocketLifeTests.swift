import Base
import CommonTesting
import Control
import Glibc
import Synchronization
import Testing

@testable import Service

@Suite("Life of the control socket") struct SocketLifeTests: SocketSuite {
  let place = SocketPlace()

  private func server(_ path: String? = nil, rule: AccessRule = .person) throws(Failure) -> ServedSocket {
    try ServedSocket(path: path ?? self.path, rule: rule, handler: handler)
  }

  private func failure(_ body: () throws -> some Any) -> Failure? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? Failure
    }
  }

  private func mode(_ path: String) -> UInt32 {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  /// A listening socket, as a service manager makes it.
  private func listening(_ path: String) throws -> PassedSocket {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let address = try #require(UnixAddress(path))
    try #require(address.withPointer { bind(descriptor, $0, $1) } == 0)
    listen(descriptor, 4096)
    return PassedSocket(descriptor: descriptor)
  }

  /// Leaves a socket file behind, as a process does that was killed.
  private func leaveSocket(_ path: String) throws { close(try listening(path).descriptor) }

  @Test(
    "a socket that a service manager made gets the daemon's permissions, serves who came before it, and stays when it ends"
  )
  func passed() throws {
    let passed = try listening(path)
    chmod(path, 0o666)
    let early = try RawClient(path)
    early.send(request("status"))
    let again = dup(passed.descriptor)
    let server = try ServedSocket(path: path, rule: .person, handler: handler, passed: passed)
    #expect(mode(path) == 0o600)
    server.start()
    #expect(early.line()?.contains(#""result""#) == true)
    server.stop()
    #expect(folder.names == ["control.sock"])
    // The next one is given the same.
    let next = try ServedSocket(
      path: path, rule: .person, handler: handler, passed: PassedSocket(descriptor: again))
    next.start()
    #expect(try ControlClient(path: path).ask(ReportMethods.Status()) == .sample)
    next.stop()
  }

  @Test(
    "a service manager's socket of another path, or one that was taken away, is refused, and nothing is made in its place"
  )
  func passedElsewhere() throws {
    let other = folder.file("other.sock")
    let elsewhere = failure {
      try ServedSocket(path: path, rule: .person, handler: handler, passed: listening(other))
    }
    #expect(
      elsewhere?.message
        == "control socket \(path): found a socket of another path from the service manager, expected the path of this daemon. "
        + "Set ListenStream= of auricled.socket and control.socket to the same path.")
    #expect(elsewhere?.exitStatus.rawValue == 78)
    let gone = try listening(path)
    unlink(path)
    let missing = failure { try ServedSocket(path: path, rule: .person, handler: handler, passed: gone) }
    #expect(missing?.message.contains("the service manager's socket was taken away") == true)
    #expect(missing?.exitStatus.rawValue == 78)
    #expect(folder.names == ["other.sock"])
  }

  @Test("folder and socket are for the person alone, or for the group as well")
  func permissions() throws {
    let own = try server(folder.file("own/control.sock"))
    defer { own.stop() }
    #expect(mode(folder.file("own")) == 0o700)
    #expect(mode(own.path) == 0o600)
    #expect(mode(own.path + ".lock") == 0o600)
    let shared = try server(
      folder.file("shared/control.sock"), rule: AccessRule(userID: geteuid(), groupID: getegid()))
    defer { shared.stop() }
    #expect(mode(folder.file("shared")) == 0o750)
    #expect(mode(shared.path) == 0o660)
  }

  @Test("a second daemon is told the process number of the first")
  func second() throws {
    let first = try server()
    defer { first.stop() }
    let failure = failure { try server() }
    #expect(
      failure?.message
        == "auricled: found it already running, PID \(getpid()), expected no other daemon with lock "
        + "file \(path).lock. Use that one, or end it: auricle stop --daemon.")
    #expect(failure?.exitStatus.rawValue == 75)
    // The first is none the worse.
    first.start()
    #expect(try ControlClient(path: path).ask(ReportMethods.Status()) == .sample)
  }

  @Test("what a killed daemon left, a socket and a lock file, is not in the way of the next")
  func afterKill() throws {
    try leaveSocket(path)
    folder.write("99999\n", to: "control.sock.lock")
    let server = try server()
    server.start()
    #expect(try ControlClient(path: path).ask(ReportMethods.Status()) == .sample)
    server.stop()
    #expect(folder.names == [])
  }

  @Test("a lock file that a daemon takes over from one that was killed names the guardian at every moment")
  func guardianNumber() throws {
    let (lock, killed) = (folder.file("control.sock.lock"), folder.file("killed"))
    let numbers = "7654321\n4711\n"
    let found = Mutex<(whole: Int, incomplete: [String])>((0, []))
    let observer = Observer {
      guard let bytes = try? FileContent.bytes(of: lock, limit: 64) else { return }
      let text = String(decoding: bytes, as: UTF8.self)
      let isWhole = text.split(separator: "\n").dropFirst().first == "4711"
      found.withLock { if isWhole { $0.whole += 1 } else { $0.incomplete.append(text) } }
    }
    for _ in 0..<2000 {
      folder.write(numbers, to: "killed")
      rename(killed, lock)
      try SocketLock(path: lock, guardian: 4711) { owner in
        Failure("lock", found: "it held\(owner)", exit: .temporary)
      }.release()
    }
    observer.end()
    let (whole, incomplete) = found.withLock { $0 }
    #expect(whole > 0 && incomplete == [])
  }

  @Test("a socket on which another program listens is left alone")
  func foreign() throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    let address = try #require(UnixAddress(path))
    try #require(address.withPointer { bind(descriptor, $0, $1) } == 0)
    listen(descriptor, 1)
    let failure = failure { try server() }
    #expect(
      failure?.message
        == "control socket \(path): found another program listening, process \(getpid()), expected a "
        + "free socket. End it, or set control.socket to another path.")
    #expect(failure?.exitStatus == .temporary)
    #expect(folder.names == ["control.sock"])
  }

  @Test("a file in the socket's place is left alone")
  func file() throws {
    folder.write("precious", to: "control.sock")
    let failure = failure { try server() }
    #expect(
      failure?.message
        == "control socket \(path): found something that is not a socket, expected nothing, or a "
        + "socket left behind. Move it away, or set control.socket to another path.")
    #expect(failure?.exitStatus == .configuration)
    #expect(folder.names == ["control.sock"])
  }

  @Test("a path that is too long, or whose folder has none, is refused with the way out")
  func badPaths() throws {
    let long = "/tmp/" + String(repeating: "a", count: 103)
    #expect(
      failure { try server(long) }?.message
        == "control socket \(long): found a path of 108 bytes, expected 1 to 107 bytes and no leading @. "
        + "Set control.socket to a shorter path.")
    let deep = folder.file("no/where/control.sock")
    #expect(
      failure { try server(deep) }?.message
        == "folder \(folder.file("no/where")): found no folder \(folder.file("no")) to make it in, expected an "
        + "existing folder. Make it, or set control.socket to another path.")
    folder.write("", to: "plain")
    #expect(
      failure { try server(folder.file("plain/control.sock")) }?.message
        == "folder \(folder.file("plain")): found something that is not a folder.")
  }

  @Test("a folder in which others may write is refused with the command that mends it")
  func unsafeFolder() throws {
    chmod(folder.path, 0o777)
    let failure = failure { try server() }
    #expect(
      failure?.message
        == "folder \(folder.path): found permissions 777, with which others may write, expected 700. "
        + "Run: chmod 700 \(folder.path)")
    #expect(failure?.exitStatus == .noPermission)
  }

  @Test("a link in a folder open to all is not followed")
  func link() throws {
    let open = folder.file("open")
    mkdir(open, 0o700)
    chmod(open, 0o1777)
    symlink(folder.path, open + "/trick")
    #expect(
      failure { try server(open + "/trick/control.sock") }?.message
        == "folder \(open)/trick: found something that is not a folder.")
  }

  @Test("a place that another daemon has taken is told from one that was only taken away")
  func takenOver() throws {
    let first = try ListeningSocket(path: path, rule: .person)
    #expect(!first.isTakenOver)
    unlink(path)
    unlink(path + ".lock")
    #expect(!first.isInPlace && !first.isTakenOver)
    let second = try ListeningSocket(path: path, rule: .person)
    #expect(first.isTakenOver && !second.isTakenOver)
    first.close()
    #expect(second.isInPlace)
    second.close()
  }

  // MARK: - Client

  @Test("without a daemon a client says so, and how to start it")
  func noDaemon() throws {
    let absent = failure { try ControlClient(path: path) }
    #expect(
      absent?.message == "control socket \(path): found no daemon there, expected a running auricled. "
        + "Start it: auricle start.")
    #expect(absent?.exitStatus.rawValue == 69)
    try leaveSocket(path)
    let stale = failure { try ControlClient(path: path) }
    #expect(
      stale?.message
        == "control socket \(path): found a socket whose daemon has gone, expected a running auricled. "
        + "Start it: auricle start.")
    #expect(stale?.exitStatus.rawValue == 69)
  }

  @Test(
    "who may not connect is told who may",
    .enabled(if: geteuid() != 0, "root may always connect"),
    arguments: [(0o000, ""), (0o060, ", a member of group \(getegid()),")] as [(UInt32, String)])
  func noPermission(mode: UInt32, group: String) throws {
    let server = try server()
    defer { server.stop() }
    chmod(path, mode)
    let failure = failure { try ControlClient(path: path) }
    #expect(
      failure?.message
        == "control socket \(path): found no permission for user \(geteuid()) to connect, expected user "
        + "\(geteuid())\(group) or root. Ask as one of them.")
    #expect(failure?.exitStatus.rawValue == 77)
  }

  @Test("a failed call comes back as the failure that the daemon met, with its exit status")
  func failedCall() throws {
    let server = try server()
    server.start()
    defer { server.stop() }
    let client = try ControlClient(path: path)
    let failure = failure { try client.ask(SoundMethods.Start()) }
    #expect(
      failure
        == Failure(
          "hw:CARD=Aid", found: "no such device", expected: "a sound card", remedy: "Plug it in.",
          exit: .temporary))
    #expect(
      try client.ask(SoundMethods.Mute()).state
        == StatusReport.State(.muted, reason: "asked", since: 1))
    #expect(try client.ask(ReportMethods.Devices()) == .sample)
    #expect(try client.ask(SoundMethods.Reload()).applied == ["log.level"])
    #expect(try client.ask(ReportMethods.Version()).version == "1.2.3")
    #expect(client.version == .current)
  }

  @Test("a daemon that does not answer is not waited for longer than asked")
  func hanging() throws {
    let server = try server()  // listens, but is never started
    defer { server.stop() }
    let client = try ControlClient(path: path, timeout: 0.05)
    let failure = failure { try client.ask(ReportMethods.Status()) }
    #expect(
      failure?.message
        == "control socket \(path): found no answer to status in 0.05 s, expected an answer. "
        + "The daemon hangs or is busy; look at its log.")
    #expect(failure?.exitStatus == .unavailable)
  }

  @Test("a daemon that ends in the middle is noticed")
  func hangUp() throws {
    let server = try server()
    server.start()
    let client = try ControlClient(path: path)
    _ = try client.ask(ReportMethods.Status())
    server.stop()
    let failure = failure { try client.ask(ReportMethods.Status()) }
    #expect(
      failure?.message == "control socket \(path): the daemon hung up, expected an answer. "
        + "It was stopped, or dropped this connection; look at its log.")
  }
}
