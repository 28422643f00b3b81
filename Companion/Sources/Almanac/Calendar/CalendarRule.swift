import Base

/// One time of day of a recurrence as a rule of iCalendar.
struct CalendarRule {
  /// From 1, within the day.
  let number: Int
  private let first: LocalMoment
  private let closes: Closing
  private let repetition: [String]

  private enum Closing {
    case wall(LocalTime, nextDay: Bool)
    case elapsed(Int)
  }

  /// Nil where there is no such rule: of what is drawn.
  static func all(_ recurrence: Recurrence, of plan: Plan) -> [CalendarRule]? {
    let times: [(LocalTime, Closing)]
    switch recurrence.times {
    case .at(let moments, let length): times = moments.sorted().map { ($0, .elapsed(length)) }
    case .windows(let windows):
      times = windows.sorted { $0.opens < $1.opens }.map {
        ($0.opens, .wall($0.closes, nextDay: $0.endsNextDay))
      }
    case .drawn: return nil
    }
    guard let date = recurrence.firstDate(of: plan) else { return [] }
    return times.enumerated().map { index, time in
      CalendarRule(
        number: index + 1, first: LocalMoment(date, time.0), closes: time.1,
        repetition: recurrence.repetition(of: plan, at: time.0))
    }
  }

  func lines(in zone: Zone) -> [String] {
    let zoned = ";TZID=\(zone.name)"
    var lines = ["DTSTART\(zoned):\(CalendarFile.wall(first))"]
    switch closes {
    case .elapsed(let seconds): lines.append("DURATION:PT\(seconds)S")
    case .wall(let time, let nextDay):
      let date = nextDay ? first.date.adding(days: 1) ?? first.date : first.date
      lines.append("DTEND\(zoned):\(CalendarFile.wall(LocalMoment(date, time)))")
    }
    return lines + repetition.map { $0.replacing("RDATE:", with: "RDATE\(zoned):") }
  }
}

extension Recurrence {
  /// First day on which it is due; nil where there is none.
  fileprivate func firstDate(of plan: Plan) -> CalendarDate? {
    switch days {
    case .every(let step): step > 0 ? plan.firstDate : nil
    case .weekdays(let days):
      (0..<7).compactMap { plan.firstDate.adding(days: $0) }.first {
        days.contains($0.weekday) && plan.contains($0)
      }
    case .numbered(let numbers):
      numbers.min().flatMap { plan.firstDate.adding(days: $0) }
    }
  }

  fileprivate func repetition(of plan: Plan, at time: LocalTime) -> [String] {
    let last = plan.dayCount.flatMap { plan.firstDate.adding(days: $0 - 1) }
    switch days {
    case .every(let step):
      let count = plan.dayCount.map { ";COUNT=\(($0 + step - 1) / step)" } ?? ""
      return ["RRULE:FREQ=DAILY;INTERVAL=\(step)\(count)"]
    case .weekdays(let days):
      let names = Weekday.allCases.filter(days.contains).map { $0.rawValue.prefix(2).uppercased() }
      let first = firstDate(of: plan)?.dayNumber
      let count = last.flatMap { last in
        first.map { first in
          (first...max(first, last.dayNumber)).compactMap(CalendarDate.init(dayNumber:)).count {
            days.contains($0.weekday)
          }
        }
      }
      return [
        "RRULE:FREQ=WEEKLY;BYDAY=\(names.joined(separator: ","))" + (count.map { ";COUNT=\($0)" } ?? "")
      ]
    case .numbered(let numbers):
      let later = Set(numbers).sorted().dropFirst().compactMap { plan.firstDate.adding(days: $0) }.filter(
        plan.contains)
      return later.map { "RDATE:\(CalendarFile.wall(LocalMoment($0, time)))" }
    }
  }
}
