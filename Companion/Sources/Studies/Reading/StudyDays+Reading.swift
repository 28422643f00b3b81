import Base
import Questionnaires

extension Pillar {
  init(_ element: JSONElement, _ languages: [String]) throws(JSONFault) {
    try element.expectOnly(["id", "title", "colour"])
    let colour = try element.text("colour")
    guard colour.utf8.count == 7, colour.hasPrefix("#"), colour.dropFirst().allSatisfy(\.isHexDigit) else {
      throw element.fault("colour", "\"\(colour)\"", expected: "a colour such as #2e5c8a")
    }
    self.init(try element.text("id"), try element.localized("title", in: languages), colour: colour)
  }
}

extension StudyModule {
  init(_ element: JSONElement, _ languages: [String]) throws(JSONFault) {
    try element.expectOnly([
      "id", "title", "questionnaire", "pillar", "tier", "minutes", "priority", "substitute",
    ])
    self.init(
      try element.text("id"), try element.localized("title", in: languages),
      questionnaire: try element.text("questionnaire"), pillar: try element.text("pillar"),
      try element.choice("tier"), minutes: try element.number("minutes", in: 0...1440),
      priority: try element.whole("priority", in: 0...1_000_000),
      substitute: try element.optionalText("substitute"))
  }
}

extension StudyDay {
  init(_ element: JSONElement, _ languages: [String]) throws(JSONFault) {
    try element.expectOnly(["day", "title", "summary", "minutes", "modules"])
    self.init(
      try element.whole("day", in: 1...4000), try element.localized("title", in: languages),
      try element.localized("summary", in: languages), minutes: try element.number("minutes", in: 0...1440),
      modules: try element.texts("modules"))
  }
}

extension Gateway {
  init(_ element: JSONElement, isKept: Bool) throws(JSONFault) {
    try element.expectOnly(["id", "version", "enableWhen", "enableBehavior", "modules"])
    let (conditions, enablement) = try element.conditions(
      otherwise: .any, unknownCode: isKept ? .no : .refused)
    let modules = try element.texts("modules")
    guard !modules.isEmpty else {
      throw element.fault("modules", "nothing", expected: "at least one module")
    }
    self.init(
      try element.text("id"), when: conditions, enablement, modules: modules,
      version: try element.whole("version", in: 1...1_000_000))
  }
}

extension Filling {
  init(_ element: JSONElement, _ languages: [String]) throws(JSONFault) {
    try element.expectOnly(["from", "to", "most-minutes", "title", "summary"])
    let first = try element.whole("from", in: 1...4000)
    self.init(
      first...(try element.whole("to", in: first...4000)),
      mostMinutes: try element.number("most-minutes", in: 0...1440),
      title: try element.localized("title", in: languages),
      summary: try element.localized("summary", in: languages))
  }
}
