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

  /// What people call it; may be empty.
  public var name: String

  public var ears: Binaural<Audiogram>

  public init(name: String = "", ears: Binaural<Audiogram>) {
    self.name = name
    self.ears = ears
  }
}
