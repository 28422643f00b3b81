import AudioIO
import Base
import Bus
import CLinux
import Glibc

/// The sound cards of two devices as a command's own: sound servers of the session are asked for them as the session's daemon asks, and
/// have them back when this is released.
///
/// Whoever asks for a card meanwhile is answered on a thread of its own. Without a session there is nobody to ask.
///
/// - Threads: control.
package final class SessionCards {
  /// Of answers to a request; those of no card once the cards are given back.
  private typealias Worker = SerialWorker<@Sendable () -> [CardReservation], [CardReservation]>

  /// Longest that cards take to be given back, s: a call of the bus. Own choice.
  private static let longestRelease = 1.0

  private let devices: [Int: String]
  private var answers: [CardReservation] = []
  private let worker: Worker?
  /// Ends the thread.
  private let bell: Int32

  /// Advice about a program that keeps a card, whole sentences.
  package static let advice =
    "End that program, or have it leave the card alone: auricled(8), Other programs on the sound card."

  /// Asks, and waits for the answers, as long as the daemon does at most.
  ///
  /// - Parameters:
  ///   - capture: ALSA's name; nil: that of the first card.
  ///   - playback: Likewise.
  package convenience init(capture: String?, playback: String?) {
    self.init(DevicePlace.cards(capture: capture, playback: playback)) { try? MessageBus(.session) }
  }

  /// - Parameters:
  ///   - devices: ALSA's name of what is used, by the card's number.
  ///   - connect: Makes a connection to the session's bus.
  init(_ devices: [Int: String], _ connect: @escaping @Sendable () -> MessageBus?) {
    let bell = devices.isEmpty ? -1 : clinux_eventfd()
    self.bell = bell
    guard bell >= 0, let worker = try? Worker("auricle-cards", { $0() }) else {
      (self.worker, self.devices) = (nil, [:])
      return
    }
    (self.worker, self.devices) = (worker, devices)
    worker.submit { SessionCards.hold(devices, connect, worker, until: bell) }
    answers = SessionCards.answers(of: worker, within: CardAgreement.patience)
  }

  /// Programs that keep a card which they were asked for, as far as they have answered by now, a sentence without its full stop; nil: none
  /// does.
  package var refusal: String? { Self.refusal(answersByNow(), of: devices) }

  /// The same of one device's card alone.
  ///
  /// - Parameter device: ALSA's name.
  package func refusal(ofCardOf device: String) -> String? {
    let cards = DevicePlace.cards(capture: device, playback: device)
    return Self.refusal(answersByNow(), of: devices, on: Set(cards.keys))
  }

  private func answersByNow() -> [CardReservation] {
    // An answer that came too late to be waited for.
    if answers.isEmpty, let late = worker?.results().first { answers = late }
    return answers
  }

  deinit {
    if let worker {
      clinux_eventfd_signal(bell)
      worker.end()
      // A thread that is late polls it still.
      guard SessionCards.isDone(worker, within: SessionCards.longestRelease) else { return }
    }
    if bell >= 0 { close(bell) }
  }

  /// - Parameter cards: Those that count; nil, the default: all.
  /// - Returns: Nil: no program keeps one of them.
  static func refusal(
    _ answers: [CardReservation], of devices: [Int: String], on cards: Set<Int>? = nil
  ) -> String? {
    let kept = answers.compactMap { answer -> String? in
      guard cards?.contains(answer.card) ?? true, case .refused(let owner) = answer.outcome
      else { return nil }
      return "\(owner ?? "another program") keeps \(devices[answer.card] ?? "card \(answer.card)")"
    }
    guard !kept.isEmpty else { return nil }
    let words = English.list(kept, "and")
    return "\(words.prefix(1).uppercased())\(words.dropFirst()), and did not give it up when it was asked"
  }

  // MARK: - The thread

  /// Asks, tells the answers, and holds the cards until the end.
  private static func hold(
    _ devices: [Int: String], _ connect: () -> MessageBus?, _ worker: Worker, until bell: Int32
  ) -> [CardReservation] {
    guard let bus = connect() else { return [] }
    let request = CardRequest { worker.tell($0) }
    request.ask(for: devices, on: bus)
    while bus.process() {
      var polled = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0), bus.descriptor]
      let left = min(max(bus.deadline - SystemTime.monotonic, 0), 60)
      poll(&polled, 2, Int32((left * 1000).rounded(.up)))
      if polled[0].revents != 0 { break }
    }
    request.release()
    return []
  }

  private static func answers(of worker: Worker, within time: Double) -> [CardReservation] {
    let due = SystemTime.monotonic + time
    repeat {
      if let answers = worker.results().first { return answers }
      wait(for: worker, until: due)
    } while SystemTime.monotonic < due
    return []
  }

  /// True once the thread has nothing left to do.
  private static func isDone(_ worker: Worker, within time: Double) -> Bool {
    let due = SystemTime.monotonic + time
    while true {
      // Before the look: what ends behind it wakes the wait.
      _ = worker.results()
      if worker.delay == 0, worker.count == 0 { return true }
      guard SystemTime.monotonic < due else { return false }
      wait(for: worker, until: due)
    }
  }

  private static func wait(for worker: Worker, until due: Double) {
    var polled = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
    let left = max(due - SystemTime.monotonic, 0)
    poll(&polled, 1, Int32((left * 1000).rounded(.up)))
  }
}
