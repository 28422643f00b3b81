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
  public init(name: String = "", ears: Binaural<Audiogram>) {
    self.name = name
    self.ears = ears
  }
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
    let groups = Group.allCases.compactMap { group -> String? in
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
