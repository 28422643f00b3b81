import Base

extension Configuration {
  /// Greatest size of a configuration file, bytes. A full reference has about 4,000.
  package static let maximumFileSize = 1 << 20

  /// Reads the text of a configuration file.
  ///
  /// - Parameters:
  ///   - text: The file's bytes.
  ///   - file: Its path, for messages; relative paths inside it start from its folder.
  /// - Throws: ``ConfigurationError`` with every problem, not only the first; syntax errors alone come singly,
  ///   because nothing behind one can be trusted.
  package static func reading(
    _ text: [UInt8], file: String
  ) throws(ConfigurationError) -> LoadedConfiguration {
    if let problem = Self.encodingProblem(in: text) {
      throw ConfigurationError(file: file, problems: [problem])
    }
    let document: TOMLTable
    do throws(TOMLError) {
      document = try TOMLParser.document(text)
    } catch {
      let problem = ConfigurationProblem(
        line: error.line, key: "", found: "\(error.found) in column \(error.column)",
        expected: error.expected,
        hint: nil)
      throw ConfigurationError(file: file, problems: [problem])
    }
    let folder = file.contains("/") ? FilePath.folder(of: file) : nil
    var reader = ConfigurationReader(document, folder: folder)
    var configuration = Configuration()
    for setting in schema { setting.read(&reader, &configuration) }
    reader.refuseUnknown(in: document)
    reader.checkCalibration(configuration)
    if !reader.problems.isEmpty {
      // Stable: problems of one line keep the order of the schema.
      let problems = reader.problems.enumerated()
        .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
        .map(\.element)
      throw ConfigurationError(file: file, problems: problems)
    }
    return LoadedConfiguration(
      configuration: configuration, file: file, lines: reader.origins, content: text)
  }

  /// TOML is UTF-8, and a zero byte would end the text early in C.
  private static func encodingProblem(in text: [UInt8]) -> ConfigurationProblem? {
    var number = 0
    for line in text.split(separator: .newline, omittingEmptySubsequences: false) {
      number += 1
      if line.contains(0) {
        return ConfigurationProblem(
          line: number, key: "", found: "a zero byte", expected: "TOML, which is text", hint: nil)
      }
      if String(validating: line, as: UTF8.self) == nil {
        return ConfigurationProblem(
          line: number, key: "", found: "bytes that are not UTF-8", expected: "TOML, which is UTF-8",
          hint: "Save the file with UTF-8 encoding.")
      }
    }
    return nil
  }
}

extension ConfigurationReader {
  /// Notes every key that is not in the schema, with the nearest that is.
  mutating func refuseUnknown(in document: TOMLTable) {
    let keys = Set(Configuration.schema.map(\.key))
    var sections: Set<String> = []
    for section in Configuration.sections.map(\.name) {
      let parts = section.split(separator: ".")
      for count in 1...parts.count { sections.insert(parts[..<count].joined(separator: ".")) }
    }
    refuseUnknown(in: document, at: [], keys: keys, sections: sections)
  }

  private mutating func refuseUnknown(
    in table: TOMLTable, at path: [String], keys: Set<String>, sections: Set<String>
  ) {
    for name in table.keys {
      let here = path + [name]
      let dotted = here.joined(separator: ".")
      // A quoted key with a dot in it is not the dotted path it looks like.
      if !name.contains(".") {
        if keys.contains(dotted) { continue }
        if sections.contains(dotted) {
          if case .table(let inner) = table[name]?.value {
            refuseUnknown(in: inner, at: here, keys: keys, sections: sections)
          } else if let node = table[name] {
            note(
              line: node.line, dotted, found: "\(dotted) = \(Self.describe(node.value))",
              expected: "a table, [\(dotted)]", hint: nil)
          }
          continue
        }
      }
      let line = table.line(of: name)
      noteUnknown(here, line: line, in: path.joined(separator: "."), keys: keys, sections: sections)
    }
  }

  private mutating func noteUnknown(
    _ path: [String], line: Int?, in section: String, keys: Set<String>, sections: Set<String>
  ) {
    let name = path[path.count - 1]
    let prefix = section.isEmpty ? "" : section + "."
    let siblings = (keys.union(sections)).filter {
      $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains(".")
    }
    .map { String($0.dropFirst(prefix.count)) }.sorted()
    var hint = Spelling.nearest(to: name, among: siblings).map { "Did you mean \"\($0)\"?" }
    if hint == nil {
      let elsewhere = Configuration.schema.filter { $0.name == name }.map { "[\($0.section)]" }
      if !elsewhere.isEmpty { hint = "\"\(name)\" belongs in \(English.list(elsewhere, "or"))." }
    }
    let place = section.isEmpty ? "a table" : "a key of [\(section)]"
    let shown = TOMLParser.shown(path[...])
    note(
      line: line, shown, found: "the unknown key \(shown)",
      expected: "\(place): \(English.list(siblings, "or"))", hint: hint)
  }

  /// A calibration that is trusted says why: a verified one what was measured, on which device and when, a
  /// provisional one its level and where that comes from. A calibration file says it itself.
  mutating func checkCalibration(_ configuration: Configuration) {
    let ends = [
      ("microphone", configuration.calibration.microphone),
      ("earphone", configuration.calibration.earphone),
    ]
    for (name, end) in ends {
      let table = "calibration.\(name)"
      if has("\(table).file"), has("\(table).full-scale-level") {
        note(
          "\(table).file", found: "\"\(end.file ?? "")\" beside \(table).full-scale-level",
          expected: "one of the two", hint: nil)
      }
      var missing: [String] = []
      if !has("\(table).file"), !has("\(table).full-scale-level") { missing.append("full-scale-level") }
      switch end.status {
      case .none: continue
      case .verified:
        if !has("\(table).device") { missing.append("device") }
        if !has("\(table).date") { missing.append("date") }
        guard !missing.isEmpty else { continue }
        note(
          "\(table).status", found: "\"verified\" without \(English.list(missing, "and"))",
          expected: "what was measured, on which device and when",
          hint: "Add \(English.list(missing, "and")), or write \"provisional\" and the level's source.")
      case .provisional:
        let isSourceSaid = (end.source ?? "").contains { $0.isLetter || $0.isNumber }
        if !has("\(table).file"), !isSourceSaid { missing.append("source") }
        guard !missing.isEmpty else { continue }
        note(
          "\(table).status", found: "\"provisional\" without \(English.list(missing, "and"))",
          expected: "a level and where it comes from",
          hint:
            "Add \(English.list(missing, "and")), such as \(Self.sourceExample(name)), or write \"none\": "
            + "gain is then held to 20 dB.")
      }
    }
  }

  private static func sourceExample(_ end: String) -> String {
    end == "microphone"
      ? "full-scale-level = 120 and source = \"data sheet, -26 dB FS at 94 dB SPL\""
      : "full-scale-level = 111 and source = \"data sheet, 111 dB SPL at 0 dB FS\""
  }
}
