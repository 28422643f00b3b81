import Base

/// Both ears' audiograms as kept in a JSON file.
///
/// ```json
/// {
///   "format": "auricle-audiogram",
///   "version": 1,
///   "name": "J. D., March",
///   "left": {
///     "air": { "250": 35, "1000": 40, "4000": { "threshold": 110, "response": false } },
///     "air-masked": { "2000": 55 },
///     "bone": { "1000": 35 }
///   },
///   "right": {}
/// }
/// ```
///
/// `format`, `version`, `left` and `right` must be there; an ear that was not tested is `{}`. An ear holds
/// up to four groups, `air`, `air-masked`, `bone`, `bone-masked`, of thresholds in dB HL by frequency in
/// Hz. A number is a threshold; an object with `threshold` and `response` says with `"response": false`
/// that the loudest tone presented, `threshold`, went unheard. Frequencies that were not tested are left
/// out. Unknown keys are errors.
public struct AudiogramFile: Sendable, Equatable {
  /// Value of `format`.
  public static let format = "auricle-audiogram"

  /// Value of `version`.
  public static let version = 1

  /// Name for people; may be empty.
  public var name: String

  /// Thresholds of both ears.
  public var ears: Binaural<Audiogram>

  /// Creates the content of a file.
  public init(name: String = "", ears: Binaural<Audiogram>) { (self.name, self.ears) = (name, ears) }
}

extension AudiogramFile {
  /// The text of the file, ending with a newline; reading it gives the same audiograms.
  public var text: String {
    var lines = [
      "{", "  \"format\": \(JSONValue.text(Self.format).minified),", "  \"version\": \(Self.version),",
    ]
    if !name.isEmpty { lines.append("  \"name\": \(JSONValue.text(name).minified),") }
    lines.append("  \"left\": \(Self.text(of: ears.left)),")
    lines.append("  \"right\": \(Self.text(of: ears.right))")
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(of ear: Audiogram) -> String {
    let groups = Group.all.compactMap { group -> String? in
      let points = ear.points.filter { ($0.conduction, $0.isMasked) == (group.conduction, group.isMasked) }
      guard !points.isEmpty else { return nil }
      let rows = points.map { point in
        let level = JSONValue.number(point.threshold.decibels).minified
        let value = point.hasResponse ? level : "{ \"threshold\": \(level), \"response\": false }"
        return "      \"\(JSONValue.number(point.frequency).minified)\": \(value)"
      }
      return "    \"\(group.key)\": {\n\(rows.joined(separator: ",\n"))\n    }"
    }
    return groups.isEmpty ? "{}" : "{\n\(groups.joined(separator: ",\n"))\n  }"
  }
}

extension AudiogramFile {
  /// A group of points in an ear's object.
  struct Group {
    let conduction: Conduction
    let isMasked: Bool
    var key: String { conduction.rawValue + (isMasked ? "-masked" : "") }

    static let all = Conduction.allCases.flatMap { conduction in
      [false, true].map { Group(conduction: conduction, isMasked: $0) }
    }
  }

  /// Reads the text of a file.
  ///
  /// - Throws: ``AcousticsError`` with the line of the first thing that is wrong.
  public init(parsing text: String) throws(AcousticsError) {
    let root: JSONValue
    do { root = try JSONValue(Array(text.utf8)) } catch { throw Self.notJSON(error) }
    guard case .object = root.content, root["format"] == .text(Self.format) else {
      throw AcousticsError(
        "not an audiogram", expected: "\"format\": \"\(Self.format)\"",
        kind: "something that is not an audiogram")
    }
    let members = try Self.members(
      of: root, named: "file", allowed: ["format", "version", "name", "left", "right"])
    guard let version = members["version"] else { throw Self.missing("version") }
    guard case .number(let number) = version.content else {
      throw Self.wrongKind("version", version, expected: "the number \(Self.version)")
    }
    guard number == Double(Self.version) else {
      throw AcousticsError(
        "version \(number.shortText)", expected: "\(Self.version)", kind: "an unknown version",
        line: version.position.line)
    }
    name = ""
    if let given = members["name"] {
      guard case .text(let text) = given.content else {
        throw Self.wrongKind("name", given, expected: "a text")
      }
      name = text
    }
    ears = try Binaural { ear throws(AcousticsError) in try Self.ear(ear, in: members) }
  }

  private static func notJSON(_ error: JSONError) -> AcousticsError {
    if error.kind == .repeatedKey {
      return AcousticsError(error.words, kind: "a key given twice", line: error.position.line)
    }
    return AcousticsError(
      "not JSON: \(error.words)", kind: "a text that is not JSON", line: error.position.line)
  }

  private static func missing(_ key: String) -> AcousticsError {
    AcousticsError(
      "no \"\(key)\"",
      expected: Ear(rawValue: key).map { _ in "both ears, {} for one that was not tested" },
      kind: "no \"\(key)\"")
  }

  private static func ear(_ ear: Ear, in file: [String: JSONValue]) throws(AcousticsError) -> Audiogram {
    guard let object = file[ear.rawValue] else { throw missing(ear.rawValue) }
    let groups = try members(of: object, named: ear.rawValue, allowed: Group.all.map(\.key))
    var points: [Audiogram.Point] = []
    for group in Group.all {
      guard let thresholds = groups[group.key] else { continue }
      guard case .object(let members) = thresholds.content else {
        throw wrongKind(group.key, thresholds, expected: "an object of thresholds by frequency")
      }
      for member in members {
        points.append(try point(member, group: group, ear: ear))
        // Checked one by one, so that the line is that of the bad point.
        do { _ = try Audiogram(points: points) } catch {
          throw error.of(ear).at(line: member.position.line)
        }
      }
    }
    return Audiogram(checked: points)
  }

  private static func point(
    _ member: JSONValue.Member, group: Group, ear: Ear
  ) throws(AcousticsError) -> Audiogram.Point {
    guard let frequency = Double(member.key) else {
      throw AcousticsError(
        "\(ear) ear, \"\(member.key)\" as a frequency", expected: "Hz, as \"1000\"",
        kind: "a key that is no frequency", line: member.position.line)
    }
    var threshold = member.value
    var hasResponse = true
    if case .object = member.value.content {
      let fields = try members(of: member.value, named: member.key, allowed: ["threshold", "response"])
      guard let given = fields["threshold"] else {
        throw missing("threshold").at(line: member.position.line)
      }
      threshold = given
      if let response = fields["response"] {
        guard case .boolean(let answer) = response.content else {
          throw wrongKind("response", response, expected: "true or false")
        }
        hasResponse = answer
      }
    }
    guard case .number(let level) = threshold.content else {
      throw wrongKind(
        member.key, threshold, expected: "dB HL, or an object with \"threshold\" and \"response\"")
    }
    return Audiogram.Point(
      frequency: frequency, threshold: HearingLevel(level), conduction: group.conduction,
      isMasked: group.isMasked, hasResponse: hasResponse)
  }

  /// The members of an object, each key allowed.
  private static func members(
    of object: JSONValue, named name: String, allowed: [String]
  ) throws(AcousticsError) -> [String: JSONValue] {
    guard case .object(let members) = object.content else {
      throw wrongKind(name, object, expected: "an object")
    }
    var result: [String: JSONValue] = [:]
    for member in members {
      guard allowed.contains(member.key) else {
        let nearest = Spelling.nearest(to: member.key, among: allowed)
        throw AcousticsError(
          "unknown key \"\(member.key)\"" + (nearest.map { ": did you mean \"\($0)\"?" } ?? ""),
          kind: "an unknown key", line: member.position.line)
      }
      result[member.key] = member.value
    }
    return result
  }

  private static func wrongKind(_ key: String, _ value: JSONValue, expected: String) -> AcousticsError {
    AcousticsError(
      "\(value.kind) as \"\(key)\"", expected: expected, kind: "a value of another kind than expected",
      line: value.position.line)
  }
}
