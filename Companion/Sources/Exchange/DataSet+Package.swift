import Base
import Instruments
import Questionnaires
import Studies

extension DataSet {
  /// Description of the files (Frictionless Data Package 1, Table Schema 1) with the study's own dictionary.
  func package(_ tables: [Table]) -> JSONValue {
    let study = content.study
    let dictionary = study.dictionary.map { entry -> JSONValue in
      let question = content.questions[entry.item]
      let text = entry.text ?? question?.text
      return [
        "column": .text(entry.column), "item": .text(entry.item), "meaning": (text?.text).map { .text($0) },
        "kind": (question?.kind.word).map { .text($0) },
        "unit": (question?.kind.range?.unit).map { .text($0) }, "options": question?.kind.described,
      ]
    }
    let instruments = study.instruments.compactMap(\.instrument).map { instrument -> JSONValue in
      [
        "instrument": .text(instrument.id), "name": .text(instrument.name),
        "attribution": .text(instrument.attribution), "source": .text(instrument.source),
      ]
    }
    let figures = measurementKinds.flatMap { kind in
      kind.figures.map { figure -> JSONValue in
        [
          "kind": .text(kind.key.name), "version": .number(Double(kind.key.version)),
          "name": .text(figure.name), "unit": figure.unit.isEmpty ? nil : .text(figure.unit),
          "meaning": .text(figure.meaning),
        ]
      }
    }
    return [
      "profile": "tabular-data-package", "name": "data-set", "title": .text(study.title.text),
      "study": .text(study.id), "version": .text(study.version), "created": .text("\(made)"),
      "kinds": hasEverything ? "everything" : "given",
      "minimum_compliance": .number(study.minimumCompliance),
      "resources": .array(tables.map(\.resource)), "dictionary": .array(dictionary),
      "instruments": instruments.isEmpty ? nil : .array(instruments),
      "measured": figures.isEmpty ? nil : .array(figures),
    ]
  }
}

extension ItemKind {
  /// Options with their codes, as the table of answers has them; nil for other kinds.
  fileprivate var described: JSONValue? {
    switch self {
    case .single(let options, _), .multiple(let options, _):
      .array(
        options.map { option in
          [
            "code": .text(option.code), "text": .text(option.text.text),
            "points": option.points.map { .number($0) },
          ]
        })
    default: nil
    }
  }
}

extension Table {
  fileprivate var resource: JSONValue {
    let fields = columns.map { column -> JSONValue in
      [
        "name": .text(column.name), "type": .text(column.kind.rawValue),
        "description": .text(column.meaning),
      ]
    }
    return [
      "name": .text(name), "path": .text(name + ".csv"), "profile": "tabular-data-resource",
      "encoding": "utf-8",
      "schema": ["fields": .array(fields), "missingValues": [""]],
    ]
  }
}
