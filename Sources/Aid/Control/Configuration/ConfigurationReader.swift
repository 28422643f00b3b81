import Base

/// Reads values of a parsed document one by one, and collects every problem.
struct ConfigurationReader {
  /// One thing wrong in a configuration file.
  struct Problem {
    /// Line, from 1; nil when the problem has no place in the file.
    let line: Int?
    /// The key with its value, `device.period = 8 frames`.
    let found: String
    let expected: String
    /// Value that was probably meant.
    var hint: String?

    func failure(_ subject: String, exit: ExitStatus) -> Failure {
      Failure(subject, found: found, expected: expected, remedy: hint, exit: exit)
    }
  }

  private let document: TOMLTable
  /// Folder that relative paths start from; nil: the working directory.
  let folder: String?
  /// Everything wrong so far.
  private(set) var problems: [Problem] = []
  /// Keys that the document sets, with their lines.
  private(set) var origins: [String: Int] = [:]

  init(_ document: TOMLTable, folder: String?) {
    self.document = document
    self.folder = folder
  }

  /// The value of a dotted key; nil when the document does not set it.
  mutating func node(at key: String) -> TOMLValue? {
    let path = key.split(separator: ".").map(String.init)
    var table = document
    for component in path.dropLast() {
      guard case .table(let next) = table[component]?.value else { return nil }
      table = next
    }
    guard let name = path.last, let node = table[name] else { return nil }
    origins[key] = table.line(of: name)
    return node.value
  }

  /// Notes a problem with `key`, or with the element of its array on `line`.
  mutating func note(_ key: String, line: Int? = nil, found: String, expected: String, hint: String? = nil)
  {
    problems.append(
      Problem(line: line ?? origins[key], found: "\(key) = \(found)", expected: expected, hint: hint))
  }

  // MARK: - Unknown keys

  private static let keys = Set(Configuration.schema.map(\.key))

  /// Dotted paths of all tables, with those that only hold others.
  private static let tables = Set(
    Configuration.sections.flatMap { section in
      let parts = section.name.split(separator: ".")
      return parts.indices.map { parts[...$0].joined(separator: ".") }
    })

  /// Notes every key that is not in the schema, with the nearest that is.
  mutating func refuseUnknown() { refuseUnknown(in: document, at: []) }

  private mutating func refuseUnknown(in table: TOMLTable, at path: [String]) {
    for name in table.keys {
      let here = path + [name]
      let dotted = here.joined(separator: ".")
      // A quoted key with a dot in it is not the dotted path it looks like.
      if name.contains(".") || !Self.keys.contains(dotted) && !Self.tables.contains(dotted) {
        noteUnknown(here, line: table.line(of: name), in: path.joined(separator: "."))
      } else if Self.tables.contains(dotted), let node = table[name] {
        if case .table(let inner) = node.value {
          refuseUnknown(in: inner, at: here)
        } else {
          note(dotted, line: node.line, found: node.value.shown(), expected: "a table, [\(dotted)]")
        }
      }
    }
  }

  private mutating func noteUnknown(_ path: [String], line: Int?, in section: String) {
    let name = path[path.count - 1]
    let prefix = section.isEmpty ? "" : section + "."
    let siblings = Self.keys.union(Self.tables).filter { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count))
    }.filter { !$0.contains(".") }.sorted()
    var hint = Spelling.nearest(to: name, among: siblings).map { "Did you mean \"\($0)\"?" }
    if hint == nil {
      let elsewhere = Configuration.schema.filter { $0.name == name }.map { "[\($0.section)]" }
      if !elsewhere.isEmpty { hint = "\"\(name)\" belongs in \(English.list(elsewhere, "or"))." }
    }
    let place = section.isEmpty ? "a table" : "a key of [\(section)]"
    problems.append(
      Problem(
        line: line, found: "the unknown key \(TOMLParser.shown(path[...]))",
        expected: "\(place): \(English.list(siblings, "or"))", hint: hint))
  }

  // MARK: - Calibration

  /// A calibration that is trusted says why: a verified one what was measured, on which device and when, a
  /// provisional one its level and where that comes from. A calibration file says it itself.
  mutating func checkCalibration(_ calibration: Configuration.Calibration) {
    for name in Configuration.End.allCases {
      let end = calibration[name]
      let table = "calibration.\(name.rawValue)"
      func lacks(_ key: String) -> Bool { origins["\(table).\(key)"] == nil }
      if !lacks("file"), !lacks("full-scale-level") {
        note(
          "\(table).file", found: "\"\(end.file ?? "")\" beside \(table).full-scale-level",
          expected: "one of the two")
      }
      if let profile = end.profile, let other = ["file", "full-scale-level"].first(where: { !lacks($0) }) {
        note(
          "\(table).profile", found: "\"\(profile)\" beside \(table).\(other)", expected: "one of the two")
      }
      let isGiven = !lacks("file") || !lacks("profile")
      var missing = !isGiven && lacks("full-scale-level") ? ["full-scale-level"] : []
      let expected: String
      let remedy: String
      switch end.status {
      case .none: continue
      case .verified:
        missing += lacks("profile") ? ["device", "date"].filter(lacks) : []
        expected = "what was measured, on which device and when"
        remedy = "or write \"provisional\" and the level's source."
      case .provisional:
        let isSourceSaid = (end.source ?? "").contains { $0.isLetter || $0.isNumber }
        if !isGiven, !isSourceSaid { missing.append("source") }
        expected = "a level and where it comes from"
        let example =
          name == .microphone
          ? "full-scale-level = 120 and source = \"data sheet, -26 dB FS at 94 dB SPL\""
          : "full-scale-level = 111 and source = \"data sheet, 111 dB SPL at 0 dB FS\""
        remedy = "such as \(example), or write \"none\": gain is then held to 20 dB."
      }
      guard !missing.isEmpty else { continue }
      let words = English.list(missing, "and")
      note(
        "\(table).status", found: "\"\(end.status.rawValue)\" without \(words)", expected: expected,
        hint: "Add \(words), \(remedy)")
    }
  }

  // MARK: - Text

  /// TOML is UTF-8, and a zero byte would end the text early in C.
  static func encodingProblem(in text: [UInt8]) -> Problem? {
    for (index, line) in text.split(separator: .newline, omittingEmptySubsequences: false).enumerated() {
      if line.contains(0) {
        return Problem(line: index + 1, found: "a zero byte", expected: "TOML, which is text")
      }
      if String(validating: line, as: UTF8.self) == nil {
        return Problem(
          line: index + 1, found: "bytes that are not UTF-8", expected: "TOML, which is UTF-8",
          hint: "Save the file with UTF-8 encoding.")
      }
    }
    return nil
  }
}
