import Base
import Questionnaires

extension Study {
  /// Name of the file in a bundle.
  public static let file = "study.json"

  /// JSON Schema (draft 2020-12) of the file's form.
  public static var schema: [UInt8] { PackageResources.study_schema_json }

  private static let members: Set<String> = [
    "schema", "id", "version", "kind", "languages", "title", "purpose", "institution", "investigator",
    "contact",
    "eligibility", "commitment", "duration-days", "minimum-compliance", "data-types", "questionnaires",
    "derived", "instruments",
    "texts", "help-text", "tasks", "pillars", "modules", "days", "gateways", "filling", "dictionary",
  ]

  /// Reads a `study.json`.
  ///
  /// - Parameter isKept: As of ``Questionnaire/init(fhir:isKept:)``; of a criterion of the eligibility an unknown code of yes, no and don't
  ///   know is never an answer, which the check finds before anybody is asked.
  /// - Throws: ``BundleError`` with the file, the path of what is missing, wrong or not understood, and what to do. Whether the study can be
  ///   done is another question (``StudyCheck``).
  public init(_ bytes: [UInt8], isKept: Bool = false) throws(BundleError) {
    let json: JSONValue
    // A study of a year with a hundred questionnaires has some 5,000 values.
    do throws(JSONError) { json = try JSONValue(bytes, count: 100_000) } catch {
      throw BundleError(
        Self.file, place: "line \(error.position.line)", found: "\(error.words)", expected: "JSON text",
        remedy: "correct the line")
    }
    if let schema = json["schema"], case .number(let number) = schema.content,
      number > Double(Self.newestSchema)
    {
      throw BundleError(
        Self.file, place: "schema", found: "\(Int(exactly: number).map(String.init) ?? "\(number)")",
        expected: "at most \(Self.newestSchema)", remedy: "install a newer version of this program")
    }
    do throws(JSONFault) { self = try Study(JSONElement(json), isKept: isKept) } catch {
      throw BundleError(Self.file, error)
    }
  }

  private init(_ root: JSONElement, isKept: Bool) throws(JSONFault) {
    try root.expectOnly(Self.members)
    guard try root.optionalWhole("schema") == Self.newestSchema else {
      throw root.fault("schema", "nothing that is a schema", expected: "\(Self.newestSchema)")
    }
    let languages = try root.texts("languages")
    guard let main = languages.first, Set(languages).count == languages.count else {
      throw root.fault("languages", "\(languages.count) languages", expected: "at least one, each once")
    }
    self.init(
      id: try root.text("id"), version: try root.text("version"), kind: try root.choice("kind"),
      languages: languages,
      title: try root.localized("title", in: languages))
    guard id.contains(":") else { throw root.fault("id", "\"\(id)\"", expected: "a URL or URN") }
    guard main.utf8.count <= 35 else {
      throw root.fault("languages[0]", "a long text", expected: "a language tag")
    }
    purpose = try root.localized("purpose", in: languages)
    institution = try root.optionalText("institution")
    investigator = try root.element("investigator").map(Person.init)
    contact = try root.element("contact").map(Contact.init)
    eligibility =
      try root.element("eligibility").map { part throws(JSONFault) in
        try Eligibility(part, languages, isKept: isKept)
      } ?? Eligibility()
    commitment = try Commitment(root.required("commitment"), languages)
    dayCount = try root.whole("duration-days", in: 1...4000)
    minimumCompliance = try root.number("minimum-compliance", in: 0...1)
    dataTypes = try root.all("data-types") { part throws(JSONFault) in try DataType(part, languages) }
    questionnaires = try root.all("questionnaires", QuestionnaireFile.init)
    derived = try root.all("derived", DerivedAnswer.init)
    instruments = try root.all("instruments") { part throws(JSONFault) in
      try StudyInstrument(part, isKept: isKept)
    }
    texts = try root.all("texts") { part throws(JSONFault) in try StudyText(part, languages) }
    helpText = try root.optionalText("help-text")
    tasks = try root.all("tasks", StudyTask.init)
    pillars = try root.all("pillars") { part throws(JSONFault) in try Pillar(part, languages) }
    modules = try root.all("modules") { part throws(JSONFault) in try StudyModule(part, languages) }
    days = try root.all("days") { part throws(JSONFault) in try StudyDay(part, languages) }
    gateways = try root.all("gateways") { part throws(JSONFault) in try Gateway(part, isKept: isKept) }
    filling = try root.element("filling").map { part throws(JSONFault) in try Filling(part, languages) }
    dictionary = try root.all("dictionary") { part throws(JSONFault) in try DictionaryEntry(part, languages)
    }
  }
}

extension JSONElement {
  /// Members of a list, each read by itself.
  func all<Value>(
    _ key: String, _ read: (JSONElement) throws(JSONFault) -> Value
  ) throws(JSONFault) -> [Value] {
    var result: [Value] = []
    for part in try list(key) { result.append(try read(part)) }
    return result
  }

  func required(_ key: String) throws(JSONFault) -> JSONElement {
    guard let element = try element(key) else { throw fault(key, "nothing", expected: "an object") }
    return element
  }

  func texts(_ key: String) throws(JSONFault) -> [String] {
    var result: [String] = []
    for (index, value) in try values(key).enumerated() {
      guard case .text(let text) = value.content, !text.isEmpty else {
        throw fault("\(key)[\(index)]", value.kind, expected: "a text")
      }
      result.append(text)
    }
    return result
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(JSONFault) -> Double {
    guard let number = try optionalNumber(key), range.contains(number) else {
      throw fault(key, found(key), expected: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func whole(_ key: String, in range: ClosedRange<Int>) throws(JSONFault) -> Int {
    guard let number = try optionalWhole(key), range.contains(number) else {
      throw fault(
        key, found(key), expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// One of an enumeration's words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws(JSONFault) -> Choice {
    let word = try text(key)
    guard let choice = Choice(rawValue: word) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw fault(key, "\"\(word)\"", expected: "one of \(words)")
    }
    return choice
  }

  /// A text by language, in the first of which it must be there.
  func localized(_ key: String, in languages: [String]) throws(JSONFault) -> LocalizedText {
    guard let text = try optionalLocalized(key, in: languages) else {
      throw fault(key, "nothing", expected: "a text by language")
    }
    return text
  }

  func optionalLocalized(_ key: String, in languages: [String]) throws(JSONFault) -> LocalizedText? {
    guard let texts = try element(key) else { return nil }
    try texts.expectOnly(Set(languages))
    var translations: [String: String] = [:]
    for language in languages.dropFirst() { translations[language] = try texts.optionalText(language) }
    return LocalizedText(try texts.text(languages[0]), translations)
  }

  /// The value as a message shows it.
  private func found(_ key: String) -> String { json[key]?.minified ?? "nothing" }
}
