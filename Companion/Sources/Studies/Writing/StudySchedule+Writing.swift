import Almanac
import Base

extension StudyTask {
  var json: JSONValue {
    var members: [JSONValue.Member] = [.init(key: "id", value: .text(id))]
    switch work {
    case .questionnaire(let id): members.append(.init(key: "questionnaire", value: .text(id)))
    case .modulesOfDay: members.append(.init(key: "modules-of-day", value: true))
    case .measurement(let key, let settings):
      let list = settings.sorted { $0.key < $1.key }.map {
        JSONValue.Member(key: $0.key, value: .number($0.value))
      }
      let value: JSONValue = [
        "kind": .text(key.name), "version": .number(Double(key.version)),
        "settings": list.isEmpty ? nil : .object(list), "after-questions": isAfterQuestions ? true : nil,
      ]
      members.append(.init(key: "measurement", value: value))
    }
    members += [
      .init(key: "schedule", value: schedule.json), .init(key: "minutes", value: .number(minutes)),
      .init(key: "data-type", value: .text(dataType)),
    ]
    if let pillar { members.append(.init(key: "pillar", value: .text(pillar))) }
    return .object(members)
  }
}

extension StudySchedule {
  var json: JSONValue {
    let (days, times, length) = rule.members(firstDay: firstDay)
    let whole = { (number: Int) in JSONValue.number(Double(number)) }
    let members: [JSONValue.Member] =
      [.init(key: "from-day", value: whole(firstDay)), .init(key: "days", value: whole(dayCount))]
      + [days, times, length.map { .init(key: "open-for-seconds", value: whole($0)) }].compactMap(\.self)
    return .object(members)
  }
}

extension Plan.Rule {
  /// Rules of days and of times, and seconds for which it is open.
  fileprivate func members(
    firstDay: Int
  ) -> (days: JSONValue.Member?, times: JSONValue.Member, length: Int?) {
    switch self {
    case .recurring(let recurrence):
      let (times, length) = recurrence.times.member
      return (recurrence.days.member(firstDay: firstDay), times, length)
    case .interval(let seconds, let from, let length):
      return (
        nil,
        .init(key: "interval", value: ["seconds": .number(Double(seconds)), "from": .text("\(from)")]),
        length
      )
    case .after(let event, let delay, let length):
      return (
        nil, .init(key: "after", value: ["event": .text(event), "delay-seconds": .number(Double(delay))]),
        length
      )
    }
  }
}

extension Recurrence.Days {
  fileprivate func member(firstDay: Int) -> JSONValue.Member {
    switch self {
    case .every(let step): .init(key: "every", value: .number(Double(step)))
    case .weekdays(let days):
      .init(key: "weekdays", value: .texts(Weekday.allCases.filter(days.contains).map(\.rawValue)))
    case .numbered(let numbers):
      .init(key: "numbered", value: .array(numbers.map { .number(Double($0 + firstDay)) }))
    }
  }
}

extension Recurrence.Times {
  fileprivate var member: (JSONValue.Member, Int?) {
    switch self {
    case .at(let times, let length): (.init(key: "times", value: .texts(times.map { "\($0)" })), length)
    case .windows(let windows): (.init(key: "windows", value: .array(windows.map(\.json))), nil)
    case .drawn(let count, let window, let apart, let length):
      (
        .init(
          key: "drawn",
          value: [
            "count": .number(Double(count)), "within": window.json, "apart-seconds": .number(Double(apart)),
          ]), length
      )
    }
  }
}

extension LocalWindow {
  fileprivate var json: JSONValue { ["opens": .text("\(opens)"), "closes": .text("\(closes)")] }
}
