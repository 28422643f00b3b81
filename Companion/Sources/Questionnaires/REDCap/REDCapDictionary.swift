import Base

/// Questionnaires of a REDCap data dictionary, one for each form, in their order.
public struct REDCapDictionary: Sendable, Hashable {
  public let questionnaires: [Questionnaire]
  /// All that a questionnaire has no place for.
  public let remarks: [REDCapRemark]

  /// Most rows. Own choice: as many items as a questionnaire may have.
  private static let mostRows = 5000

  /// Reads a dictionary.
  ///
  /// - Parameters:
  ///   - csv: With REDCap's header.
  ///   - url: Name of the questionnaires, to which the form's name is added.
  /// - Throws: ``REDCapError`` for what is broken, or would ask otherwise than REDCap without a remark.
  public init(csv: String, url: String, version: String) throws(REDCapError) {
    var reader = REDCapReader()
    let fields = try reader.withoutRecord(Self.fields(csv))
    var forms: [String] = []
    for field in fields where !forms.contains(field.form) { forms.append(field.form) }
    var questionnaires: [Questionnaire] = []
    for form in forms {
      let items = try reader.items(fields.filter { $0.form == form })
      questionnaires.append(
        Questionnaire(url: "\(url):\(form)", version: version, title: LocalizedText(form), items: items))
    }
    (self.questionnaires, remarks) = (questionnaires, reader.remarks)
  }

  private static func fields(_ csv: String) throws(REDCapError) -> [REDCapField] {
    let rows: [CSVRows.Row]
    do throws(CSVRows.Fault) { rows = try CSVRows.read(csv) } catch {
      throw REDCapError(
        line: error.line, field: "", found: "a quotation mark out of place", expected: "CSV by RFC 4180")
    }
    guard let header = rows.first, rows.count <= mostRows + 1 else {
      throw REDCapError(
        line: 1, field: "", found: "\(rows.count) rows", expected: "a header and at most \(mostRows) fields"
      )
    }
    let positions = Dictionary(header.fields.enumerated().map { ($1, $0) }) { first, _ in first }
    for column in REDCapField.columns.prefix(6) where positions[column] == nil {
      throw REDCapError(
        line: header.line, field: "", found: "no column \"\(column)\"", expected: "REDCap's header")
    }
    if let unknown = header.fields.first(where: { !REDCapField.columns.contains($0) }) {
      throw REDCapError(
        line: header.line, field: "", found: "the column \"\(unknown)\"", expected: "REDCap's columns")
    }
    let fields = rows.dropFirst().map { REDCapField($0, positions) }
    var names: Set<String> = []
    for field in fields {
      guard !field.name.isEmpty, names.insert(field.name).inserted else {
        throw REDCapError(
          line: field.line, field: field.name,
          found: field.name.isEmpty ? "no name" : "a second field of this name",
          expected: "a name of its own")
      }
    }
    return fields
  }
}

/// Items, and what has no place in them.
private struct REDCapReader {
  private(set) var remarks: [REDCapRemark] = []

  /// The fields without the record's id, the number of a person, which the study's own record has.
  ///
  /// It is the first field of a project, whatever its name, and a text (University of Utah, "Record Labels,
  /// Auto-Numbering & Unique Identifiers"). Of a single form the first field may be a question: another name
  /// than REDCap's own is remarked.
  mutating func withoutRecord(_ fields: [REDCapField]) throws(REDCapError) -> [REDCapField] {
    guard let first = fields.first, first.name == "record_id" || first.type == "text" else { return fields }
    if first.name != "record_id" {
      // One that is broken is refused all the same; it has no other remarks.
      var reader = self
      _ = try reader.kind(of: first)
      remarks.append(
        REDCapRemark(
          item: first.name,
          words: "it is left out, because the first field of a REDCap project is the record's id"))
    }
    return Array(fields.dropFirst())
  }

  mutating func items(_ fields: [REDCapField]) throws(REDCapError) -> [Item] {
    var (items, read): ([Item], [REDCapField]) = ([], [])
    for field in fields {
      note(field)
      if !field.header.isEmpty {
        items.append(Item("\(field.id)-header", LocalizedText(field.header), .info))
      }
      guard let kind = try kind(of: field), let label = label(of: field, kind) else { continue }
      let help = field.note.isEmpty ? nil : LocalizedText(field.note)
      items.append(
        Item(
          field.id, LocalizedText(label), kind, isRequired: field.isRequired && kind.isQuestion, help: help)
      )
      read.append(field)
    }
    let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
    let byName = Dictionary(read.compactMap { field in byID[field.id].map { (field.name, $0) } }) {
      first, _ in first
    }
    for field in read where !field.logic.isEmpty {
      guard let index = items.firstIndex(where: { $0.id == field.id }) else { continue }
      do throws(REDCapLogic.Fault) {
        let logic = try REDCapLogic(field.logic)
        (items[index].conditions, items[index].enablement) = try logic.conditions(byName)
        for empty in logic.comparedWhileEmpty {
          remarks.append(
            REDCapRemark(
              item: field.name,
              words: "REDCap takes [\(empty)] without an answer for less than every number, and here the "
                + "condition does not hold then; for the same in both, write ([\(empty)] <> '' and …)"))
        }
      } catch {
        throw REDCapError(
          line: field.line, field: field.name, found: "branching logic with \(error.found)",
          expected: "comparisons of fields of this form, joined by \"and\" alone or by \"or\" alone")
      }
    }
    return items
  }

  private mutating func note(_ field: REDCapField) {
    for (column, text) in field.others.sorted(by: { $0.key < $1.key }) {
      remarks.append(REDCapRemark(item: field.name, words: "\"\(text)\" under \(column) is left out"))
    }
    let tags = [REDCapField.idTag, REDCapField.lengthTag].compactMap { tag in
      field.tag(tag).map { "@\(tag)='\($0)'" }
    }
    if field.annotation.split(separator: " ").map(String.init) != tags, !field.annotation.isEmpty {
      remarks.append(REDCapRemark(item: field.name, words: "its annotation is left out"))
    }
    if !field.header.isEmpty {
      remarks.append(REDCapRemark(item: field.name, words: "its section header becomes a text before it"))
    }
  }

  /// Text of a field, which has one here always; nil for one that is left out, with a remark.
  private mutating func label(of field: REDCapField, _ kind: ItemKind) -> String? {
    if field.isRequired, !kind.isQuestion {
      remarks.append(
        REDCapRemark(item: field.name, words: "it asks nothing, and need not be answered here"))
    }
    guard field.label.isEmpty else { return field.label }
    guard kind.isQuestion else {
      remarks.append(REDCapRemark(item: field.name, words: "it has no label, and is left out"))
      return nil
    }
    remarks.append(REDCapRemark(item: field.name, words: "it has no label, and its name takes the place"))
    return field.name
  }

  /// Nil for a field that is left out, with a remark.
  private mutating func kind(of field: REDCapField) throws(REDCapError) -> ItemKind? {
    switch field.type {
    case "notes": return .text(maxLength: field.tag(REDCapField.lengthTag).flatMap { Int($0) })
    case "text": return try textKind(of: field)
    case "yesno": return .yesNo
    case "truefalse":
      remarks.append(REDCapRemark(item: field.name, words: "true and false become yes and no"))
      return .yesNo
    case "radio", "dropdown", "checkbox":
      guard let options = field.options else {
        throw error(field, "the choices \"\(field.choices.prefix(40))\"", "code, label | code, label")
      }
      if options.map(\.code) == ["yes", "no", "dont_know"], field.type == "radio" {
        return yesNoDontKnow(options, of: field)
      }
      let all = labelled(options, of: field)
      return field.type == "checkbox" ? .multiple(all, other: false) : .single(all, other: false)
    case "slider":
      if !field.choices.isEmpty {
        remarks.append(REDCapRemark(item: field.name, words: "labels of the slider are left out"))
      }
      // REDCap's own ends where none are given.
      return .scale(
        NumberRange(try number(field, field.least) ?? 0, try number(field, field.greatest) ?? 100, step: 1))
    case "descriptive": return .info
    case "calc", "file", "sql":
      remarks.append(REDCapRemark(item: field.name, words: "a field of type \(field.type) is left out"))
      return nil
    default:
      throw error(
        field, "the field type \"\(field.type)\"",
        "text, notes, yesno, truefalse, radio, dropdown, checkbox, slider, descriptive, calc, file or sql")
    }
  }

  private mutating func yesNoDontKnow(_ options: [Option], of field: REDCapField) -> ItemKind {
    if options.map({ $0.text.text.lowercased() }) != ["yes", "no", "don't know"] {
      remarks.append(
        REDCapRemark(
          item: field.name, words: "its labels are left out: people are asked for yes, no or don't know"))
    }
    return .yesNoDontKnow
  }

  /// The options, each with a text.
  private mutating func labelled(_ options: [Option], of field: REDCapField) -> [Option] {
    let codes = options.filter { $0.text.text.isEmpty }.map(\.code)
    guard !codes.isEmpty else { return options }
    remarks.append(
      REDCapRemark(
        item: field.name,
        words: "choices without a label have their code in its place: \(codes.joined(separator: ", "))"))
    return options.map { $0.text.text.isEmpty ? Option($0.code, LocalizedText($0.code)) : $0 }
  }

  private mutating func textKind(of field: REDCapField) throws(REDCapError) -> ItemKind {
    switch field.validation {
    case "": return .text(maxLength: field.tag(REDCapField.lengthTag).flatMap { Int($0) })
    case "email": return .email
    case "integer", "number":
      return .number(
        NumberRange(
          try number(field, field.least), try number(field, field.greatest),
          step: field.validation == "integer" ? 1 : nil))
    case "time":
      if !field.least.isEmpty || !field.greatest.isEmpty {
        remarks.append(REDCapRemark(item: field.name, words: "its limits are left out, any time is taken"))
      }
      return .time
    case "date_ymd", "date_mdy", "date_dmy":
      return .date(from: try date(field, field.least), to: try date(field, field.greatest))
    default:
      remarks.append(
        REDCapRemark(
          item: field.name, words: "the validation \(field.validation) is left out, any text is taken"))
      return .text(maxLength: nil)
    }
  }

  private func number(_ field: REDCapField, _ text: String) throws(REDCapError) -> Double? {
    guard !text.isEmpty else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw error(field, "the limit \"\(text)\"", "a number")
    }
    return number
  }

  /// Limits are written year first, whatever people type (data dictionaries of REDCap, from memory).
  private func date(_ field: REDCapField, _ text: String) throws(REDCapError) -> CalendarDate? {
    guard !text.isEmpty else { return nil }
    guard let date = CalendarDate(text) else {
      throw error(field, "the limit \"\(text)\"", "a date such as 2026-03-29")
    }
    return date
  }

  private func error(_ field: REDCapField, _ found: String, _ expected: String) -> REDCapError {
    REDCapError(line: field.line, field: field.name, found: found, expected: expected)
  }
}
