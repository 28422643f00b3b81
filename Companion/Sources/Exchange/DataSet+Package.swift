import Base
import Questionnaires
import Studies

extension DataSet {
  /// Description of the files (Frictionless Data Package 1, Table Schema 1) with the study's own dictionary.
  func package(_ tables: [Table]) -> JSONValue {
    let study = content.study
    let dictionary = study.dictionary.map { entry -> JSONValue in
      let text = entry.text ?? content.questions[entry.item]?.text
      return [
        "column": .text(entry.column), "item": .text(entry.item), "meaning": (text?.text).map { .text($0) },
        "kind": (content.questions[entry.item]?.kind.word).map { .text($0) },
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
      "resources": .array(tables.map(\.resource)), "dictionary": .array(dictionary),
      "measured": figures.isEmpty ? nil : .array(figures),
    ]
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
