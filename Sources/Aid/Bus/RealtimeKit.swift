import Base
import CLinux

/// Real-time priority from the session's own service (RealtimeKit), for who has no limit of their own that
/// allows it.
///
/// It gives SCHED_RR of a low priority (20 as Debian sets it up) to a thread that cannot hand it on, of a
/// process that the kernel ends when it computes for longer than 200 ms without a wait.
///
/// - Threads: the bus's.
package enum RealtimeKit {
  private static let service = "org.freedesktop.RealtimeKit1"
  private static let path = "/org/freedesktop/RealtimeKit1"

  /// Asks for priority for a thread of this process.
  ///
  /// Lowers the process's RLIMIT_RTTIME first, for it is refused otherwise: at the soft limit, nine tenths
  /// of the hard one, the thread becomes an ordinary one.
  ///
  /// - Parameters:
  ///   - thread: Its number, as gettid(2) has it.
  ///   - answer: Is run with nil, or with why there is none, a clause.
  package static func prioritise(
    thread: Int32, on bus: MessageBus, answer: @escaping (_ refusal: String?) -> Void
  ) {
    property("MaxRealtimePriority", on: bus) { priority in
      property("RTTimeUSecMax", on: bus) { time in
        do throws(BusError) {
          let limit = UInt64(max(1000, try time.get()))
          clinux_set_limit(Int32(CLINUX_RLIMIT_RTTIME), limit / 10 * 9, limit)
          let arguments: [BusValue] = [
            .uint64(UInt64(thread)), .uint32(UInt32(min(max(1, try priority.get()), 99))),
          ]
          bus.call(BusMethod(service, path, service, "MakeThreadRealtime"), arguments) { result in
            if case .failure(let error) = result { answer(error.refusal) } else { answer(nil) }
          }
        } catch { answer(error.refusal) }
      }
    }
  }

  private static func property(
    _ name: String, on bus: MessageBus, _ answer: @escaping (Result<Int, BusError>) -> Void
  ) {
    let get = BusMethod(service, path, "org.freedesktop.DBus.Properties", "Get")
    bus.call(get, [.string(service), .string(name)]) { result in
      answer(
        result.flatMap { values in
          values.first?.number.map { .success($0) }
            ?? .failure(BusError(name: name, words: "it is not a number"))
        })
    }
  }
}

extension BusError {
  fileprivate var refusal: String { "RealtimeKit refuses: \(words)" }
}
