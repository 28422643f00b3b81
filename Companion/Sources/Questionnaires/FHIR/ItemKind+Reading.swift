import Almanac
import Base

extension ItemKind {
  private static let extensions: Set<String> = [
    FHIRTerms.kind, FHIRTerms.itemControl, FHIRTerms.minimum, FHIRTerms.maximum, FHIRTerms.step,
    FHIRTerms.unit,
    FHIRTerms.maximumOccurrences,
  ]

  /// The kind by FHIR's type, and by our own word where there is one: other programs' questionnaires have none.
  init(_ element: JSONElement) throws(JSONFault) {
    let extensions = try element.extensions(Self.extensions)
    let type = try element.text("type")
    let kinds = try Self.kinds(of: type, element, extensions)
    guard let mark = extensions[FHIRTerms.kind] else {
      self = kinds[0]
      return
    }
    let word = try mark.text("valueCode")
    guard let kind = kinds.first(where: { $0.word == word }) else {
      throw mark.fault(
        "valueCode", "\"\(word)\" in an item of type \(type)",
        expected: kinds.map(\.word).joined(separator: " or "))
    }
    self = kind
  }

  /// Kinds that an item of a type can be, the one that it is without our word first.
  private static func kinds(
    of type: String, _ element: JSONElement, _ extensions: [String: JSONElement]
  ) throws(JSONFault) -> [ItemKind] {
    switch type {
    case "text", "string": return [.text(maxLength: try element.optionalWhole("maxLength")), .email]
    case "integer", "decimal":
      let range = try NumberRange(extensions, isWhole: type == "integer")
      let kinds: [ItemKind] = [.number(range), .scale(range), .numberScroll(range), .minutesScroll(range)]
      return extensions[FHIRTerms.itemControl] == nil ? kinds : [kinds[1], kinds[0], kinds[2], kinds[3]]
    case "boolean": return [.yesNo]
    case "choice", "open-choice":
      var options: [Option] = []
      for part in try element.list("answerOption") { options.append(try Option(part)) }
      let isOpen = type == "open-choice"
      if options.map(\.code) == ["yes", "no", "dont-know"], try element.optionsAreOurs {
        return [.yesNoDontKnow]
      }
      return try element.flag("repeats")
        ? [.multiple(options, other: isOpen)] : [.single(options, other: isOpen)]
    case "time": return [.time]
    case "date":
      return [
        .date(
          from: try extensions[FHIRTerms.minimum]?.date("valueDate"),
          to: try extensions[FHIRTerms.maximum]?.date("valueDate"))
      ]
    case "group":
      guard try element.flag("repeats") else { return [.group(repeats: nil)] }
      // Own choice where the questionnaire does not say: as many as anybody enters.
      return [
        .group(repeats: try extensions[FHIRTerms.maximumOccurrences]?.optionalWhole("valueInteger") ?? 50)
      ]
    case "display": return [.info]
    default:
      throw element.fault(
        "type", "\"\(type)\"",
        expected:
          "text, string, integer, decimal, boolean, choice, open-choice, time, date, group or display")
    }
  }
}

extension NumberRange {
  fileprivate init(_ extensions: [String: JSONElement], isWhole: Bool) throws(JSONFault) {
    func bound(_ url: String) throws(JSONFault) -> Double? {
      guard let element = extensions[url] else { return nil }
      if let whole = try element.optionalNumber("valueInteger") { return whole }
      return try element.optionalNumber("valueDecimal")
    }
    let step = try extensions[FHIRTerms.step]?.optionalNumber("valueDecimal")
    let unit = try extensions[FHIRTerms.unit]?.element("valueCoding")?.text("code")
    self.init(
      try bound(FHIRTerms.minimum), try bound(FHIRTerms.maximum), step: step ?? (isWhole ? 1 : nil),
      unit: unit)
  }
}

extension Option {
  fileprivate init(_ element: JSONElement) throws(JSONFault) {
    try element.expectOnly(["valueCoding"])
    guard let coding = try element.element("valueCoding") else {
      throw element.fault("valueCoding", "nothing", expected: "a coding")
    }
    try coding.expectOnly(["extension", "system", "code", "display", "_display"])
    let extensions = try coding.extensions([FHIRTerms.ordinal])
    let code = try coding.text("code")
    self.init(
      code, try coding.localized("display") ?? LocalizedText(code),
      system: try coding.optionalText("system"),
      points: try extensions[FHIRTerms.ordinal]?.optionalNumber("valueDecimal"))
  }
}

extension JSONElement {
  fileprivate func date(_ key: String) throws(JSONFault) -> CalendarDate {
    let text = try text(key)
    guard let date = CalendarDate(text) else {
      throw fault(key, "\"\(text)\"", expected: "a date such as 2026-03-29")
    }
    return date
  }

  /// True when the options are those of `yes-no-dont-know`, not another's of the same codes.
  fileprivate var optionsAreOurs: Bool {
    get throws(JSONFault) {
      for option in try list("answerOption") {
        let coding = try option.element("valueCoding")
        guard try coding?.optionalText("system") == FHIRTerms.answers else { return false }
      }
      return true
    }
  }
}
