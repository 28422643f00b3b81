import Almanac
import Base
import Questionnaires

extension StudyTask {
  init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly([
      "id", "questionnaire", "modules-of-day", "measurement", "schedule", "minutes", "data-type", "pillar",
    ])
    self.init(
      try element.text("id"), try Work(element), try StudySchedule(element.required("schedule")),
      minutes: try element.number("minutes", in: 0...1440), dataType: try element.text("data-type"),
      pillar: try element.optionalText("pillar"),
      isAfterQuestions: try element.element("measurement")?.flag("after-questions") ?? false)
  }
}

extension StudyTask.Work {
  fileprivate init(_ element: JSONElement) throws(JSONFault) {
    let questionnaire = try element.optionalText("questionnaire")
    let measurement = try element.element("measurement")
    let isModules = try element.flag("modules-of-day")
    switch (questionnaire, measurement, isModules) {
    case (let id?, nil, false): self = .questionnaire(id)
    case (nil, nil, true): self = .modulesOfDay
    case (nil, let part?, false):
      try part.expectOnly(["kind", "version", "settings", "after-questions"])
      var settings: [String: Double] = [:]
      if let list = try part.element("settings"), case .object(let members) = list.json.content {
        for member in members { settings[member.key] = try list.optionalNumber(member.key) }
      }
      let key = TaskKind.Key(try part.text("kind"), version: try part.whole("version", in: 1...1_000_000))
      self = .measurement(key, settings: settings)
    default:
      throw element.fault(
        "", "not exactly one work", expected: "questionnaire, measurement or \"modules-of-day\": true")
    }
  }
}

extension StudySchedule {
  private static let members: Set<String> = [
    "from-day", "days", "every", "weekdays", "numbered", "windows", "times", "drawn", "open-for-seconds",
    "interval", "after",
  ]

  init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly(Self.members)
    let first = try element.whole("from-day", in: 1...4000)
    let rule = try Plan.Rule(element, firstDay: first)
    self.init(from: first, days: try element.whole("days", in: 1...4000), rule)
  }
}

extension Plan.Rule {
  /// Longest that something is open, s: a week.
  private static let openings = 1...604_800

  fileprivate init(_ element: JSONElement, firstDay: Int) throws(JSONFault) {
    let ways = ["windows", "times", "drawn", "interval", "after"].filter { element.json[$0] != nil }
    guard ways.count == 1, let way = ways.first else {
      throw element.fault(
        "", "\(ways.count) rules", expected: "one of windows, times, drawn, interval and after")
    }
    let length = { () throws(JSONFault) in try element.whole("open-for-seconds", in: Self.openings) }
    if way != "windows" {
      _ = try length()
    } else {
      try element.expectNone("open-for-seconds", beside: way)
    }
    switch way {
    case "interval", "after":
      for key in ["every", "weekdays", "numbered"] { try element.expectNone(key, beside: way) }
      let part = try element.required(way)
      if way == "interval" {
        try part.expectOnly(["seconds", "from"])
        self = .interval(
          seconds: try part.whole("seconds", in: 60...604_800), from: try part.time("from"),
          openFor: try length())
      } else {
        try part.expectOnly(["event", "delay-seconds"])
        self = .after(
          try part.text("event"), delay: try part.whole("delay-seconds", in: 0...604_800),
          openFor: try length())
      }
    default:
      let days = try Recurrence.Days(element, firstDay: firstDay)
      let times: Recurrence.Times
      switch way {
      case "windows": times = .windows(try element.all("windows", LocalWindow.init))
      case "times":
        var moments: [LocalTime] = []
        for (index, text) in try element.texts("times").enumerated() {
          guard let time = LocalTime(text) else {
            throw element.fault("times[\(index)]", "\"\(text)\"", expected: "a time such as 09:30")
          }
          moments.append(time)
        }
        times = .at(moments, openFor: try length())
      default:
        let part = try element.required("drawn")
        try part.expectOnly(["count", "within", "apart-seconds"])
        times = .drawn(
          try part.whole("count", in: 1...100), within: try LocalWindow(part.required("within")),
          apart: try part.whole("apart-seconds", in: 0...86_400), openFor: try length())
      }
      self = .recurring(Recurrence(days: days, times: times))
    }
  }
}

extension Recurrence.Days {
  /// Numbers in the file are days of the study, from 1.
  fileprivate init(_ element: JSONElement, firstDay: Int) throws(JSONFault) {
    let ways = ["every", "weekdays", "numbered"].filter { element.json[$0] != nil }
    guard ways.count == 1 else {
      throw element.fault(
        "", "\(ways.count) rules of days", expected: "one of every, weekdays and numbered")
    }
    switch ways[0] {
    case "every": self = .every(try element.whole("every", in: 1...4000))
    case "weekdays":
      var days: Set<Weekday> = []
      for (index, text) in try element.texts("weekdays").enumerated() {
        guard let day = Weekday(rawValue: text), days.insert(day).inserted else {
          throw element.fault("weekdays[\(index)]", "\"\(text)\"", expected: "a day such as monday, once")
        }
      }
      self = .weekdays(days)
    default:
      var numbers: [Int] = []
      for (index, value) in try element.values("numbered").enumerated() {
        guard case .number(let number) = value.content, let day = Int(exactly: number),
          firstDay...4000 ~= day
        else {
          throw element.fault(
            "numbered[\(index)]", value.minified, expected: "a day from \(firstDay) to 4000")
        }
        numbers.append(day - firstDay)
      }
      self = .numbered(numbers)
    }
  }
}

extension LocalWindow {
  fileprivate init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly(["opens", "closes"])
    self.init(try element.time("opens"), try element.time("closes"))
  }
}

extension JSONElement {
  fileprivate func time(_ key: String) throws(JSONFault) -> LocalTime {
    let text = try text(key)
    guard let time = LocalTime(text) else {
      throw fault(key, "\"\(text)\"", expected: "a time such as 09:30")
    }
    return time
  }

  fileprivate func expectNone(_ key: String, beside way: String) throws(JSONFault) {
    guard json[key] == nil else { throw fault(key, "a rule beside \(way)", expected: "nothing") }
  }
}
