import CLinux
import Glibc
import Testing

@testable import Bus

/// As org.freedesktop.login1(5) describes the manager.
@Suite("Sleep of the machine") struct SleepWatchTests {
  private static let manager = "org.freedesktop.login1.Manager"

  /// A log-in manager that gives the writing end of a pipe to whoever holds the sleep up.
  private final class LoginManager {
    var asked: [[BusValue]] = []
    /// Reading ends: each reads its end once the hold is let go.
    var holds: [Int32] = []
    var service: FakeService?

    init(_ bus: PrivateBus) throws {
      service = try bus.service("org.freedesktop.login1", "/org/freedesktop/login1") {
        [unowned self] method, arguments in
        guard method == "\(SleepWatchTests.manager).Inhibit" else { return nil }
        asked.append(arguments)
        // Close-on-exec: buses that other tests start do not keep it.
        var (reading, writing) = (Int32(), Int32())
        clinux_pipe(&reading, &writing)
        holds.append(reading)
        // The message has its own descriptor of it.
        defer { toClose.append(writing) }
        return [.descriptor(writing)]
      }
    }

    private var toClose: [Int32] = []

    /// True while somebody has the other end.
    func isHeld(_ index: Int) -> Bool {
      for file in toClose { close(file) }
      toClose = []
      var byte: UInt8 = 0
      return read(holds[index], &byte, 1) < 0
    }

    func prepareForSleep(_ begins: Bool) {
      service?.tell(SleepWatchTests.manager, "PrepareForSleep", [.boolean(begins)])
    }
  }

  @Test("the sleep is held up until there is silence, each time")
  func held() throws {
    let bus = try PrivateBus()
    let manager = try LoginManager(bus)
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    #expect(bus.run { manager.holds.count == 1 })
    bus.settle()
    #expect(
      manager.asked[0].map(\.text) == [
        "sleep", "Auricle", "Sound fades out before the machine sleeps", "delay",
      ])
    #expect(manager.isHeld(0))
    for sleep in 0..<2 {
      manager.prepareForSleep(true)
      #expect(bus.run { news.count == 2 * sleep + 1 })
      #expect(manager.isHeld(sleep))
      watch.allow()
      // A process that another test is about to start has a copy until it has become another program.
      #expect(bus.run { !manager.isHeld(sleep) })
      manager.prepareForSleep(false)
      #expect(bus.run { manager.holds.count == sleep + 2 })
      bus.settle()
      #expect(manager.isHeld(sleep + 1))
    }
    #expect(news == [.begins, .ended, .begins, .ended])
  }

  @Test("without a log-in manager nothing is held and nothing told")
  func alone() throws {
    let bus = try PrivateBus()
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    bus.settle()
    watch.allow()
    #expect(news.isEmpty)
  }

  @Test("a log-in manager that does not wait is told in its words, at the start and after each sleep")
  func unheld() throws {
    let bus = try PrivateBus()
    let words = "it gives no holds"
    let manager = try bus.service("org.freedesktop.login1", "/org/freedesktop/login1") { _, _ in
      [.string(words)]
    }
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    #expect(bus.run { news == [.unheld(reason: "its answer holds no file")] })
    let refusing = try PrivateBus()
    let refuser = try refusing.service("org.freedesktop.login1", "/org/freedesktop/login1") { _, _ in nil }
    var told: [SleepWatch.News] = []
    let refused = SleepWatch(try refusing.connect()) { told.append($0) }
    #expect(refusing.run { told.count == 1 })
    guard case .unheld(let reason)? = told.first else { return #expect(told.isEmpty) }
    #expect(reason.contains("Inhibit"))
    refuser.tell(Self.manager, "PrepareForSleep", [.boolean(false)])
    #expect(refusing.run { told.count == 3 })
    #expect(told == [.unheld(reason: reason), .ended, .unheld(reason: reason)])
    withExtendedLifetime((manager, watch, refused)) {}
  }

  @Test("the same signal of somebody else is not believed")
  func forged() throws {
    let bus = try PrivateBus()
    let manager = try LoginManager(bus)
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    #expect(bus.run { manager.holds.count == 1 })
    let forger = try bus.connect()
    forger.emit("/org/freedesktop/login1", Self.manager, "PrepareForSleep", [.boolean(true)])
    bus.settle()
    manager.prepareForSleep(true)
    #expect(bus.run { !news.isEmpty })
    #expect(news.count == 1)
    watch.allow()
  }
}
