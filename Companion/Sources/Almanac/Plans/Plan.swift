import Base

/// Something that is due again and again for somebody.
///
/// - Threads: any.
public struct Plan: Sendable, Hashable {
  /// Unique among all plans of a person; the ids of its occurrences begin with it.
  public let id: String
  public let rule: Rule
  /// First day, on the person's wall.
  public let firstDate: CalendarDate
  /// Number of days; nil: no end.
  public let dayCount: Int?
  /// Seed of what is drawn, the person's own.
  public let seed: UInt64

  public init(
    id: String, rule: Rule, firstDate: CalendarDate, dayCount: Int? = nil, seed: UInt64 = 0
  ) {
    (self.id, self.rule, self.firstDate) = (id, rule, firstDate)
    (self.dayCount, self.seed) = (dayCount, seed)
  }

  public enum Rule: Sendable, Hashable {
    /// At times on the wall.
    case recurring(Recurrence)
    /// Every so many seconds from a time of the first day on, whatever the wall shows; open for so many.
    case interval(seconds: Int, from: LocalTime, openFor: Int)
    /// So many seconds after each event of a name, open for so many.
    case after(String, delay: Int, openFor: Int)
  }

  /// True when a day belongs to the plan.
  func contains(_ date: CalendarDate) -> Bool {
    let number = date.dayNumber - firstDate.dayNumber
    return number >= 0 && number < dayCount ?? Int.max
  }
}

extension Plan.Rule {
  /// Longest time from an opening to its closing, on days without a change of clocks, s.
  public var longestOpening: Int {
    switch self {
    case .interval(_, _, let length), .after(_, _, let length): length
    case .recurring(let recurrence):
      switch recurrence.times {
      case .at(_, let length), .drawn(_, _, _, let length): length
      case .windows(let windows): windows.map(\.length).max() ?? 0
      }
    }
  }
}

/// Something that happened, after which something may be due: waking, a dose, an answer.
public struct PlanEvent: Sendable, Hashable {
  public let name: String
  public let moment: Instant

  public init(_ name: String, at moment: Instant) { (self.name, self.moment) = (name, moment) }
}

/// One time that a plan is due.
public struct Occurrence: Sendable, Hashable, Identifiable {
  /// Plan, date and number, `match/2026-03-29/1`: the same whenever and wherever the plan is expanded.
  public let id: String
  /// The person's day.
  public let date: CalendarDate
  /// From 1, within that day.
  public let number: Int
  /// From here on it can be begun.
  public let opens: Instant
  /// Until here, this moment left out.
  public let closes: Instant
  /// Zone of ``date`` and of the times on the wall.
  public let zoneName: String
  /// Reason why it is not as its rule says.
  public let remark: Remark?

  public init(
    id: String, date: CalendarDate, number: Int, opens: Instant, closes: Instant, zoneName: String,
    remark: Remark? = nil
  ) {
    (self.id, self.date, self.number, self.opens) = (id, date, number, opens)
    (self.closes, self.zoneName, self.remark) = (closes, zoneName, remark)
  }

  public enum Remark: String, Sendable, Hashable {
    /// Its time on the wall never came, because clocks were set forward: it opens by the offset before.
    case clocksSetForward = "clocks-set-forward"
    /// Its time on the wall never came, because the person changed zones: it opens with the change.
    case zoneChanged = "zone-changed"
    /// Clocks or zones left no time between its opening and its closing.
    case vanished
  }

  /// True while it can be begun.
  public func isOpen(at moment: Instant) -> Bool { opens <= moment && moment < closes }
}
