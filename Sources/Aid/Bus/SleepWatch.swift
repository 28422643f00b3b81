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

  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private static func manager(_ member: String) -> BusMethod {
    BusMethod(service, path, interface, member)
  }

  /// Time between two questions whether the machine still prepares for sleep, s: the word that it does not is never sent by a
  /// log-in manager that was itself started again meanwhile. Own choice.
  private static let interval = 10.0

  private let bus: MessageBus
  private let told: (News) -> Void
  private var signal: BusSlot?
  /// An open file for which the machine waits; -1: none.
  private var hold: Int32 = -1
  /// True from the word that the machine prepares for sleep until the one that it does not.
  private var isPreparing = false
  /// When it is asked next, monotonic s; nil: not served yet since that word.
  private var nextQuestion: Double?

  /// Begins to watch, and to hold the machine's sleep up.
  ///
  /// - Parameter told: Is run with news, in the order in which they come.
  package init(_ bus: MessageBus, told: @escaping (News) -> Void) {
    (self.bus, self.told) = (bus, told)
    signal = bus.watch(Self.manager("PrepareForSleep")) { [weak self] in
      self?.follow(isPreparing: $0.first?.isTrue == true)
    }
    takeHold()
  }

  deinit { allow() }

  /// Lets the machine sleep: there is silence, and the devices are closed.
  package func allow() {
    if hold >= 0 { close(hold) }
    hold = -1
  }

  private func follow(isPreparing: Bool) {
    self.isPreparing = isPreparing
    nextQuestion = nil
    if !isPreparing { takeHold() }
    told(isPreparing ? .begins : .ended)
  }

  // MARK: - A word that is lost

  /// When to be served, monotonic s.
  package var deadline: Double { isPreparing ? nextQuestion ?? 0 : .infinity }

  /// Asks, from time to time while the machine prepares for sleep, whether it still does.
  package func serve(now: Double) {
    guard isPreparing, now >= nextQuestion ?? 0 else { return }
    // Not at once: it has only just been said.
    if nextQuestion != nil { ask() }
    nextQuestion = now + Self.interval
  }

  private func ask() {
    let get = BusMethod(Self.service, Self.path, "org.freedesktop.DBus.Properties", "Get")
    bus.call(get, [.string(Self.interface), .string("PreparingForSleep")]) { [weak self] answer in
      guard let self, isPreparing, (try? answer.get())?.first == .boolean(false) else { return }
      follow(isPreparing: false)
    }
  }

  // MARK: - Holding it up

  private func takeHold() {
    let words = ["sleep", "Auricle", "Sound fades out before the machine sleeps", "delay"]
    bus.call(Self.manager("Inhibit"), words.map { .string($0) }) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let values):
        guard case .descriptor(let file)? = values.first else {
          return told(.unheld(reason: "its answer holds no file"))
        }
        allow()
        // The message's own is closed with it.
        hold = fcntl(file, F_DUPFD_CLOEXEC, 3)
      case .failure(let error):
        let isAbsent = Self.absences.contains { error.name.hasPrefix("org.freedesktop.DBus.Error." + $0) }
        if !isAbsent { told(.unheld(reason: error.words)) }
      }
    }
  }
}
