import CLinux
import Glibc
import Testing

@testable import Bus

/// As RealtimeKit's own README and interface have it. Serialised: the limit is the process's.
@Suite("RealtimeKit", .serialized) struct RealtimeKitTests {
  private static let service = "org.freedesktop.RealtimeKit1"

  private func outcome(
    _ bus: PrivateBus, thread: Int32 = 77
  ) throws -> String? {
    var outcome: String??
    RealtimeKit.prioritise(thread: thread, on: try bus.connect()) { outcome = .some($0) }
    #expect(bus.run { outcome != nil })
    return outcome ?? nil
  }

  @Test("a thread is given the priority that the service allows, within its bound of time")
  func granted() throws {
    let bus = try PrivateBus()
    var asked: [BusValue] = []
    var limit: UInt64 = 0
    let kit = try bus.service(Self.service, "/org/freedesktop/RealtimeKit1") { method, arguments in
      switch (method, arguments.last?.text) {
      case ("org.freedesktop.DBus.Properties.Get", "MaxRealtimePriority"): return [.variant(.int32(11))]
      case ("org.freedesktop.DBus.Properties.Get", "RTTimeUSecMax"): return [.variant(.int64(150_000_000))]
      case ("\(Self.service).MakeThreadRealtime", _):
        asked = arguments
        var soft: UInt64 = 0
        clinux_get_limit(Int32(CLINUX_RLIMIT_RTTIME), &soft, &limit)
        #expect(soft < limit)
        return []
      default: return nil
      }
    }
    defer { withExtendedLifetime(kit) {} }
    #expect(try outcome(bus) == nil)
    #expect(asked == [.uint64(77), .uint32(11)])
    #expect(limit == 150_000_000)
  }

  @Test("that there is none is told in words, and no limit is lowered")
  func refused() throws {
    let bus = try PrivateBus()
    var (before, after, hard) = (UInt64(), UInt64(), UInt64())
    clinux_get_limit(Int32(CLINUX_RLIMIT_RTTIME), &before, &hard)
    let words = try #require(try outcome(bus))
    #expect(words.hasPrefix("RealtimeKit refuses: "))
    #expect(words.contains("org.freedesktop.RealtimeKit1"))
    clinux_get_limit(Int32(CLINUX_RLIMIT_RTTIME), &after, &hard)
    #expect(after == before)
  }
}
