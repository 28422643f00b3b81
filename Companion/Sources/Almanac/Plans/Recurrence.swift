import Base

/// When something is due, in times on the wall of wherever the person is.
///
/// - Threads: any.
public struct Recurrence: Sendable, Hashable {
  /// Days on which it is due.
  public var days: Days
  /// Times on each of them.
  public var times: Times

  public init(days: Days = .every(1), times: Times) { (self.days, self.times) = (days, times) }

  /// Days, counted from the plan's first, which is number 0.
  public enum Days: Sendable, Hashable {
    /// Each, each second and so on, beginning with the first.
    case every(Int)
    /// These days of each week.
    case weekdays(Set<Weekday>)
    /// These alone.
    case numbered([Int])

    /// True for a day that is one of them, by its number, counted as theirs, and its weekday.
    public func include(_ number: Int, on weekday: Weekday) -> Bool {
      switch self {
      case .every(let step): step > 0 && number % step == 0
      case .weekdays(let days): days.contains(weekday)
      case .numbered(let numbers): numbers.contains(number)
      }
    }
  }

  /// Times of a day.
  public enum Times: Sendable, Hashable {
    /// At each of these, open for so many seconds, which the clocks' changes do not touch.
    case at([LocalTime], openFor: Int)
    /// From one time on the wall to another.
    case windows([LocalWindow])
    /// So many within a window, drawn, at least so many seconds apart, each open for so many.
    case drawn(Int, within: LocalWindow, apart: Int, openFor: Int)
  }
}

/// From a time on the wall to another, which lies on the next day when it is not later.
public struct LocalWindow: Sendable, Hashable {
  public let opens: LocalTime
  public let closes: LocalTime

  public init(_ opens: LocalTime, _ closes: LocalTime) { (self.opens, self.closes) = (opens, closes) }

  /// True when it closes on the day after.
  public var endsNextDay: Bool { closes <= opens }

  /// Length on a day without a change of clocks, s.
  public var length: Int { closes.seconds - opens.seconds + (endsNextDay ? 86_400 : 0) }
}
