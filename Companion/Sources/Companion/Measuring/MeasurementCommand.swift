import Base
import Studies

/// The aid's command that does a measurement.
public enum MeasurementCommand {
  /// Name for people; the kind's own for one that is not known here.
  public static func title(of kind: TaskKind.Key) -> String {
    switch kind {
    case TaskKind.hearingTest.key: "hearing test"
    case TaskKind.loudnessMatch.key: "loudness of your tinnitus"
    case TaskKind.pitchMatch.key: "pitch of your tinnitus"
    default: "\(kind)"
    }
  }

  /// Words of the command, without options; nil for a kind that the aid does not measure.
  static func verb(of kind: TaskKind.Key) -> [String]? {
    switch kind {
    case TaskKind.hearingTest.key: ["hearing-test"]
    case TaskKind.loudnessMatch.key: ["match", "loudness"]
    case TaskKind.pitchMatch.key: ["match", "pitch"]
    default: nil
    }
  }

  /// Procedure of the aid's records.
  static func procedure(of kind: TaskKind.Key) -> String? { verb(of: kind)?.last }

  /// Reason why the aid does not measure with these settings; nil where it does.
  static func obstacle(to kind: TaskKind.Key, _ settings: [String: Double]) -> String? {
    guard verb(of: kind) != nil, let known = TaskRegistry()[kind] else {
      return "no program here measures \(kind)"
    }
    for setting in known.settings {
      guard let value = settings[setting.name] else { return "the study does not state \(setting.name)" }
      guard setting.takes(value), setting.doable.contains(value) else {
        return
          "the study asks for \(setting.name) \(NumberText.exact(value)), with which the aid does not measure"
      }
    }
    return nil
  }

  /// Arguments of a measurement that begins, behind the program's name.
  static func arguments(
    _ kind: TaskKind.Key, _ settings: [String: Double], _ side: TinnitusSide?
  ) -> [String] {
    func option(_ option: String, _ name: String) -> [String] {
      settings[name].map { [option, NumberText.exact($0)] } ?? []
    }
    var words = verb(of: kind) ?? []
    switch kind {
    case TaskKind.hearingTest.key:
      words += ["--method", settings["bayesian"] == 1 ? "bayesian" : "hughson-westlake"]
    case TaskKind.loudnessMatch.key:
      words += option("--frequency", "frequency-hz") + option("--trials", "trials")
    default: break
    }
    return words + (side?.options ?? []) + option("--room", "quiet-below-dba") + ["--json"]
  }
}

/// The side on which somebody hears their tinnitus, and the ear that hears the tones of a match.
public struct TinnitusSide: Sendable, Hashable {
  /// left, right, both or head, as the aid has them.
  let side: String
  /// Nil: the one opposite.
  let ear: String?

  static let sides = ["left", "right", "both", "head"]
  static let ears = ["left", "right"]

  var options: [String] { ["--tinnitus", side] + (ear.map { ["--ear", $0] } ?? []) }
  /// True where an ear must be named.
  static func needsEar(_ side: String) -> Bool { side == "both" || side == "head" }
}
