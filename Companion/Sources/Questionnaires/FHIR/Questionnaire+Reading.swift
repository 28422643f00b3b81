import Almanac
import Base

extension Questionnaire {
  /// Reads a questionnaire of FHIR R4.
  ///
  /// - Parameter isKept: True for one of a version that a database has already: what its kinds of items have no
  ///   use for, and a code that is not known, are read as they were before they were refused.
  /// - Throws: ``JSONFault`` with the path of what is missing, wrong or not understood. Whether it can be answered is another question
  ///   (``findings(languages:)``).
  public init(fhir json: JSONValue, isKept: Bool = false) throws(JSONFault) {
    let root = JSONElement(json, "")
    try root.expectOnly(["resourceType", "url", "version", "title", "_title", "status", "item"])
    let type = try root.text("resourceType")
    guard type == "Questionnaire" else {
      throw root.fault("resourceType", "\"\(type)\"", expected: "\"Questionnaire\"")
    }
    let status = try root.text("status")
    guard ["draft", "active", "retired", "unknown"].contains(status) else {
      throw root.fault("status", "\"\(status)\"", expected: "draft, active, retired or unknown")
    }
    var items: [Item] = []
    for element in try root.list("item") { items.append(try Item(element, isKept: isKept)) }
    self.init(
      url: try root.text("url"), version: try root.text("version"),
      title: try root.localized("title") ?? LocalizedText(""),
      items: items)
  }
}

extension Item {
  private static let members: Set<String> = [
    "extension", "linkId", "text", "_text", "type", "enableWhen", "enableBehavior", "required", "repeats",
    "maxLength",
    "answerOption", "item",
  ]

  fileprivate init(_ element: JSONElement, isKept: Bool) throws(JSONFault) {
    try element.expectOnly(Self.members)
    let id = try element.text("linkId")
    guard let text = try element.localized("text") else {
      throw element.fault("text", "nothing", expected: "a text")
    }
    let kind = try ItemKind(element, isKept: isKept)
    var conditions: [Condition] = []
    for part in try element.list("enableWhen") {
      conditions.append(try Condition(part, unknownCode: isKept ? .no : .refused))
    }
    let behaviour = try element.optionalText("enableBehavior")
    // FHIR R4, que-12.
    guard behaviour != nil || conditions.count < 2 else {
      throw element.fault(
        "enableBehavior", "nothing beside \(conditions.count) conditions", expected: "all or any")
    }
    guard let enablement = Enablement(rawValue: behaviour ?? "all") else {
      throw element.fault("enableBehavior", "\"\(behaviour ?? "")\"", expected: "all or any")
    }
    var (help, items): (LocalizedText?, [Item]) = (nil, [])
    for part in try element.list("item") {
      if try part.isHelp, help == nil {
        if !isKept { try part.expectOnlyHelp() }
        help = try part.localized("text")
      } else {
        items.append(try Item(part, isKept: isKept))
      }
    }
    self.init(
      id, text, kind, isRequired: try element.flag("required"), help: help, when: conditions, enablement,
      items: items)
  }
}

extension JSONElement {
  /// True for the text that stands within an item to help with it.
  fileprivate var isHelp: Bool {
    get throws(JSONFault) {
      guard try optionalText("type") == "display",
        case .array(let extensions)? = json["extension"]?.content,
        let control = extensions.first(where: { $0["url"] == .text(FHIRTerms.itemControl) })
      else { return false }
      return control.names(control: "help")
    }
  }

  /// Refuses what a help text has no use for, such as conditions: it is there with its question, always.
  fileprivate func expectOnlyHelp() throws(JSONFault) {
    try expectOnly(["extension", "linkId", "text", "_text", "type", "required", "repeats"])
    for member in ["required", "repeats"] {
      guard try !flag(member) else {
        throw fault(member, "true of a help text", expected: "false, or nothing")
      }
    }
    _ = try extensions([FHIRTerms.itemControl])
    _ = try text("text")
  }
}

extension JSONElement {
  /// True for a coding whose system is that of yes, no and don't know, and whose code is another.
  fileprivate func hasUnknownCode() throws(JSONFault) -> Bool {
    guard try optionalText("system") == FHIRTerms.answers else { return false }
    return try !["yes", "no", "dont-know"].contains(text("code"))
  }
}

/// Reading of a condition whose code is another than yes, no and don't know, of the system of these.
package enum UnknownCode: Sendable {
  /// It is refused with its path.
  case refused
  /// No, as it was read before it was refused: parts of a study that have begun go on as they did.
  case no
  /// A code to choose, which is never an answer to such a question: the check finds it.
  case choice
}

extension Condition {
  private static let members = Set(["question", "operator"] + AnswerValue.kinds.map { "answer" + $0 })

  /// Reads an element of FHIR's `enableWhen`.
  ///
  /// - Throws: ``JSONFault`` with the path of what is missing, wrong or not understood.
  package init(_ element: JSONElement, unknownCode: UnknownCode) throws(JSONFault) {
    try element.expectOnly(Self.members)
    let coding = try element.element("answerCoding")
    let isUnknown = try coding?.hasUnknownCode() ?? false
    if let coding, isUnknown, unknownCode == .refused {
      let code = try coding.text("code")
      throw coding.fault("code", "\"\(code)\"", expected: "yes, no or dont-know")
    }
    let word = try element.text("operator")
    guard let relation = Relation(rawValue: word) else {
      throw element.fault("operator", "\"\(word)\"", expected: "exists, =, !=, >, <, >= or <=")
    }
    let operand = try AnswerValue(
      fhir: element, "answer", isOfList: isUnknown && unknownCode == .choice)
    self.init(try element.text("question"), relation, operand)
  }
}

extension AnswerValue {
  /// Kinds that FHIR's members end with.
  static let kinds = ["String", "Integer", "Decimal", "Boolean", "Coding", "Time", "Date"]

  /// - Parameters:
  ///   - prefix: Beginning of the member's name, `answer` or `value`.
  ///   - isOfList: True for an answer to a question with options of its own, whose codes are taken as they are,
  ///     whatever system they have.
  init(fhir element: JSONElement, _ prefix: String, isOfList: Bool = false) throws(JSONFault) {
    let present = Self.kinds.filter { element.json[prefix + $0] != nil }
    guard present.count == 1 else {
      throw element.fault(
        prefix + "…", "\(present.count) answers", expected: "one of \(Self.kinds.joined(separator: ", "))")
    }
    let key = prefix + present[0]
    switch present[0] {
    case "String": self = .text(try element.text(key))
    case "Integer": self = .number(Double(try element.optionalWhole(key) ?? 0))
    case "Decimal": self = .number(try element.optionalNumber(key) ?? 0)
    case "Boolean": self = .yes(try element.flag(key))
    case "Time":
      let text = try element.text(key)
      guard let time = LocalTime(text) else {
        throw element.fault(key, "\"\(text)\"", expected: "a time such as 23:30:00")
      }
      self = .time(time)
    case "Date":
      let text = try element.text(key)
      guard let date = CalendarDate(text) else {
        throw element.fault(key, "\"\(text)\"", expected: "a date such as 2026-03-29")
      }
      self = .date(date)
    default:
      guard let coding = try element.element(key) else {
        throw element.fault(key, "nothing", expected: "a coding")
      }
      let code = try coding.text("code")
      if !isOfList, try coding.optionalText("system") == FHIRTerms.answers {
        self = code == "dont-know" ? .dontKnow : .yes(code == "yes")
      } else {
        self = .choice(code)
      }
    }
  }
}
