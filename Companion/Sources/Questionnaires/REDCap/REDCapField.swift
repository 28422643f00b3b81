/// A row of REDCap's data dictionary, by the names of its columns.
struct REDCapField: Hashable {
  /// Columns in REDCap's order.
  static let columns = [
    "Variable / Field Name", "Form Name", "Section Header", "Field Type", "Field Label",
    "Choices, Calculations, OR Slider Labels", "Field Note", "Text Validation Type OR Show Slider Number",
    "Text Validation Min", "Text Validation Max", "Identifier?", "Branching Logic (Show field only if...)",
    "Required Field?", "Custom Alignment", "Question Number (surveys only)", "Matrix Group Name",
    "Matrix Ranking?",
    "Field Annotation",
  ]

  var name = ""
  var form = ""
  var header = ""
  var type = ""
  var label = ""
  var choices = ""
  var note = ""
  var validation = ""
  var least = ""
  var greatest = ""
  var logic = ""
  var isRequired = false
  var annotation = ""
  /// Columns that are not kept.
  var others: [String: String] = [:]
  var line = 0

  init() {}

  /// - Parameter positions: Places of the columns in the row.
  init(_ row: CSVRows.Row, _ positions: [String: Int]) {
    func text(_ index: Int) -> String {
      guard let position = positions[Self.columns[index]], row.fields.indices.contains(position) else {
        return ""
      }
      return row.fields[position]
    }
    (name, form, header, type, label) = (text(0), text(1), text(2), text(3), text(4))
    (choices, note, validation, least, greatest) = (text(5), text(6), text(7), text(8), text(9))
    (logic, isRequired, annotation, line) = (text(11), text(12).lowercased() == "y", text(17), row.line)
    for index in [10, 13, 14, 15, 16] where !text(index).isEmpty {
      others[Self.columns[index]] = text(index)
    }
  }

  var row: [String] {
    [
      name, form, header, type, label, choices, note, validation, least, greatest, "", logic,
      isRequired ? "y" : "", "",
      "", "", "", annotation,
    ]
  }

  /// Value of a tag of ``annotation``, `@NAME='value'`.
  func tag(_ tag: String) -> String? {
    guard let begin = annotation.firstRange(of: "@\(tag)='")?.upperBound,
      let end = annotation[begin...].firstIndex(of: "'")
    else { return nil }
    return String(annotation[begin..<end])
  }

  /// Choices as `code, label` between strokes; a label may be empty.
  var options: [Option]? {
    var options: [Option] = []
    // By scalars: a label may begin with a letter that combines with the sign before it.
    for part in choices.unicodeScalars.split(whereSeparator: { $0 == "|" }) {
      let pair = part.split(maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "," })
        .map { Self.trimmed($0) }
      guard pair.count == 2, !pair[0].isEmpty else { return nil }
      options.append(Option(pair[0], LocalizedText(pair[1])))
    }
    return options
  }

  private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
    var rest = text
    while rest.first?.properties.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.properties.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }

  /// Id of the item: that of our own tag, and otherwise the field's name.
  var id: String { tag(Self.idTag) ?? name }

  static let idTag = "AURICLE-ID"
  static let lengthTag = "CHARLIMIT"
}

/// A data dictionary that is not taken.
public struct REDCapError: Error, Sendable, Hashable, CustomStringConvertible {
  public let line: Int
  /// Name of the field; empty: the row or the text as a whole.
  public let field: String
  public let found: String
  public let expected: String

  public var description: String {
    "line \(line)\(field.isEmpty ? "" : ", \(field)"): found \(found); expected \(expected)"
  }
}

/// Something that one of the two forms has and the other has not: it is left out or kept otherwise, and said.
public struct REDCapRemark: Sendable, Hashable, CustomStringConvertible {
  /// Item or field; empty: the whole.
  public let item: String
  public let words: String

  public var description: String { item.isEmpty ? words : "\(item): \(words)" }
}
