import Base
import CommonTesting
import Glibc
import Testing

@testable import AuricleClient

@Suite("A client that finds no daemon")
struct ConnectionTests {
  private func refused(_ path: String) -> Failure? {
    connectionFailure { try ControlClient(path: path, timeout: 0.2) }
  }

  @Test("where there is no socket it says how to start one")
  func missing() throws {
    let folder = TemporaryFolder()
    let refusal = try #require(refused(folder.path + "/control.sock"))
    #expect(refusal.exitStatus == .unavailable && refusal.found == "no daemon there")
    #expect(refusal.remedy?.contains("auricle start") == true)
    // A file in the folder's place.
    folder.write("", to: "file")
    #expect(refused(folder.path + "/file/control.sock")?.exitStatus == .unavailable)
  }

  @Test("a socket that nobody listens to is told from none, and from one of another kind")
  func dead() throws {
    let silent = try FakeDaemon(queue: nil)
    #expect(refused(silent.path)?.found == "a socket whose daemon has gone")
    let datagrams = try FakeDaemon(SOCK_DGRAM, queue: nil)
    let other = try #require(refused(datagrams.path))
    #expect(other.found == "something that is not a daemon's socket" && other.exitStatus == .unavailable)
    #expect(other.remedy == "Give the right path with --socket.")
  }

  @Test("a daemon whose queue is full is waited for and told to hang")
  func fullQueue() throws {
    // A queue of 0 holds one connection (listen(2), Linux).
    let daemon = try FakeDaemon(queue: 0)
    let first = try ControlClient(path: daemon.path, timeout: 0.2)
    let refusal = try #require(refused(daemon.path))
    #expect(refusal.found == "a daemon that accepts no connection" && refusal.exitStatus == .temporary)
    withExtendedLifetime(first) {}
  }

  @Test("a client may wait for any time: none, one without end, what is no number")
  func times() throws {
    for timeout in [0, -1, Double.infinity, -Double.infinity, Double.nan, 1e300] {
      let daemon = try FakeDaemon()
      let client = try daemon.client(timeout: timeout)
      #expect(client.path == daemon.path, "\(timeout)")
    }
  }

  @Test("a client tells a daemon that has hung up from one that is silent, whatever is left to be read")
  func ended() throws {
    let daemon = try FakeDaemon()
    let client = try daemon.client(answering: ["{}"])
    #expect(!client.hasEnded)
    daemon.hangUp()
    #expect(client.hasEnded)
  }

  @Test("where nothing can be waited for, a client fails and does not try again without end")
  func brokenSocket() throws {
    let daemon = try FakeDaemon()
    let client = try daemon.client()
    var ends: [Int32] = [-1, -1]
    let code = pipe(&ends)
    try #require(code == 0)
    // The writing end of a pipe that nobody reads has POLLERR and nothing to read (poll(2)).
    close(ends[0])
    dup2(ends[1], client.descriptor)
    close(ends[1])
    let failure = try #require(connectionFailure { try client.nextNotification(timeout: 600) })
    #expect(failure.exitStatus == .system && failure.found.contains("cannot wait for it"))
  }

  @Test("a path that no socket can have is refused before anything is opened")
  func longPath() throws {
    // sun_path of unix(7) has 108 bytes, one of them for its end.
    let refusal = try #require(refused("/run/" + String(repeating: "a", count: 103)))
    #expect(refusal.exitStatus == .usage && refusal.found == "a path of 108 bytes")
    #expect(refusal.expected == "1 to 107 bytes")
    #expect(UnixAddress("/run/" + String(repeating: "a", count: 102)) != nil)
    #expect(UnixAddress("") == nil && UnixAddress("/run/a\0b") == nil)
  }

  @Test("a folder in /tmp that belongs to somebody else is not trusted", .enabled(if: geteuid() == 0))
  func foreignFolder() throws {
    let daemon = try FakeDaemon()
    let folder = FilePath.folder(of: daemon.path)
    try #require(folder.hasPrefix("/tmp/"))
    // nobody, 65534 in Debian.
    chown(folder, 65_534, 65_534)
    let refusal = try #require(refused(daemon.path))
    #expect(refusal.exitStatus == .noPermission && refusal.found == "a folder that belongs to user 65534")
    chown(folder, 0, 0)
    #expect(refused(daemon.path) == nil)
  }

  @Test("what the system refuses without a reason of ours is told in its own words")
  func words() {
    let denied = Failure.socket(EACCES, "control socket /run/a", "write to it")
    #expect(
      denied.exitStatus == .noPermission
        && denied.found.lowercased().hasSuffix("cannot write to it: permission denied"))
    let full = Failure.socket(ENOBUFS, "control socket /run/a", "make a socket")
    #expect(full.exitStatus == .system && full.found.lowercased().contains("no buffer space available"))
  }
}
