/// A notice on a person's screen.
package struct Notice: Sendable, Equatable {
  /// Numbers of the specification ("Urgency Levels").
  package enum Urgency: UInt8, Sendable, Comparable {
    case low, normal, critical

    package static func < (a: Urgency, b: Urgency) -> Bool { a.rawValue < b.rawValue }
  }

  /// A button, which a server may be unable to show.
  package struct Action: Sendable, Equatable {
    package let key: String
    package let label: String

    package init(_ key: String, _ label: String) { (self.key, self.label) = (key, label) }
  }

  /// A few words.
  package var summary: String
  /// Plain text; its lines are kept.
  package var body: String
  package var urgency: Urgency
  package var action: Action?
  /// True when it stays until it is closed.
  package var isLasting = false

  package init(
    _ summary: String, _ body: String, _ urgency: Urgency, action: Action? = nil, isLasting: Bool = false
  ) {
    (self.summary, self.body, self.urgency) = (summary, body, urgency)
    (self.action, self.isLasting) = (action, isLasting)
  }
}

/// The session's notification server (Desktop Notifications Specification 1.2, `org.freedesktop.Notifications`), and one notice of each
/// key on it.
///
/// A notice that no server shows, because there is none or it has just gone, is shown by the next one. A server's answer is waited for as
/// long as it takes: one that is busy shows the notice later all the same, and its number is needed to close it.
///
/// - Threads: the bus's.
package final class NotificationServer<Key: Hashable> {
  package enum News {
    /// The person has closed it, or its time was over.
    case dismissed(Key)
    /// The person has pressed its button.
    case acted(Key, action: String)
  }

  /// A notice that is wanted, and how far its way has come.
  private struct Shown {
    var notice: Notice
    /// The server's number of it; nil: it does not show it.
    var number: UInt32?
    /// True while the server's answer is waited for.
    var isAsked = false
    /// True when it was changed since.
    var isChanged = false
    /// True when it was closed since.
    var isClosed = false
    /// True when it was asked for again after a server that went without an answer, and none has shown it since.
    var isRepeated = false
  }

  private static var service: String { "org.freedesktop.Notifications" }
  private static func method(_ name: String) -> BusMethod {
    BusMethod(service, "/org/freedesktop/Notifications", service, name)
  }

  private let bus: MessageBus
  private let told: (News) -> Void
  private var slots: [BusSlot] = []
  private var shown: [Key: Shown] = [:]
  /// Abilities of the server; nil: it was not asked.
  private var capabilities: Set<String>?
  /// Counts servers that have gone.
  private var generation = 0

  /// - Parameter told: Is run with news.
  package init(_ bus: MessageBus, told: @escaping (News) -> Void) {
    (self.bus, self.told) = (bus, told)
    slots = [
      bus.watch(Self.method("NotificationClosed")) { [weak self] in self?.takeClosed($0) },
      bus.watch(Self.method("ActionInvoked")) { [weak self] in self?.takeAction($0) },
      bus.watchOwner(of: Self.service) { [weak self] in self?.takeOwner($0 != nil, $1 != nil) },
    ]
  }

  // MARK: - Showing

  /// Shows a notice, in place of a former one of the same key.
  package func show(_ notice: Notice, as key: Key) {
    var entry = shown[key] ?? Shown(notice: notice)
    entry.notice = notice
    entry.isClosed = false
    entry.isChanged = entry.isAsked
    entry.isRepeated = false
    shown[key] = entry
    if !entry.isAsked { send(key) }
  }

  /// Closes it, if it is shown.
  package func close(_ key: Key) {
    guard let entry = shown[key] else { return }
    guard !entry.isAsked else {
      shown[key]?.isClosed = true
      return
    }
    shown[key] = nil
    if let number = entry.number { close(number) }
  }

  /// True while a server shows it, or has still to answer whether it does.
  package func isShown(_ key: Key) -> Bool {
    shown[key].map { $0.isAsked || $0.number != nil } ?? false
  }

  package func closeAll() { for key in shown.keys { close(key) } }

  private func close(_ number: UInt32) {
    // The person may have closed it already, which is an error of the server's own kind.
    bus.call(Self.method("CloseNotification"), [.uint32(number)]) { _ in }
  }

  /// Asks for the server's abilities first, once for each server.
  private func send(_ key: Key) {
    guard shown[key] != nil else { return }
    shown[key]?.isAsked = true
    let asked = generation
    guard capabilities == nil else { return notify(key) }
    bus.call(Self.method("GetCapabilities"), isLasting: true) { [weak self] answer in
      guard let self, asked == self.generation else { return }
      switch answer {
      case .success(let values):
        capabilities = Self.words(values.first)
        notify(key)
      case .failure: finish(key, asked, nil)
      }
    }
  }

  private func notify(_ key: Key) {
    guard let entry = shown[key] else { return }
    let asked = generation
    shown[key]?.isChanged = false
    let arguments = Self.arguments(entry.notice, entry.number, capabilities ?? [])
    bus.call(Self.method("Notify"), arguments, isLasting: true) { [weak self] in
      let number = (try? $0.get())?.first?.number.flatMap { UInt32(exactly: $0) }
      self?.finish(key, asked, number)
    }
  }

  /// - Parameters:
  ///   - asked: Generation of the server that was asked.
  ///   - number: As it answered; nil: it did not, or refuses.
  private func finish(_ key: Key, _ asked: Int, _ number: UInt32?) {
    // Of a server that has gone since, whose notices the next one was asked for.
    guard asked == generation, let entry = shown[key] else { return }
    shown[key]?.isAsked = false
    shown[key]?.number = number
    if number != nil { shown[key]?.isRepeated = false }
    if entry.isClosed {
      shown[key] = nil
      if let number { close(number) }
    } else if entry.isChanged, number != nil {
      send(key)
    }
  }

  // MARK: - News of the server

  private func takeOwner(_ wasThere: Bool, _ isThere: Bool) {
    var lost: [Key] = []
    if wasThere {
      generation += 1
      capabilities = nil
      for (key, entry) in shown {
        // One that ends of what it is asked is not started without end.
        if entry.isAsked, !entry.isClosed, !entry.isRepeated { lost.append(key) }
        // One that has only given its name away may never answer.
        shown[key] = entry.isClosed ? nil : Shown(notice: entry.notice, isRepeated: entry.isAsked)
      }
    }
    if isThere {
      // Those on their way have started it.
      for (key, entry) in shown where !entry.isAsked { send(key) }
    } else {
      // One that is started on demand ends when it is idle: asking starts it again.
      for key in lost { send(key) }
    }
  }

  private func key(of values: [BusValue]) -> Key? {
    guard let number = values.first?.number else { return nil }
    return shown.first { $0.value.number.map(Int.init) == number }?.key
  }

  private func takeClosed(_ values: [BusValue]) {
    guard let key = key(of: values) else { return }
    // One that is on its way again stays wanted, with a number that the server no longer has: it makes a new one.
    guard shown[key]?.isAsked == false else { return }
    shown[key] = nil
    told(.dismissed(key))
  }

  private func takeAction(_ values: [BusValue]) {
    guard let key = key(of: values), values.count > 1, let action = values[1].text else { return }
    told(.acted(key, action: action))
  }

  // MARK: - Messages

  private static func words(_ value: BusValue?) -> Set<String> {
    guard case .list(let words)? = value else { return [] }
    return Set(words.compactMap(\.text))
  }

  /// Arguments of `Notify`.
  private static func arguments(
    _ notice: Notice, _ number: UInt32?, _ capabilities: Set<String>
  ) -> [BusValue] {
    let action = capabilities.contains("actions") ? notice.action : nil
    let body = capabilities.contains("body-markup") ? escaped(notice.body) : notice.body
    return [
      .string("Auricle"), .uint32(number ?? 0), .string("auricle"), .string(notice.summary), .string(body),
      .strings(action.map { [$0.key, $0.label] } ?? []),
      .properties([
        "urgency": .byte(notice.urgency.rawValue), "category": .string("device"),
        "desktop-entry": .string("auricle"),
      ]),
      // 0: never; −1: as the server does.
      .int32(notice.isLasting ? 0 : -1),
    ]
  }

  /// Text where the server reads markup ("Markup").
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
