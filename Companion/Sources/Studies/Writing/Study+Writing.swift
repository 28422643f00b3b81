import Base
import Questionnaires

extension Study {
  /// The study as its file has it. Reading it again gives the same value (``init(_:)``).
  public var json: JSONValue {
    [
      "schema": .number(Double(Self.newestSchema)), "id": .text(id), "version": .text(version),
      "kind": .text(kind.rawValue), "languages": .texts(languages), "title": title.json(languages),
      "purpose": purpose.json(languages), "institution": institution.map { .text($0) },
      "investigator": investigator.map { .object($0.members) }, "contact": contact?.json,
      "eligibility": eligibility == Eligibility() ? nil : eligibility.json(languages),
      "commitment": [
        "text": commitment.text.json(languages), "minutes-per-day": .number(commitment.minutesPerDay),
      ],
      "duration-days": .number(Double(dayCount)), "minimum-compliance": .number(minimumCompliance),
      "data-types": FHIRList.of(
        dataTypes.map { type in
          [
            "id": .text(type.id), "text": type.text.json(languages),
            "required": type.isRequired ? true : nil,
          ]
        }),
      "questionnaires": FHIRList.of(questionnaires.map { ["id": .text($0.id), "file": .text($0.file)] }),
      "derived": FHIRList.of(
        derived.map { ["id": .text($0.id), "kind": .text($0.kind.rawValue), "of": .texts($0.questions)] }),
      "instruments": FHIRList.of(instruments.map(\.json)),
      "texts": FHIRList.of(texts.map { $0.json(languages) }), "help-text": helpText.map { .text($0) },
      "tasks": FHIRList.of(tasks.map(\.json)), "pillars": FHIRList.of(pillars.map { $0.json(languages) }),
      "modules": FHIRList.of(modules.map { $0.json(languages) }),
      "days": FHIRList.of(days.map { $0.json(languages) }), "gateways": FHIRList.of(gateways.map(\.json)),
      "filling": filling?.json(languages),
      "dictionary": FHIRList.of(
        dictionary.map { entry in
          ["column": .text(entry.column), "item": .text(entry.item), "text": entry.text?.json(languages)]
        }),
    ]
  }

  /// Bytes of the file.
  public var bytes: [UInt8] { Array((json.minified + "\n").utf8) }
}

extension LocalizedText {
  /// - Parameter languages: The main one first.
  func json(_ languages: [String]) -> JSONValue {
    .object(
      languages.enumerated().compactMap { index, language in
        (index == 0 ? text : translations[language]).map {
          JSONValue.Member(key: language, value: .text($0))
        }
      })
  }
}

extension JSONValue {
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .text($0) }) }
}

extension Person {
  fileprivate var members: [JSONValue.Member] {
    [("name", name), ("email", email), ("phone", phone)].compactMap { key, value in
      value.map { JSONValue.Member(key: key, value: .text($0)) }
    }
  }
}

extension Contact {
  fileprivate var json: JSONValue {
    let hours = answersWithin.map { JSONValue.Member(key: "answers-within-hours", value: .number($0)) }
    return .object(person.members + [hours].compactMap(\.self))
  }
}

extension Eligibility {
  fileprivate func json(_ languages: [String]) -> JSONValue {
    func list(_ criteria: [Criterion]) -> JSONValue? {
      FHIRList.of(
        criteria.map { criterion in
          [
            "id": .text(criterion.id), "text": criterion.text.json(languages),
            "enableWhen": FHIRList.of(criterion.conditions.map { $0.fhir() }),
            "enableBehavior": .text(criterion.enablement.rawValue),
            "shows-help": criterion.showsHelp.map { .boolean($0) },
          ]
        })
    }
    return [
      "questionnaire": questionnaire.map { .text($0) }, "inclusion": list(inclusion),
      "exclusion": list(exclusion),
    ]
  }
}

extension StudyInstrument {
  fileprivate var json: JSONValue {
    let items = self.items.sorted { $0.key < $1.key }.map { code, source in
      JSONValue.Member(key: code, value: source.json)
    }
    return [
      "id": .text(id), "questionnaire": .text(questionnaire), "items": items.isEmpty ? nil : .object(items),
      "licence": licence.map { licence in
        [
          "holder": .text(licence.holder), "number": .text(licence.number),
          "expires": licence.expires.map { .text("\($0)") },
        ]
      },
      "table": table.map { .text($0) },
    ]
  }
}

extension StudyInstrument.Source {
  fileprivate var json: JSONValue {
    switch self {
    case .question(let id): .text(id)
    case .conditions(let conditions, let enablement):
      [
        "enableWhen": FHIRList.of(conditions.map { $0.fhir() }),
        "enableBehavior": .text(enablement.rawValue),
      ]
    }
  }
}

extension StudyText {
  fileprivate func json(_ languages: [String]) -> JSONValue {
    let members = languages.compactMap { language in
      files[language].map { JSONValue.Member(key: language, value: .text($0)) }
    }
    return ["id": .text(id), "files": .object(members)]
  }
}
