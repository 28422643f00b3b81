import Base
import Glibc

/// The machine's sleep, as the log-in manager tells it (org.freedesktop.login1(5), `PrepareForSleep`), and
/// its wait for this program.
///
/// - Threads: the bus's.
package final class SleepWatch {
  package enum News: Sendable, Equatable {
    /// The machine sleeps as soon as everybody allows it; it waits for five seconds at most
    /// (`InhibitDelayMaxSec`).
    case begins
    case ended
    /// The log-in manager does not wait, for the reason given: sound will break off where the machine sleeps.
    case unheld(reason: String)
  }

  /// The bus's own word that there is no log-in manager, or none that can be started: a machine without one.
  private static let absences = ["ServiceUnknown", "NameHasNoOwner", "Spawn."]

  private static func manager(_ member: String) -> BusMethod {
    BusMethod("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", member)
  }

  private let bus: MessageBus
  private var signal: BusSlot?
  /// An open file for which the machine waits; -1: none.
  private var hold: Int32 = -1

  /// Begins to watch, and to hold the machine's sleep up.
  ///
  /// - Parameter told: Is run with news, in the order in which they come.
  package init(_ bus: MessageBus, told: @escaping (News) -> Void) {
    self.bus = bus
    signal = bus.watch(Self.manager("PrepareForSleep")) { [weak self] values in
      let begins = values.first?.isTrue == true
      if !begins { self?.takeHold(told) }
      told(begins ? .begins : .ended)
    }
    takeHold(told)
  }

  deinit { allow() }

  /// Lets the machine sleep: there is silence, and the devices are closed.
  package func allow() {
    if hold >= 0 { close(hold) }
    hold = -1
  }

  private func takeHold(_ told: @escaping (News) -> Void) {
    let words = ["sleep", "Auricle", "Sound fades out before the machine sleeps", "delay"]
    bus.call(Self.manager("Inhibit"), words.map { .string($0) }) { [weak self] answer in
      switch answer {
      case .success(let values):
        guard case .descriptor(let file)? = values.first else {
          return told(.unheld(reason: "its answer holds no file"))
        }
        guard let self else { return _ = close(file) }
        allow()
        hold = file
      case .failure(let error):
        let isAbsent = Self.absences.contains { error.name.hasPrefix("org.freedesktop.DBus.Error." + $0) }
        if self != nil, !isAbsent { told(.unheld(reason: error.words)) }
      }
    }
  }
}
