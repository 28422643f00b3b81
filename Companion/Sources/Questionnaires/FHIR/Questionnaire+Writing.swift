import Almanac
import Base

extension Questionnaire {
  /// The questionnaire as FHIR R4 has it. Reading it again gives the same value (``init(fhir:)``).
  public var fhir: JSONValue {
    let asked = Dictionary(allItems.map { ($0.id, $0) }) { first, _ in first }
    return [
      "resourceType": "Questionnaire", "url": .text(url), "version": .text(version),
      "title": title.text.isEmpty ? nil : .text(title.text), "_title": title.translationExtension,
      "status": "active",
      "item": FHIRList.of(items.map { $0.fhir(among: asked) }),
    ]
  }
}

/// Lists, which FHIR leaves out where they are empty.
package enum FHIRList {
  package static func of(_ elements: [JSONValue?]) -> JSONValue? {
    let there = elements.compactMap(\.self)
    return there.isEmpty ? nil : .array(there)
  }
}

extension LocalizedText {
  /// Translations beside a primitive, in the order of their tags; nil without any.
  var translationExtension: JSONValue? {
    let extensions = translations.sorted { $0.key < $1.key }.map { language, text -> JSONValue in
      [
        "url": .text(FHIRTerms.translation),
        "extension": [
          ["url": "lang", "valueCode": .text(language)], ["url": "content", "valueString": .text(text)],
        ],
      ]
    }
    return FHIRList.of(extensions).map { ["extension": $0] }
  }
}

extension Item {
  /// - Parameter asked: All items by their ids.
  fileprivate func fhir(among asked: [String: Item]) -> JSONValue {
    let helpItem = help.map { help -> JSONValue in
      let control: JSONValue = ["coding": [["system": .text(FHIRTerms.itemControlSystem), "code": "help"]]]
      return [
        "extension": [["url": .text(FHIRTerms.itemControl), "valueCodeableConcept": control]],
        "linkId": .text(id + "/help"), "text": .text(help.text), "_text": help.translationExtension,
        "type": "display",
      ]
    }
    return [
      "extension": FHIRList.of(extensions), "linkId": .text(id), "text": .text(text.text),
      "_text": text.translationExtension,
      "type": .text(kind.fhirType),
      "enableWhen": FHIRList.of(conditions.map { $0.fhir(asking: asked[$0.question]) }),
      "enableBehavior": conditions.count > 1 || enablement == .any ? .text(enablement.rawValue) : nil,
      "required": isRequired ? true : nil, "repeats": kind.repeats ? true : nil, "maxLength": maxLength,
      "answerOption": FHIRList.of(kind.fhirOptions),
      "item": FHIRList.of([helpItem] + items.map { $0.fhir(among: asked) }),
    ]
  }

  private var maxLength: JSONValue? {
    if case .text(let most?) = kind { .number(Double(most)) } else { nil }
  }

  private var extensions: [JSONValue?] {
    var found: [JSONValue?] = [["url": .text(FHIRTerms.kind), "valueCode": .text(kind.word)]]
    if case .scale = kind {
      let control: JSONValue = [
        "coding": [["system": .text(FHIRTerms.itemControlSystem), "code": "slider"]]
      ]
      found.append(["url": .text(FHIRTerms.itemControl), "valueCodeableConcept": control])
    }
    if let range = kind.range { found += range.extensions }
    switch kind {
    case .date(let from, let to):
      found.append(from.map { ["url": .text(FHIRTerms.minimum), "valueDate": .text("\($0)")] })
      found.append(to.map { ["url": .text(FHIRTerms.maximum), "valueDate": .text("\($0)")] })
    case .group(let repeats):
      found.append(
        repeats.map { ["url": .text(FHIRTerms.maximumOccurrences), "valueInteger": .number(Double($0))] })
    default: break
    }
    return found
  }
}

extension NumberRange {
  /// Whole numbers are integers, others decimals.
  fileprivate var extensions: [JSONValue?] {
    let key = isWhole ? "valueInteger" : "valueDecimal"
    func bound(_ url: String, _ number: Double?) -> JSONValue? {
      number.map { .object([.init(key: "url", value: .text(url)), .init(key: key, value: .number($0))]) }
    }
    let coding = unit.map { unit -> JSONValue in
      ["system": .text(FHIRTerms.unitSystem), "code": .text(unit)]
    }
    return [
      bound(FHIRTerms.minimum, least), bound(FHIRTerms.maximum, greatest),
      step.map { ["url": .text(FHIRTerms.step), "valueDecimal": .number($0)] },
      coding.map { ["url": .text(FHIRTerms.unit), "valueCoding": $0] },
    ]
  }
}

extension ItemKind {
  fileprivate var fhirType: String {
    switch self {
    case .text: "text"
    case .email: "string"
    case .number(let range), .scale(let range), .numberScroll(let range), .minutesScroll(let range):
      range.isWhole ? "integer" : "decimal"
    case .yesNo: "boolean"
    case .yesNoDontKnow: "choice"
    case .single(_, let other), .multiple(_, let other): other ? "open-choice" : "choice"
    case .time: "time"
    case .date: "date"
    case .group: "group"
    case .info: "display"
    }
  }

  fileprivate var repeats: Bool {
    switch self {
    case .multiple: true
    case .group(let repeats): repeats != nil
    default: false
    }
  }

  fileprivate var fhirOptions: [JSONValue] {
    switch self {
    case .single(let options, _), .multiple(let options, _): options.map { ["valueCoding": $0.coding] }
    case .yesNoDontKnow:
      ["yes", "no", "dont-know"].map {
        ["valueCoding": ["system": .text(FHIRTerms.answers), "code": .text($0)]]
      }
    default: []
    }
  }
}

extension Option {
  fileprivate var coding: JSONValue {
    let ordinal = points.map { points -> JSONValue in
      [["url": .text(FHIRTerms.ordinal), "valueDecimal": .number(points)]]
    }
    return [
      "extension": ordinal, "system": system.map { .text($0) }, "code": .text(code),
      "display": .text(text.text), "_display": text.translationExtension,
    ]
  }
}

extension Condition {
  /// - Parameter item: The question, whose options say of which list a code is, and whose range of which type a
  ///   number is; nil: not known.
  package func fhir(asking item: Item? = nil) -> JSONValue {
    let (key, value) = relation == .exists ? operand.fhirAnswer : operand.fhirAnswer(to: item)
    return .object([
      .init(key: "question", value: .text(question)),
      .init(key: "operator", value: .text(relation.rawValue)),
      .init(key: "answer" + key, value: value),
    ])
  }
}

extension AnswerValue {
  /// As an answer to a question: its options say of which list a code is, and its range of which type a number is.
  func fhirAnswer(to item: Item?) -> (key: String, value: JSONValue) {
    switch (item?.kind, self) {
    case (.number(let range), .number(let number)), (.scale(let range), .number(let number)),
      (.numberScroll(let range), .number(let number)), (.minutesScroll(let range), .number(let number)):
      // An integer of FHIR R4 has 32 bits.
      return (range.isWhole && Int32(exactly: number) != nil ? "Integer" : "Decimal", .number(number))
    case (.yesNoDontKnow, .yes(let yes)):
      return ("Coding", ["system": .text(FHIRTerms.answers), "code": yes ? "yes" : "no"])
    case (.single(let options, _), .choices(let codes, _)),
      (.multiple(let options, _), .choices(let codes, _)):
      guard let code = codes.first else { return fhirAnswer }
      let system = options.first { $0.code == code }?.system
      return ("Coding", ["system": system.map { .text($0) }, "code": .text(code)])
    default: return fhirAnswer
    }
  }

  /// Ending of the member's name, and its value; of choices the first, as a condition has one.
  var fhirAnswer: (key: String, value: JSONValue) {
    switch self {
    case .text(let text): ("String", .text(text))
    case .number(let number):
      (number.rounded() == number && abs(number) < 1e9 ? "Integer" : "Decimal", .number(number))
    case .yes(let yes): ("Boolean", .boolean(yes))
    case .dontKnow: ("Coding", ["system": .text(FHIRTerms.answers), "code": "dont-know"])
    case .choices(let codes, let other):
      if let code = codes.first {
        ("Coding", ["code": .text(code)])
      } else {
        ("String", .text(other ?? ""))
      }
    case .time(let time): ("Time", .text(time.clockText))
    case .date(let date): ("Date", .text("\(date)"))
    }
  }
}

extension LocalTime {
  /// `09:30:00`: FHIR asks for seconds.
  var clockText: String { "\(self)".utf8.count == 5 ? "\(self):00" : "\(self)" }
}
