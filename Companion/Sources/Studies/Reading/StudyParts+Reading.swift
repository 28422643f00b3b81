import Base
import Questionnaires

extension Person {
  init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly(["name", "email", "phone"])
    self.init(
      try element.text("name"), email: try element.address(),
      phone: try element.optionalText("phone"))
  }
}

extension JSONElement {
  /// A mail address on one line.
  fileprivate func address() throws(JSONFault) -> String? {
    guard let text = try optionalText("email") else { return nil }
    let isAddress = text.contains("@") && !text.contains { $0.isWhitespace || $0.isNewline }
    guard isAddress else {
      throw fault("email", "\"\(text)\"", expected: "an address such as ada@example.org")
    }
    return text
  }
}

extension Contact {
  init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly(["name", "email", "phone", "answers-within-hours"])
    let person = Person(
      try element.text("name"), email: try element.address(),
      phone: try element.optionalText("phone"))
    // A month: whoever answers later is nobody's contact. Own choice.
    let hours =
      element.json["answers-within-hours"] == nil
      ? nil : try element.number("answers-within-hours", in: 0.1...720)
    self.init(person, answersWithin: hours)
  }
}

extension Eligibility {
  init(_ element: JSONElement, _ languages: [String], isKept: Bool) throws(JSONFault) {
    try element.expectOnly(["questionnaire", "inclusion", "exclusion"])
    let read = { (part: JSONElement) throws(JSONFault) in try Criterion(part, languages, isKept: isKept) }
    self.init(
      try element.optionalText("questionnaire"), inclusion: try element.all("inclusion", read),
      exclusion: try element.all("exclusion", read))
  }
}

extension Eligibility.Criterion {
  fileprivate init(_ element: JSONElement, _ languages: [String], isKept: Bool) throws(JSONFault) {
    try element.expectOnly(["id", "text", "enableWhen", "enableBehavior", "shows-help"])
    // Only who takes part not yet is asked: nobody is admitted by the contrary of what the author meant.
    let (conditions, enablement) = try element.conditions(
      otherwise: .all, unknownCode: isKept ? .choice : .refused)
    self.init(
      try element.text("id"), try element.localized("text", in: languages), when: conditions, enablement,
      showsHelp: try element.optionalFlag("shows-help"))
  }
}

extension JSONElement {
  /// FHIR's conditions, of which there is at least one.
  func conditions(
    otherwise enablement: Enablement, unknownCode: UnknownCode
  ) throws(JSONFault) -> ([Condition], Enablement) {
    let conditions = try all("enableWhen") { part throws(JSONFault) in
      try Condition(part, unknownCode: unknownCode)
    }
    guard !conditions.isEmpty else {
      throw fault("enableWhen", "nothing", expected: "at least one condition")
    }
    let word = try optionalText("enableBehavior")
    // FHIR R4, que-12.
    guard word != nil || conditions.count == 1 else {
      throw fault("enableBehavior", "nothing beside \(conditions.count) conditions", expected: "all or any")
    }
    return (conditions, word == nil ? enablement : try choice("enableBehavior"))
  }
}

extension Commitment {
  init(_ element: JSONElement, _ languages: [String]) throws(JSONFault) {
    try element.expectOnly(["text", "minutes-per-day"])
    self.init(
      text: try element.localized("text", in: languages),
      minutesPerDay: try element.number("minutes-per-day", in: 0...1440))
  }
}

extension DataType {
  init(_ element: JSONElement, _ languages: [String]) throws(JSONFault) {
    try element.expectOnly(["id", "text", "required"])
    self.init(
      try element.text("id"), try element.localized("text", in: languages),
      isRequired: try element.flag("required"))
  }
}

extension QuestionnaireFile {
  init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly(["id", "file"])
    self.init(try element.text("id"), file: try element.text("file"))
  }
}

extension StudyInstrument {
  init(_ element: JSONElement, isKept: Bool) throws(JSONFault) {
    try element.expectOnly(["id", "questionnaire", "items", "licence", "table"])
    var items: [String: Source] = [:]
    if let part = try element.element("items"), case .object(let members) = part.json.content {
      for member in members { items[member.key] = try Source(part, member.key, isKept: isKept) }
    }
    self.init(
      try element.text("id"), questionnaire: try element.text("questionnaire"), items: items,
      licence: try element.element("licence").map(SiteLicence.init),
      table: try element.optionalText("table"))
  }
}

extension StudyInstrument.Source {
  /// A question's id, or conditions.
  fileprivate init(_ element: JSONElement, _ key: String, isKept: Bool) throws(JSONFault) {
    guard case .object? = element.json[key]?.content else {
      self = .question(try element.text(key))
      return
    }
    let part = try element.required(key)
    try part.expectOnly(["enableWhen", "enableBehavior"])
    let (conditions, enablement) = try part.conditions(
      otherwise: .all, unknownCode: isKept ? .no : .refused)
    self = .conditions(conditions, enablement)
  }
}

extension DerivedAnswer {
  init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly(["id", "kind", "of"])
    let kind: Kind = try element.choice("kind")
    let questions = try element.texts("of")
    guard questions.count == kind.operands.count else {
      throw element.fault("of", "\(questions.count) questions", expected: "\(kind.operands.count)")
    }
    self.init(try element.text("id"), kind, of: questions)
  }
}

extension SiteLicence {
  fileprivate init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly(["holder", "number", "expires"])
    var expires: CalendarDate?
    if let text = try element.optionalText("expires") {
      guard let date = CalendarDate(text) else {
        throw element.fault("expires", "\"\(text)\"", expected: "a date such as 2026-03-29")
      }
      expires = date
    }
    self.init(holder: try element.text("holder"), number: try element.text("number"), expires: expires)
  }
}

extension StudyText {
  init(_ element: JSONElement, _ languages: [String]) throws(JSONFault) {
    try element.expectOnly(["id", "files"])
    let part = try element.required("files")
    try part.expectOnly(Set(languages))
    var files: [String: String] = [:]
    for language in languages { files[language] = try part.optionalText(language) }
    self.init(try element.text("id"), files: files)
  }
}

extension DictionaryEntry {
  init(_ element: JSONElement, _ languages: [String]) throws(JSONFault) {
    try element.expectOnly(["column", "item", "text"])
    self.init(
      try element.text("column"), item: try element.text("item"),
      text: try element.optionalLocalized("text", in: languages))
  }
}
