import Almanac
import Base

extension ItemKind {
  private static let extensions: Set<String> = [
    FHIRTerms.kind, FHIRTerms.itemControl, FHIRTerms.minimum, FHIRTerms.maximum, FHIRTerms.step,
    FHIRTerms.unit,
    FHIRTerms.maximumOccurrences,
  ]

  /// The kind by FHIR's type, and by our own word where there is one: other programs' questionnaires have none.
  ///
  /// - Parameter isKept: As of ``Questionnaire/init(fhir:isKept:)``.
  init(_ element: JSONElement, isKept: Bool) throws(JSONFault) {
    let extensions = try element.extensions(Self.extensions)
    let type = try element.text("type")
    let kinds = try Self.kinds(of: type, element, extensions, isKept: isKept)
    var kind = kinds[0]
    if let mark = extensions[FHIRTerms.kind] {
      let word = try mark.text("valueCode")
      guard let named = kinds.first(where: { $0.word == word }) else {
        throw mark.fault(
          "valueCode", "\"\(word)\" in an item of type \(type)",
          expected: kinds.map(\.word).joined(separator: " or "))
      }
      kind = named
    }
    if !isKept { try kind.expectOnlyUsed(in: element, extensions) }
    self = kind
  }

  /// Kinds that an item of a type can be, the one that it is without our word first.
  private static func kinds(
    of type: String, _ element: JSONElement, _ extensions: [String: JSONElement], isKept: Bool
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
      for part in try element.list("answerOption") { options.append(try Option(part, isKept: isKept)) }
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

/// Members of an item, and extensions with the members that hold their values, which a kind takes beside those
/// of every item.
private struct UsedMembers {
  let members: Set<String>
  let extensions: [String: Set<String>]
  /// Codes of FHIR's `itemControl`: a slider, and those that change nothing but the look.
  let controls: Set<String>

  init(
    _ members: Set<String> = [], _ extensions: [String: Set<String>] = [:], controls: Set<String> = []
  ) {
    let control: [String: Set<String>] =
      controls.isEmpty ? [:] : [FHIRTerms.itemControl: ["valueCodeableConcept"]]
    (self.members, self.controls) = (members, controls)
    self.extensions = extensions.merging(control) { own, _ in own }
  }
}

/// Codes of FHIR R4's questionnaire-item-control that change nothing but the look: the same is asked and answered
/// as a list, a line or a text. Radio buttons take one of their options alone, so they are no look of several.
private enum Look {
  static let options: Set<String> = ["autocomplete", "check-box", "drop-down", "lookup"]
  static let oneOption = options.union(["radio-button"])
  static let yesNo: Set<String> = ["check-box", "drop-down", "radio-button"]
  static let line: Set<String> = ["text-box"]
  static let text: Set<String> = ["flyover", "help", "inline", "lower", "prompt", "unit", "upper"]
  static let group: Set<String> = ["atable", "footer", "gtable", "header", "htable", "list", "table"]
}

extension ItemKind {
  private var used: UsedMembers {
    let bound: Set<String> = ["valueInteger", "valueDecimal"]
    let range: [String: Set<String>] = [
      FHIRTerms.minimum: bound, FHIRTerms.maximum: bound, FHIRTerms.step: ["valueDecimal"],
      FHIRTerms.unit: ["valueCoding"],
    ]
    return switch self {
    case .text: UsedMembers(["maxLength"], controls: Look.line)
    case .email: UsedMembers(controls: Look.line)
    case .yesNo: UsedMembers(controls: Look.yesNo)
    case .time: UsedMembers()
    case .info: UsedMembers(controls: Look.text)
    case .number, .numberScroll, .minutesScroll: UsedMembers([], range)
    case .scale: UsedMembers([], range, controls: ["slider"])
    case .yesNoDontKnow, .single: UsedMembers(["answerOption"], controls: Look.oneOption)
    case .multiple: UsedMembers(["answerOption", "repeats"], controls: Look.options)
    case .date: UsedMembers([], [FHIRTerms.minimum: ["valueDate"], FHIRTerms.maximum: ["valueDate"]])
    case .group(repeats: nil): UsedMembers(controls: Look.group)
    case .group:
      UsedMembers(
        ["repeats"], [FHIRTerms.maximumOccurrences: ["valueInteger"]], controls: Look.group)
    }
  }

  /// Refuses what an item of this kind has no use for: it would be lost without a word.
  fileprivate func expectOnlyUsed(
    in element: JSONElement, _ extensions: [String: JSONElement]
  ) throws(JSONFault) {
    let used = self.used
    if !used.members.contains("repeats"), try element.flag("repeats") {
      throw element.fault("repeats", "true of an item of the kind \(word)", expected: "false, or nothing")
    }
    for member in ["answerOption", "maxLength"] where !used.members.contains(member) {
      guard element.json[member] == nil else {
        throw element.fault(member, "one of an item of the kind \(word)", expected: "nothing")
      }
    }
    // In the order of their URLs, so that one questionnaire has one message.
    for (url, part) in extensions.sorted(by: { $0.key < $1.key }) {
      let known: Set<String>? = url == FHIRTerms.kind ? ["valueCode"] : used.extensions[url]
      guard let known else {
        throw part.fault("url", "\(url) of an item of the kind \(word)", expected: "nothing")
      }
      try part.expectOnly(known.union(["url"]))
      guard known.count(where: { part.json[$0] != nil }) == 1 else {
        throw part.fault("value…", "not one value", expected: known.sorted().joined(separator: " or "))
      }
    }
    try extensions[FHIRTerms.itemControl]?.expectControl(used.controls)
    try extensions[FHIRTerms.unit]?.expectUnit()
    if case .yesNoDontKnow = self { try element.expectOurList() }
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
  fileprivate init(_ element: JSONElement, isKept: Bool) throws(JSONFault) {
    try element.expectOnly(["valueCoding"])
    guard let coding = try element.element("valueCoding") else {
      throw element.fault("valueCoding", "nothing", expected: "a coding")
    }
    try coding.expectOnly(["extension", "system", "code", "display", "_display"])
    let extensions = try coding.extensions([FHIRTerms.ordinal])
    if !isKept, let points = extensions[FHIRTerms.ordinal] {
      try points.expectOnly(["url", "valueDecimal"])
      guard points.json["valueDecimal"] != nil else {
        throw points.fault("valueDecimal", "nothing", expected: "a number")
      }
    }
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

  /// Refuses another control than these, which nothing here obeys.
  fileprivate func expectControl(_ codes: Set<String>) throws(JSONFault) {
    guard !codes.contains(where: json.names(control:)) else { return }
    throw fault(
      "valueCodeableConcept", "another control",
      expected: "one with the code \(codes.sorted().joined(separator: " or "))")
  }

  /// Refuses a unit of another system: it would be taken for one of UCUM.
  fileprivate func expectUnit() throws(JSONFault) {
    guard let coding = try element("valueCoding") else { return }
    try coding.expectOnly(["system", "code", "display"])
    let system = try coding.optionalText("system")
    guard system == nil || system == FHIRTerms.unitSystem else {
      throw coding.fault("system", "\"\(system ?? "")\"", expected: FHIRTerms.unitSystem)
    }
  }

  /// Refuses points of `yes-no-dont-know`, which has its own, and words of somebody's own beside it.
  fileprivate func expectOurList() throws(JSONFault) {
    guard try text("type") == "choice" else {
      throw fault("type", "open-choice with the codes of yes-no-dont-know", expected: "choice")
    }
    for option in try list("answerOption") {
      guard let coding = try option.element("valueCoding"), coding.json["extension"] != nil else {
        continue
      }
      throw coding.fault("extension", "points of yes, no or dont-know", expected: "nothing")
    }
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
