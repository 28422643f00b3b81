import Bus
import Service

/// Everything that the person is to be told and the daemon is to know, as a value: an event in, orders out.
///
/// One notice for each silence: told when it has lasted for a moment, changed when its cause changes, closed when sound is back.
/// Nothing here waits, reads a clock or touches a bus; ``Desktop`` does.
struct DesktopState: Sendable {
  enum Event: Sendable {
    /// The daemon answers, or tells that something has changed.
    case aid(AidStanding)
    /// A state that was told by a daemon that does not answer more than that: it ends.
    case state(StatusReport.State)
    /// The connection to the daemon of this socket has ended.
    case lost(socket: String)
    /// All earphones that are connected by Bluetooth.
    case bluetooth([BluetoothEarphones])
    /// The earphones on which the aid plays, as far as that is known.
    case worn(StatusReport.Earphones?)
    /// The person has closed a notice, or its time was over.
    case dismissed(Topic)
    /// The person has pressed a button.
    case acted(Topic, String)
    /// Time has passed.
    case time
  }

  enum Order: Sendable, Equatable {
    case show(Topic, Notice)
    case close(Topic)
    case call(AidAction)
    /// Tells the daemon which earphones there are; nil: that it is not known.
    case tell(StatusReport.Earphones?)
  }

  /// A notice has one at most of each.
  enum Topic: Sendable, Hashable {
    case silence, trial
    case battery(_ address: String)
  }

  /// Time for which a silence lasts before it is told, s. A reload opens the devices again, a daemon that was killed is back within 1 s,
  /// earphones that lost the radio link for a moment within about 2: none of these needs anybody. Own choice.
  static let patience = 3.0
  /// Shortest time between two notices of silences, s, unless one is critical: a plug with a loose contact is no flood. Own choice.
  static let interval = 30.0
  /// Longest time from a press to the closing that a server makes of it, s: it sends one after the other. Own choice.
  private static let closing = 1.0
  /// The daemon looks once a second whether a trial is over, and clocks are read one after the other, s.
  private static let slack = 2.0

  /// A silence, and how much of it was told.
  private struct Course: Sendable {
    var silence: Silence
    /// When it is to be told, monotonic s; nil: it was, or it is no news.
    var due: Double?
    /// As told last.
    var notice: Notice?
    var isDismissed = false
    /// When the notice's button was pressed, monotonic s; nil: it was not.
    var pressed: Double?
    /// True once the server has closed it with that.
    var isTaken = false
  }

  /// As heard last; nil before the first word of a daemon.
  private var standing: AidStanding?
  private var isConnected = false
  private var course: Course?
  private var lastTold = -Double.infinity
  private var isTrialShown = false
  private var batteries = BatteryNotices()
  private var worn: StatusReport.Earphones?
  /// As the daemon was told last.
  private var wornTold: StatusReport.Earphones?
  private var orders: [Order] = []

  /// Takes in one event.
  ///
  /// - Parameter now: Monotonic s.
  /// - Returns: Orders to be carried out, in this order.
  mutating func handle(_ event: Event, at now: Double) -> [Order] {
    switch event {
    case .aid(let next): follow(next, at: now)
    case .state(let state):
      var next = standing ?? AidStanding(state: state)
      (next.state, next.isTesting) = (state, false)
      follow(next, at: now)
    case .lost(let socket): lose(socket, at: now)
    case .bluetooth(let earphones): orders += batteries.follow(earphones)
    case .worn(let earphones): worn = earphones
    case .dismissed(let topic): dismiss(topic, at: now)
    case .acted(.silence, let key): act(key, at: now)
    case .acted, .time: break
    }
    tellSilence(at: now)
    tellEarphones()
    defer { orders = [] }
    return orders
  }

  /// When ``handle(_:at:)`` is to be called although nothing happens, monotonic s.
  var deadline: Double { course.flatMap(due) ?? .infinity }

  // MARK: - The aid

  private mutating func follow(_ next: AidStanding, at now: Double) {
    followTrial(next)
    let isFirst = standing == nil
    standing = next
    isConnected = true
    switch next.sound {
    case .between: break
    case .heard:
      if let course, course.notice != nil, !course.isDismissed, !course.isTaken {
        orders.append(.close(.silence))
      }
      course = nil
    // What somebody has asked for before this program began is no news.
    case .silent(let silence): take(silence, isNews: !isFirst || silence.cause.isTrouble, at: now)
    }
  }

  /// A daemon that ends after the sound was ended does as it was told.
  private mutating func lose(_ socket: String, at now: Double) {
    guard isConnected else { return }
    isConnected = false
    wornTold = nil
    if standing?.state.name == .stopped {
      // Without the button, which would do nothing.
      if let course, course.notice != nil, !course.isTaken { self.course?.due = now }
    } else {
      take(.gone(from: socket), isNews: true, at: now)
    }
  }

  // MARK: - Silence

  private mutating func take(_ silence: Silence, isNews: Bool, at now: Double) {
    let due = now + (silence.cause == .faulted ? 0 : Self.patience)
    guard var next = course else {
      course = Course(silence: silence, due: isNews ? due : nil)
      return
    }
    // After a press the same one again says that it has come to nothing.
    guard next.silence != silence || next.pressed != nil else { return }
    // From its beginning, however often its reason changes.
    next.due = min(next.due ?? .infinity, due)
    next.silence = silence
    course = next
  }

  /// When a silence is told; nil: it is not.
  private func due(_ course: Course) -> Double? {
    guard let due = course.due else { return nil }
    // A press is being carried out, and nobody knows yet what comes of it.
    if course.isTaken, isConnected, standing?.sound == .between { return nil }
    let isAnother = course.notice == nil && course.silence.cause.urgency < .critical
    return isAnother ? max(due, lastTold + Self.interval) : due
  }

  private mutating func tellSilence(at now: Double) {
    guard var next = course, let due = due(next), now >= due else { return }
    next.due = nil
    let notice = next.silence.notice(isConnected: isConnected)
    // Whoever has closed it knows of the silence, but not of a worse cause.
    let isWanted = !next.isDismissed || notice.urgency > next.notice?.urgency ?? .low
    if isWanted, notice != next.notice || next.isTaken {
      (next.notice, next.isDismissed) = (notice, false)
      (next.pressed, next.isTaken) = (nil, false)
      lastTold = now
      orders.append(.show(.silence, notice))
    }
    course = next
  }

  // MARK: - Trials

  /// Tells of a trial that was over at its time; one that a person ended is no news.
  private mutating func followTrial(_ next: AidStanding) {
    if next.trialEnds != nil, isTrialShown {
      isTrialShown = false
      orders.append(.close(.trial))
    }
    guard let end = standing?.trialEnds, next.trialEnds == nil, next.time >= end - Self.slack else {
      return
    }
    isTrialShown = true
    // A screen that is locked shows it to others: nothing of what was prescribed.
    let notice = Notice(
      "Hearing aid: the trial is over", "The sound is as it was before the trial.\nMore: auricle rx list",
      .normal)
    orders.append(.show(.trial, notice))
  }

  // MARK: - Notices and earphones

  private mutating func act(_ key: String, at now: Double) {
    guard isConnected, let action = AidAction(rawValue: key) else { return }
    course?.pressed = now
    orders.append(.call(action))
  }

  private mutating func dismiss(_ topic: Topic, at now: Double) {
    switch topic {
    case .silence:
      guard var next = course, let pressed = next.pressed, now - pressed <= Self.closing else {
        course?.isDismissed = true
        return
      }
      // Servers close a notice whose button was pressed. Nobody has asked to be told nothing more: a silence that stays is told anew.
      next.isTaken = true
      next.due = next.due ?? now + Self.patience
      course = next
    case .trial: isTrialShown = false
    case .battery(let address): batteries.dismiss(address)
    }
  }

  private mutating func tellEarphones() {
    guard isConnected, worn != wornTold else { return }
    wornTold = worn
    orders.append(.tell(worn))
  }
}
