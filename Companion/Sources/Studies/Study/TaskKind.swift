/// Kind of a measurement that a program can do.
///
/// A study names it by its key, and states each setting: there is no hidden default.
public struct TaskKind: Sendable, Hashable {
  /// Name and version, such as `loudness-match` 1.
  public struct Key: Sendable, Hashable, CustomStringConvertible {
    public let name: String
    public let version: Int

    public init(_ name: String, version: Int) { (self.name, self.version) = (name, version) }

    public var description: String { "\(name) \(version)" }
  }

  /// A number that the study states.
  public struct Setting: Sendable, Hashable {
    public let name: String
    public let range: ClosedRange<Double>
    /// True of a number of things, and of what is on (1) or off (0).
    public let isWhole: Bool
    /// Numbers with which the aid's own command measures; others are a study's to state, and nobody's here to do.
    public let doable: ClosedRange<Double>

    public init(
      _ name: String, _ range: ClosedRange<Double>, doable: ClosedRange<Double>? = nil,
      isWhole: Bool = false
    ) {
      (self.name, self.range, self.doable, self.isWhole) = (name, range, doable ?? range, isWhole)
    }

    /// True for a number that a study may state.
    public func takes(_ number: Double) -> Bool {
      range.contains(number) && (!isWhole || number.rounded() == number)
    }
  }

  /// A number of the result.
  public struct Figure: Sendable, Hashable {
    /// As in the data set; `N` stands for a whole number.
    public let name: String
    /// "dB HL", "Hz"; empty of a flag, 0 or 1, and of a number of things.
    public let unit: String
    public let meaning: String

    public init(_ name: String, _ unit: String, _ meaning: String) {
      (self.name, self.unit, self.meaning) = (name, unit, meaning)
    }
  }

  public let key: Key
  public let settings: [Setting]
  public let figures: [Figure]

  public init(_ key: Key, settings: [Setting], figures: [Figure] = []) {
    (self.key, self.settings, self.figures) = (key, settings, figures)
  }
}

/// Kinds of measurements that this program knows. Further ones are added by whoever can do them; a test has its own.
public struct TaskRegistry: Sendable {
  private var kinds: [TaskKind.Key: TaskKind] = [:]

  public init(_ kinds: [TaskKind] = [.hearingTest, .loudnessMatch, .pitchMatch]) {
    for kind in kinds { self.kinds[kind.key] = kind }
  }

  public mutating func add(_ kind: TaskKind) { kinds[kind.key] = kind }

  public subscript(key: TaskKind.Key) -> TaskKind? { kinds[key] }

  /// Keys in the order of their names.
  public var keys: [TaskKind.Key] { kinds.keys.sorted { ($0.name, $0.version) < ($1.name, $1.version) } }
}

/// Ranges of the settings: own choice. The aid counts thresholds of 180 days at most, and waits for five quiet windows (docs/procedures.md).
extension TaskKind {
  /// 1 where the room may be listened to by a microphone without a calibration, whose level is a relative one; 0: not.
  static let allowsRelativeLevel = "allows-relative-level"

  private static let quiet = [
    Setting("quiet-below-dba", 20...70), Setting("quiet-windows", 1...60, doable: 5...5, isWhole: true),
    Setting(allowsRelativeLevel, 0...1, isWhole: true),
  ]
  private static let thresholdAge = Setting("audiogram-days", 1...3650, doable: 180...3650, isWhole: true)

  /// Loudness of tinnitus, matched with a tone, after the tinnitus study (docs/sources.md).
  public static let loudnessMatch = TaskKind(
    Key("loudness-match", version: 1),
    settings: [
      Setting("frequency-hz", 125...16_000), Setting("trials", 1...20, isWhole: true), thresholdAge,
    ] + quiet,
    figures: [
      Figure("frequency", "Hz", "of the tone"),
      Figure("threshold", "dB HL", "of the ear at that frequency"),
      Figure("level", "dB HL", "median of the trials"),
      Figure("sensation_level", "dB SL", "the same above the threshold"),
      Figure("deviation", "dB", "standard deviation of the trials; missing of one trial"),
      Figure("scattered", "", "1: trials lie more than 10 dB apart"),
      Figure("at_limit", "", "1: a trial lies at the end of what may be played"),
      Figure(
        "not_turned", "",
        "1: most trials ended at their first tone, which proves nothing; missing: not told"
      ),
      Figure(
        "threshold_or_below", "",
        "1: the threshold lies at threshold or below, so that sensation_level is a lower bound; missing: not told"
      ),
      Figure(
        "threshold_in_doubt", "", "1: a doubt of the hearing test is about the threshold; missing: not told"
      ),
      Figure("trial_N", "dB HL", "a trial"),
    ])

  /// Pitch of tinnitus, found by comparing tones.
  public static let pitchMatch = TaskKind(
    Key("pitch-match", version: 1), settings: [thresholdAge] + quiet,
    figures: [
      Figure("frequency", "Hz", "pitch of the tinnitus"),
      Figure("compared_frequency", "Hz", "the same before octaves were compared"),
      Figure("octave_confused", "", "1: an octave above or below was chosen once or more often"),
      Figure(
        "at_edge", "",
        "1: the pitch lies at an end of the tones, so that the true one may lie beyond; missing: not told"),
      uncompared("below"), uncompared("above"),
    ])

  private static func uncompared(_ octave: String) -> Figure {
    Figure(
      "octave_\(octave)_uncompared", "",
      "1: the octave \(octave) compared_frequency lies outside the tones, and was not compared; missing: not told"
    )
  }

  /// Thresholds of both ears at the frequencies of a usual test.
  public static let hearingTest = TaskKind(
    Key("hearing-test", version: 1), settings: [Setting("bayesian", 0...1, isWhole: true)] + quiet,
    figures: thresholds(of: "right") + thresholds(of: "left") + [
      Figure("doubts", "", "reasons for which the result is not to be relied on")
    ])

  /// Numbers of an ear at a frequency. Results that earlier versions kept have thresholds alone.
  private static func thresholds(of ear: String) -> [Figure] {
    let (name, other) = ("\(ear)_N_hz", ear == "right" ? "left" : "right")
    return [
      Figure(
        name, "dB HL",
        "threshold of the \(ear) ear; missing: none was found, and \(name)_no_response_up_to, "
          + "\(name)_contradictory or \(name)_not_tested tells why, where it was kept"),
      Figure(
        name + "_or_below", "",
        "1: the softest tone of the device was heard, so that the threshold lies at \(name) or below; "
          + "0: it was found; missing: not kept"),
      Figure(
        name + "_insufficiently_masked", "",
        "1: no noise that may be played kept the \(other) ear from hearing the tone, so that \(name) may "
          + "be the \(other) ear's; missing: masked enough, no noise needed, or kept by an earlier version"),
      Figure(
        name + "_no_response_up_to", "dB HL",
        "loudest tone that was played, and not heard: the threshold lies above"),
      Figure(
        name + "_contradictory", "",
        "1: answers contradicted each other; a threshold beside it comes of another search"),
      Figure(
        name + "_not_tested", "",
        "1: the calibration or a limit lets no tone through; not kept of a result from the aid's history"),
    ]
  }

  /// The figure of a name in a data set; nil for one that results of this kind have not.
  public func figure(_ name: String) -> Figure? {
    figures.first { $0.name == name || $0.name == Self.pattern(of: name) }
  }

  /// The name with its number replaced.
  private static func pattern(of name: String) -> String {
    let isNumber = { (part: Substring) in !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) } }
    return name.split(separator: "_", omittingEmptySubsequences: false).map { isNumber($0) ? "N" : $0 }
      .joined(separator: "_")
  }
}
