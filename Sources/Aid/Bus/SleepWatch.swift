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
    /// The log-in manager waits, after it has refused to.
    case held
    /// The log-in manager does not wait, for the reason given: sound will break off where the machine sleeps.
    case unheld(reason: String)
  }

  /// Beginnings of errors by which the bus, or systemd for it, says that there is no log-in manager, or none that can be started: a machine
  /// without one. systemd's are of a unit that is missing or masked (src/libsystemd/sd-bus/bus-common-errors.h, from memory).
  private static let absences =
    ["ServiceUnknown", "NameHasNoOwner", "Spawn."].map { "org.freedesktop.DBus.Error." + $0 }
    + ["org.freedesktop.systemd1."]

  static func isAbsence(_ error: String) -> Bool { absences.contains(where: error.hasPrefix) }

  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private static func manager(_ member: String) -> BusMethod {
    BusMethod(service, path, interface, member)
  }

  /// Time between two questions whether the machine still prepares for sleep, s: the word that it does not is never sent by a
  /// log-in manager that was itself started again meanwhile. Also from a refusal to wait until it is asked again: one that has just
  /// been started may depend on a service that has not. Own choice.
  private static let interval = 10.0

  private let bus: MessageBus
  private let told: (News) -> Void
  private var slots: [BusSlot] = []
  /// An open file for which the machine waits; -1: none.
  private var hold: Int32 = -1
  /// True from the word that the machine prepares for sleep until the one that it does not.
  private var isPreparing = false
  /// When it is asked next, monotonic s; nil: not served yet since that word.
  private var nextQuestion: Double?
  /// True while it was asked to wait, and has not answered.
  private var isAsking = false
  /// True from a refusal to wait until it is asked again.
  private var isOwed = false
  /// True from a refusal to wait until it waits.
  private var isRefused = false
  /// When that is, monotonic s; nil: not served yet since.
  private var nextRequest: Double?

  /// Begins to watch, and to hold the machine's sleep up.
  ///
  /// - Parameter told: Is run with news, in the order in which they come.
  package init(_ bus: MessageBus, told: @escaping (News) -> Void) {
    (self.bus, self.told) = (bus, told)
    slots = [
      bus.watch(Self.manager("PrepareForSleep")) { [weak self] in
        self?.follow(isPreparing: $0.first?.isTrue == true)
      },
      // One that comes later than this program is asked then. While it prepares, it is asked behind the sleep.
      bus.watchOwner(of: Self.service) { [weak self] _, current in
        guard let self, current != nil, !isPreparing else { return }
        takeHold()
      },
    ]
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

  // MARK: - A word or an answer that is lost

  /// When to be served, monotonic s.
  package var deadline: Double {
    if isPreparing { return nextQuestion ?? 0 }
    return isOwed ? nextRequest ?? 0 : .infinity
  }

  /// Asks, from time to time while the machine prepares for sleep, whether it still does; otherwise, some seconds after a refusal,
  /// to wait for this program.
  package func serve(now: Double) {
    guard now >= deadline else { return }
    guard isPreparing else {
      guard nextRequest != nil else {
        nextRequest = now + Self.interval
        return
      }
      return takeHold()
    }
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

  /// Asks the log-in manager to wait. Its answer counts however late it comes, as while a slow disk delays its start.
  private func takeHold() {
    guard !isAsking else { return }
    (isAsking, isOwed, nextRequest) = (true, false, nil)
    let words = ["sleep", "Auricle", "Sound fades out before the machine sleeps", "delay"]
    bus.call(Self.manager("Inhibit"), words.map { .string($0) }, isLasting: true) { [weak self] answer in
      guard let self else { return }
      isAsking = false
      switch answer {
      case .success(let values):
        guard case .descriptor(let file)? = values.first else {
          return refuse("its answer holds no file")
        }
        allow()
        // The message's own is closed with it.
        hold = fcntl(file, F_DUPFD_CLOEXEC, 3)
        if isRefused { told(.held) }
        isRefused = false
      case .failure(let error):
        if !Self.isAbsence(error.name) { refuse(error.words) }
      }
    }
  }

  private func refuse(_ reason: String) {
    (isOwed, isRefused) = (true, true)
    told(.unheld(reason: reason))
  }
}
