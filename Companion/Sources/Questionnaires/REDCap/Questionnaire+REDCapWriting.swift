import Base

extension Questionnaire {
  /// Questionnaires as one data dictionary of REDCap, each a form, after the field with which every project of REDCap begins.
  ///
  /// - Returns: CSV, and all that REDCap has no place for.
  public static func redcap(_ questionnaires: [Questionnaire]) -> (csv: String, remarks: [REDCapRemark]) {
    var writer = REDCapWriter()
    for questionnaire in questionnaires { writer.add(questionnaire) }
    return (CSVRows.write([REDCapField.columns] + writer.fields.map(\.row)), writer.remarks)
  }
}

/// Rows, and what has no place in them.
private struct REDCapWriter {
  private(set) var fields: [REDCapField] = []
  private(set) var remarks: [REDCapRemark] = []
  private var names = REDCapNames()
  private var forms = REDCapNames()

  mutating func add(_ questionnaire: Questionnaire) {
    let form = forms.field(questionnaire.title.text.isEmpty ? questionnaire.url : questionnaire.title.text)
    if fields.isEmpty {
      var first = REDCapField()
      (first.name, first.form, first.type, first.label) = ("record_id", form, "text", "Record ID")
      fields.append(first)
    }
    var names: [String: String] = [:]
    for item in questionnaire.allItems where names[item.id] == nil {
      names[item.id] = self.names.field(item.id)
    }
    let items = Dictionary(questionnaire.allItems.map { ($0.id, $0) }) { first, _ in first }
    let tags = questionnaire.allItems.reduce(into: Set(questionnaire.title.translations.keys)) {
      $0.formUnion($1.text.translations.keys)
    }
    if !tags.isEmpty {
      note(
        "",
        "texts in \(tags.sorted().joined(separator: ", ")) are left out, as REDCap keeps them in another place"
      )
    }
    add(questionnaire.items, form, names, items, around: [])
  }

  /// - Parameter around: Logic of the groups around these items.
  private mutating func add(
    _ list: [Item], _ form: String, _ names: [String: String], _ items: [String: Item], around: [String]
  ) {
    for item in list {
      let logic = around + [logic(of: item, names, items)].compactMap(\.self)
      if case .group(let repeats) = item.kind {
        note(
          item.id,
          repeats == nil
            ? "the group is left out, and its items stand by themselves"
            : "its items come once, as REDCap repeats whole forms")
        add(item.items, form, names, items, around: logic)
        continue
      }
      var field = REDCapField()
      (field.name, field.form, field.label) = (names[item.id] ?? "", form, item.text.text)
      (field.note, field.isRequired) = (item.help?.text ?? "", item.isRequired)
      field.logic = logic.count == 1 ? logic[0] : logic.map { "(\($0))" }.joined(separator: " and ")
      if logic.count > 1 {
        note(item.id, "its conditions and those of its group are one logic, which is not read back")
      }
      if field.name != item.id { field.annotation = "@\(REDCapField.idTag)='\(item.id)'" }
      describe(item, in: &field)
      fields.append(field)
    }
  }

  private mutating func logic(of item: Item, _ names: [String: String], _ items: [String: Item]) -> String?
  {
    let parts = item.conditions.compactMap { condition -> String? in
      guard let asked = items[condition.question], let name = names[condition.question] else { return nil }
      return condition.redcap(asking: asked, name)
    }
    if parts.count < item.conditions.count {
      note(item.id, "a condition cannot be said in branching logic, and is left out")
    }
    return parts.isEmpty ? nil : parts.joined(separator: item.enablement == .all ? " and " : " or ")
  }

  private mutating func note(_ item: String, _ words: String) {
    remarks.append(REDCapRemark(item: item, words: words))
  }

  private mutating func describe(_ item: Item, in field: inout REDCapField) {
    switch item.kind {
    case .text(let most):
      field.type = "notes"
      if let most {
        field.annotation += (field.annotation.isEmpty ? "" : " ") + "@\(REDCapField.lengthTag)='\(most)'"
      }
    case .email: (field.type, field.validation) = ("text", "email")
    case .number(let range): describe(range, of: item, in: &field)
    case .numberScroll(let range), .minutesScroll(let range):
      note(item.id, "the wheel becomes a typed number")
      describe(range, of: item, in: &field)
    case .scale(let range):
      (field.type, field.validation) = ("slider", "number")
      (field.least, field.greatest) = (
        NumberWords.of(range.least ?? 0), NumberWords.of(range.greatest ?? 100)
      )
      if range.step != 1 { note(item.id, "the slider has whole numbers there") }
      if range.unit != nil { note(item.id, "its unit is left out") }
    case .yesNo: field.type = "yesno"
    case .yesNoDontKnow:
      (field.type, field.choices) = ("radio", "yes, Yes | no, No | dont_know, Don't know")
    case .single(let options, let other): describe(options, other, "radio", of: item, in: &field)
    case .multiple(let options, let other): describe(options, other, "checkbox", of: item, in: &field)
    case .time: (field.type, field.validation) = ("text", "time")
    case .date(let from, let to):
      (field.type, field.validation) = ("text", "date_ymd")
      (field.least, field.greatest) = (from.map { "\($0)" } ?? "", to.map { "\($0)" } ?? "")
    case .info: field.type = "descriptive"
    case .group: break
    }
  }

  private mutating func describe(_ range: NumberRange, of item: Item, in field: inout REDCapField) {
    (field.type, field.validation) = ("text", range.isWhole ? "integer" : "number")
    (field.least, field.greatest) = (
      range.least.map(NumberWords.of) ?? "", range.greatest.map(NumberWords.of) ?? ""
    )
    if let step = range.step, step != 1 { note(item.id, "steps of \(NumberWords.of(step)) are left out") }
    if range.unit != nil { note(item.id, "its unit is left out") }
  }

  private mutating func describe(
    _ options: [Option], _ other: Bool, _ type: String, of item: Item, in field: inout REDCapField
  ) {
    field.type = type
    field.choices = options.map { "\(REDCapNames.code($0.code)), \($0.text.text)" }.joined(separator: " | ")
    if other { note(item.id, "an answer of one's own is left out; add a text field for it") }
    if options.contains(where: { $0.points != nil && $0.code != NumberWords.of($0.points ?? 0) }) {
      note(item.id, "points of its options are left out")
    } else if options.contains(where: { $0.points != nil }) {
      note(item.id, "points of its options are their codes there")
    }
    if options.contains(where: { $0.system != nil }) {
      note(item.id, "the list that its codes belong to is left out")
    }
    if options.contains(where: { REDCapNames.code($0.code) != $0.code }) {
      note(item.id, "codes have '_' for other signs")
    }
    if options.contains(where: { $0.text.text.utf8.contains(UInt8(ascii: "|")) }) {
      note(item.id, "a stroke in a label divides it there")
    }
  }
}
