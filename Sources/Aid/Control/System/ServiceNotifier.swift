import Base
import CLinux
import Glibc
import Synchronization

/// Tells a service manager how the daemon is, in the way of sd_notify(3): one datagram of `NAME=value`
/// lines to the socket that `NOTIFY_SOCKET` names.
///
/// Without such a socket every message is quietly dropped. A manager that does not read is not waited for: what it has not taken is lost,
/// but for the word that the daemon is ready, without which its unit would begin for ever; that one goes with the next message again.
///
/// - Threads: any but audio.
package final class ServiceNotifier: Sendable {
  /// Path of the manager's socket; a leading `@` means the abstract namespace. Nil: nobody listens.
  private let socket: String?
  /// Time within which the manager wants ``watchdog()`` again, s; nil: it does not. Call twice as often.
  package let watchdogInterval: Double?
  /// Status of a daemon that is ready, as long as the manager has not taken that; nil: nothing is owed.
  private let owed = Mutex<String?>(nil)

  /// - Parameters:
  ///   - environment: With `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  ///   - processID: Of this process; a watchdog meant for another one is ignored.
  package init(environment: [String: String] = ProcessEnvironment.variables, processID: Int32 = getpid()) {
    socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == processID } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
    watchdogInterval = isOurs && microseconds > 0 ? Double(microseconds) / 1e6 : nil
  }

  /// Sound flows, or the wait for a device is declared. Said again with each status and watchdog until the manager has taken it.
  @discardableResult package func ready(status: String) -> Bool {
    owed.withLock { $0 = status }
    return sendOwed()
  }

  /// One sentence for `systemctl status`, sent on every change of state.
  @discardableResult package func status(_ status: String) -> Bool {
    let isOwed = owed.withLock { owed -> Bool in
      if owed != nil { owed = status }
      return owed != nil
    }
    return isOwed ? sendOwed() : send("STATUS=\(Self.line(status))")
  }

  /// The daemon is ending.
  @discardableResult package func stopping() -> Bool {
    owed.withLock { $0 = nil }
    return send("STOPPING=1")
  }

  /// The daemon is alive.
  @discardableResult package func watchdog() -> Bool {
    sendOwed()
    return send("WATCHDOG=1")
  }

  /// Says that the daemon is ready, where that is owed.
  ///
  /// - Returns: True when the manager got it.
  @discardableResult private func sendOwed() -> Bool {
    guard let status = owed.withLock({ $0 }), send("READY=1\nSTATUS=\(Self.line(status))")
    else { return false }
    owed.withLock { $0 = nil }
    return true
  }

  /// - Returns: True when the manager got it.
  private func send(_ text: String) -> Bool {
    guard let socket, let address = UnixAddress(socket) else { return false }
    let descriptor = clinux_unix_datagram_socket()
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = [UInt8](text.utf8)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let sent = address.withPointer { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
    return sent == bytes.count
  }

  /// A line break would begin another variable.
  private static func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}
