import CommonTesting
import Glibc
import Testing

@testable import Control

@Suite("Service notifier") struct ServiceNotifierTests {
  /// A manager's socket, and what came in.
  private final class Manager {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    init(_ path: String) throws {
      let address = try #require(UnixAddress(path))
      try #require(address.withPointer { bind(descriptor, $0, $1) } == 0)
    }

    deinit { close(descriptor) }

    func message() -> String {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      return count < 0 ? "" : String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  @Test("messages arrive at a socket in the file system, one datagram each")
  func fileSystem() throws {
    let folder = TemporaryFolder()
    let manager = try Manager(folder.file("notify"))
    let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": folder.file("notify")])
    #expect(notifier.ready(status: "running 44100 Hz, period 64"))
    #expect(manager.message() == "READY=1\nSTATUS=running 44100 Hz, period 64")
    notifier.status("muted:\nby user")
    #expect(manager.message() == "STATUS=muted: by user")
    notifier.watchdog()
    #expect(manager.message() == "WATCHDOG=1")
    notifier.stopping()
    #expect(manager.message() == "STOPPING=1")
  }

  @Test("messages arrive at a socket in the abstract namespace")
  func abstract() throws {
    let name = "@auricle-test-\(getpid())"
    let manager = try Manager(name)
    #expect(ServiceNotifier(environment: ["NOTIFY_SOCKET": name]).watchdog())
    #expect(manager.message() == "WATCHDOG=1")
  }

  @Test("without a manager, or when it does not listen or read, nothing happens")
  func nobody() throws {
    #expect(!ServiceNotifier(environment: [:]).stopping())
    #expect(!ServiceNotifier(environment: ["NOTIFY_SOCKET": "relative"]).stopping())
    #expect(!ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nowhere/at/all"]).stopping())
    let folder = TemporaryFolder()
    let manager = try Manager(folder.file("notify"))
    let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": folder.file("notify")])
    var sent = 0
    while sent < 100_000, notifier.watchdog() { sent += 1 }
    #expect(sent < 100_000)
    withExtendedLifetime(manager) {}
  }

  @Test("the word that the daemon is ready goes with each status and watchdog until the manager takes it")
  func owed() throws {
    let folder = TemporaryFolder()
    let manager = try Manager(folder.file("notify"))
    let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": folder.file("notify")])
    /// Messages that wait for the manager, oldest first.
    func messages() -> [String] {
      var found: [String] = []
      while case let message = manager.message(), !message.isEmpty { found.append(message) }
      return found
    }
    func fill() {
      var sent = 0
      while sent < 100_000, notifier.stopping() { sent += 1 }
    }
    fill()
    #expect(!notifier.ready(status: "running"))
    // As long as nothing is taken, nothing is settled.
    #expect(!notifier.watchdog() && !notifier.status("muted"))
    _ = messages()
    notifier.watchdog()
    #expect(messages() == ["READY=1\nSTATUS=muted", "WATCHDOG=1"])
    notifier.watchdog()
    notifier.status("running")
    #expect(messages() == ["WATCHDOG=1", "STATUS=running"])
    fill()
    notifier.ready(status: "running")
    _ = messages()
    notifier.status("muted")
    #expect(messages() == ["READY=1\nSTATUS=muted"])
    // Of a daemon that ends it would be wrong.
    fill()
    notifier.ready(status: "running")
    _ = messages()
    notifier.stopping()
    notifier.watchdog()
    #expect(messages() == ["STOPPING=1", "WATCHDOG=1"])
  }

  @Test("the watchdog's interval is read in seconds, if it is meant for this process")
  func watchdog() {
    func interval(_ environment: [String: String]) -> Double? {
      ServiceNotifier(environment: environment, processID: 7).watchdogInterval
    }
    #expect(interval(["WATCHDOG_USEC": "5000000"]) == 5)
    #expect(interval(["WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "7"]) == 5)
    #expect(interval(["WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "8"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "x"]) == nil)
    #expect(interval([:]) == nil)
  }
}
