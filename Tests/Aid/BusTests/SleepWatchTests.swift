import CLinux
import Glibc
import Testing

@testable import Bus

/// As org.freedesktop.login1(5) describes the manager.
@Suite("Sleep of the machine") struct SleepWatchTests {
  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"

  /// A log-in manager that gives the writing end of a pipe to whoever holds the sleep up.
  private final class LoginManager {
    var asked: [[BusValue]] = []
    /// Reading ends: each reads its end once the hold is let go.
    var holds: [Int32] = []
    var service: FakeService?
    /// The property, and how often it was asked for.
    var isPreparing = false
    var questions = 0
    /// Requests that it still refuses, and those that it has refused.
    var refusals = 0
    var refused = 0

    init(_ bus: PrivateBus) throws {
      service = try bus.service(SleepWatchTests.service, SleepWatchTests.path) {
        [unowned self] method, arguments in
        if method == "org.freedesktop.DBus.Properties.Get" {
          guard arguments.map(\.text) == [SleepWatchTests.manager, "PreparingForSleep"] else { return nil }
          questions += 1
          return [.variant(.boolean(isPreparing))]
        }
        guard method == "\(SleepWatchTests.manager).Inhibit" else { return nil }
        guard refusals == 0 else {
          (refusals, refused) = (refusals - 1, refused + 1)
          return nil
        }
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
      isPreparing = begins
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
    let manager = try bus.service(Self.service, Self.path) { _, _ in
      [.string(words)]
    }
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    #expect(bus.run { news == [.unheld(reason: "its answer holds no file")] })
    let refusing = try PrivateBus()
    let refuser = try refusing.service(Self.service, Self.path) { _, _ in nil }
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

  @Test("a log-in manager that refuses to wait is asked again every ten seconds, until it does")
  func refusedOnce() throws {
    let bus = try PrivateBus()
    let manager = try LoginManager(bus)
    manager.refusals = 2
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    for attempt in 1...2 {
      #expect(bus.run { news.count == attempt })
      let now = 100.0 * Double(attempt)
      #expect(watch.deadline == 0)
      watch.serve(now: now)
      #expect(watch.deadline == now + 10)
      watch.serve(now: now + 9)
      bus.settle()
      #expect(manager.refused == attempt)
      watch.serve(now: now + 10)
    }
    #expect(bus.run { manager.holds.count == 1 })
    bus.settle()
    #expect(manager.isHeld(0))
    #expect(watch.deadline == .infinity)
    // Told once it waits: what the log said of a click is untrue from then on.
    #expect(news.count == 3 && news.last == .held)
    watch.allow()
  }

  @Test(
    "a log-in manager that is missing or masked is not asked again and again; one that refuses is",
    arguments: [
      ("org.freedesktop.DBus.Error.ServiceUnknown", true),
      ("org.freedesktop.DBus.Error.Spawn.ExecFailed", true),
      ("org.freedesktop.systemd1.UnitMasked", true), ("org.freedesktop.systemd1.NoSuchUnit", true),
      ("org.freedesktop.DBus.Error.AccessDenied", false), ("org.freedesktop.DBus.Error.NoReply", false),
    ])
  func absence(error: String, isAbsent: Bool) { #expect(SleepWatch.isAbsence(error) == isAbsent) }

  @Test("a log-in manager that comes later than this program is asked to wait as well")
  func later() throws {
    let bus = try PrivateBus()
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    bus.settle()
    #expect(watch.deadline == .infinity)
    let manager = try LoginManager(bus)
    #expect(bus.run { manager.holds.count == 1 })
    bus.settle()
    // Nobody was told that it does not wait.
    #expect(manager.isHeld(0) && news.isEmpty)
    watch.allow()
  }

  @Test("the same signal of somebody else is not believed")
  func forged() throws {
    let bus = try PrivateBus()
    let manager = try LoginManager(bus)
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    #expect(bus.run { manager.holds.count == 1 })
    let forger = try bus.connect()
    forger.emit(Self.path, Self.manager, "PrepareForSleep", [.boolean(true)])
    bus.settle()
    manager.prepareForSleep(true)
    #expect(bus.run { !news.isEmpty })
    #expect(news.count == 1)
    watch.allow()
  }

  @Test("what is sent to this program alone, in the log-in manager's name or the bus's, is not believed")
  func directed() throws {
    let bus = try PrivateBus()
    let manager = try LoginManager(bus)
    let (client, forger) = (try bus.connect(), try bus.connect())
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(client) { news.append($0) }
    #expect(bus.run { manager.holds.count == 1 })
    bus.settle()
    let victim = try #require(client.uniqueName)
    let own = try #require(forger.uniqueName)
    forger.emit(Self.path, Self.manager, "PrepareForSleep", [.boolean(true)], to: victim)
    // The name would be the forger's.
    forger.emit(
      "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
      [.string(Self.service), .string(""), .string(own)], to: victim)
    forger.emit(Self.path, Self.manager, "PrepareForSleep", [.boolean(true)], to: victim)
    bus.settle()
    bus.settle()
    #expect(news == [])
    // Sent in the same way by the manager it is.
    manager.service?.bus.emit(Self.path, Self.manager, "PrepareForSleep", [.boolean(true)], to: victim)
    #expect(bus.run { !news.isEmpty })
    #expect(news == [.begins])
    watch.allow()
  }

  /// Descriptors of this process that lead to the same file.
  private static func count(of file: Int32) -> Int {
    func place(_ file: Int32) -> [UInt64]? {
      var status = stat()
      return fstat(file, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }
    let wanted = place(file)
    return (Int32(0)..<4096).count { place($0) == wanted }
  }

  @Test("files that come with signals, anybody's or the log-in manager's, do not stay open")
  func files() throws {
    let bus = try PrivateBus()
    let manager = try LoginManager(bus)
    let (client, forger) = (try bus.connect(), try bus.connect())
    let watch = SleepWatch(client) { _ in }
    #expect(bus.run { manager.holds.count == 1 })
    bus.settle()
    let victim = try #require(client.uniqueName)
    var (reading, writing) = (Int32(), Int32())
    clinux_pipe(&reading, &writing)
    defer { for file in [reading, writing] { close(file) } }
    let service = try #require(manager.service)
    for sender in [forger, service.bus] {
      for _ in 0..<5 {
        sender.emit(Self.path, Self.manager, "PrepareForSleep", [.descriptor(writing)], to: victim)
      }
    }
    bus.settle()
    bus.settle()
    // The two ends that the test itself has.
    #expect(Self.count(of: reading) == 2)
    watch.allow()
  }

  @Test("a log-in manager that was started again is believed, and the former one no longer")
  func again() throws {
    let bus = try PrivateBus()
    let former = try LoginManager(bus)
    let client = try bus.connect()
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(client) { news.append($0) }
    #expect(bus.run { former.holds.count == 1 })
    bus.settle()
    let victim = try #require(client.uniqueName)
    let service = try #require(former.service)
    let stale = service.bus
    stale.call(.ofBus("ReleaseName"), [.string(Self.service)]) { _ in }
    bus.settle()
    func tellAnyway() {
      stale.emit(Self.path, Self.manager, "PrepareForSleep", [.boolean(true)], to: victim)
    }
    tellAnyway()
    let next = try LoginManager(bus)
    bus.settle()
    tellAnyway()
    bus.settle()
    bus.settle()
    #expect(news == [])
    next.prepareForSleep(true)
    #expect(bus.run { !news.isEmpty })
    #expect(news == [.begins])
    watch.allow()
  }

  @Test("logind is asked every ten seconds whether the machine prepares for sleep; if not, it ended")
  func lost() throws {
    let bus = try PrivateBus()
    let manager = try LoginManager(bus)
    var news: [SleepWatch.News] = []
    let watch = SleepWatch(try bus.connect()) { news.append($0) }
    #expect(bus.run { manager.holds.count == 1 })
    bus.settle()
    #expect(watch.deadline == .infinity)
    manager.prepareForSleep(true)
    #expect(bus.run { news == [.begins] })
    watch.allow()
    watch.serve(now: 100)
    #expect(watch.deadline == 110)
    watch.serve(now: 109)
    bus.settle()
    #expect(manager.questions == 0)
    watch.serve(now: 110)
    #expect(bus.run { manager.questions == 1 })
    bus.settle()
    #expect(news == [.begins])
    // It was started again: it prepares nothing, and says nothing.
    manager.isPreparing = false
    watch.serve(now: 120)
    #expect(bus.run { news == [.begins, .ended] })
    // As after its word, the next sleep is held up.
    #expect(bus.run { manager.holds.count == 2 })
    #expect(watch.deadline == .infinity)
    watch.serve(now: 130)
    bus.settle()
    #expect(manager.questions == 2)
  }
}
