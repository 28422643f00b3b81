import Base
import Bus
import Control
import Engine

/// The agreement with other programs of a session on who has a sound card.
struct CardAgreement: Sendable, Equatable {
  /// Longest that a start waits for others' answers, s: after it the devices are opened all the same, and say themselves who has
  /// them. Own choice.
  static let patience = 1.0
  /// Time between two times of asking, s, while a device is waited for.
  static let interval = 2.0

  /// When others were asked last, monotonic s; nil: the cards are not wanted.
  private var asked: Double?
  /// ALSA's names of the devices for whose cards they were.
  private var names: [RouteReport.Names] = []
  private var isAnswered = false

  /// True while an answer may come that matters.
  func isWaiting(at now: Double) -> Bool {
    guard let asked, !isAnswered else { return false }
    return now - asked < Self.patience
  }

  /// End of the wait for such an answer, monotonic s; nil: none is waited for.
  func due(at now: Double) -> Double? { isWaiting(at: now) ? asked.map { $0 + Self.patience } : nil }

  /// True when others are to be asked now, which then counts as done.
  ///
  /// - Parameters:
  ///   - names: ALSA's names of the devices; for others than were asked for last it is a start anew, and the cards of those that
  ///     are not among them are given back.
  ///   - isRepeated: True while a device is waited for, which somebody may have taken meanwhile.
  ///   - mayMove: False while devices may be open that are not among them, whose cards are not to be given back yet.
  mutating func asks(
    for names: [RouteReport.Names], at now: Double, isRepeated: Bool, mayMove: Bool
  ) -> Bool {
    let isMoved = asked != nil && names != self.names
    if isMoved {
      guard mayMove else { return false }
    } else if let asked, !isRepeated || now - asked < Self.interval {
      return false
    }
    isAnswered = asked != nil && !isMoved
    (asked, self.names) = (now, names)
    return true
  }

  mutating func answer() { isAnswered = true }

  /// True when there was something to give back.
  mutating func ends() -> Bool {
    defer { asked = nil }
    return asked != nil
  }
}

/// Times of asking RealtimeKit: it counts requests, and refuses who asks too often.
struct PriorityRequests: Sendable, Equatable {
  /// s; own choice.
  static let interval = 10.0
  private var next = 0.0
  /// As logged last.
  var refusal: String?

  mutating func isDue(at now: Double) -> Bool {
    guard now >= next else { return false }
    next = now + Self.interval
    return true
  }
}

extension ServiceState {
  // MARK: - Sleep of the machine

  /// Fades the sound out and closes the devices before the machine sleeps, and begins from silence when it has woken.
  mutating func follow(_ news: SleepWatch.News) {
    switch news {
    case .begins:
      wokenAt = nil
      log(.info, "the machine goes to sleep")
      owesSleep = true
      endTest("the machine goes to sleep")
      sound.pause("the machine goes to sleep")
    case .ended:
      guard sound.pause != nil else { return }
      log(.info, "the machine has woken")
      (owesSleep, wokenAt) = (false, nil)
      sound.resume(audio.state)
    case .held:
      unheldSleep = nil
      log(.info, "systemd-logind lets the machine's sleep wait until sound has faded")
    case .unheld(let reason):
      guard reason != unheldSleep else { return }
      unheldSleep = reason
      log(
        .warning,
        "systemd-logind does not let the machine's sleep wait until sound has faded: \(reason); it may break off with a click. "
          + "Mute before the machine sleeps")
    }
  }

  /// Time after the machine has woken in which logind says so, s: it does at once, but for a moment between suspension and
  /// hibernation. Own choice.
  private static let wakingPatience = 10.0

  /// Begins again where logind's word is missing: it was itself started again meanwhile.
  mutating func followWaking() {
    if let wokenAt, now.monotonic - wokenAt >= Self.wakingPatience { follow(.ended) }
  }

  /// Lets the machine sleep once the devices are closed.
  mutating func allowSleep() {
    guard owesSleep, !sound.hasThread else { return }
    owesSleep = false
    emit(.allowSleep)
  }

  // MARK: - Sound cards that others may have

  /// Asks for the cards before they are opened, for others before these are, and again while one is waited for. Those of devices to
  /// come back to stay reserved meanwhile.
  mutating func agreeOnCards() {
    guard facts.sharesCards, sound.needsThread else { return }
    let isMissing = if case .waitingForDevice = audio.state { true } else { false }
    let names = [namedDevices, formerDevices?.used.names].compactMap(\.self)
    let isAsking = cards.asks(
      for: names, at: now.monotonic, isRepeated: isMissing,
      mayMove: isMissing || audio.state == .stopped || isAsNamed)
    guard isAsking else { return }
    emit(.reserve(names))
  }

  /// True while the devices that are to be opened are the ones that are open.
  private var isAsNamed: Bool {
    guard sound.isOpen, let openNames else { return false }
    let named = namedDevices
    return Configuration.End.allCases.allSatisfy { named[$0] == nil || named[$0] == openNames[$0] }
  }

  /// Gives the cards back once the devices are closed for good.
  mutating func giveCardsBack() {
    if !sound.needsThread, !sound.hasThread, cards.ends() { emit(.releaseCards) }
  }

  mutating func take(_ reservations: [CardReservation]) {
    cards.answer()
    for case .refused(let owner) in reservations.map(\.outcome) {
      log(.info, "\(owner ?? "another program") keeps a sound card that was asked for")
    }
  }

  // MARK: - Real time

  mutating func take(priorityRefusal refusal: String?) {
    // Said once, not every ten seconds.
    if let refusal, refusal != priority.refusal { log(.info, "audio thread: \(refusal)") }
    priority.refusal = refusal
  }
}
