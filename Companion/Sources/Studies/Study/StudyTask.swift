/// Something that is due in a study again and again, by its schedule.
public struct StudyTask: Sendable, Hashable {
  /// Its name within the study.
  public var id: String
  public var work: Work
  public var schedule: StudySchedule
  /// Minutes that it takes.
  public var minutes: Double
  /// ``DataType/id`` of what it gives.
  public var dataType: String
  /// ``Pillar/id``; nil where its modules or nothing have one.
  public var pillar: String?

  public init(
    _ id: String, _ work: Work, _ schedule: StudySchedule, minutes: Double, dataType: String,
    pillar: String? = nil
  ) {
    (self.id, self.work, self.schedule) = (id, work, schedule)
    (self.minutes, self.dataType, self.pillar) = (minutes, dataType, pillar)
  }

  public enum Work: Sendable, Hashable {
    /// Answers to ``QuestionnaireFile/id``.
    case questionnaire(String)
    /// Modules of the study's day: fixed ones, and those that fill it.
    case modulesOfDay
    /// A measurement of a registered kind, with its settings by name.
    case measurement(TaskKind.Key, settings: [String: Double])
  }
}

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

    public init(_ name: String, _ range: ClosedRange<Double>) { (self.name, self.range) = (name, range) }
  }

  public let key: Key
  public let settings: [Setting]

  public init(_ key: Key, settings: [Setting]) { (self.key, self.settings) = (key, settings) }
}

/// Kinds of measurements that this program knows. Further ones are added by whoever can do them; a test has its own.
public struct TaskRegistry: Sendable {
  private var kinds: [TaskKind.Key: TaskKind] = [:]

  public init(_ kinds: [TaskKind] = [.loudnessMatch]) {
    for kind in kinds { self.kinds[kind.key] = kind }
  }

  public mutating func add(_ kind: TaskKind) { kinds[kind.key] = kind }

  public subscript(key: TaskKind.Key) -> TaskKind? { kinds[key] }

  /// Keys in the order of their names.
  public var keys: [TaskKind.Key] { kinds.keys.sorted { ($0.name, $0.version) < ($1.name, $1.version) } }
}

extension TaskKind {
  /// Loudness of tinnitus, matched with a tone (../shared/facts/tinnitus-study.md, sections 1 and 2); ranges of the settings: own choice.
  public static let loudnessMatch = TaskKind(
    Key("loudness-match", version: 1),
    settings: [
      Setting("frequency-hz", 125...16_000), Setting("trials", 1...20),
      Setting("audiogram-days", 1...3650), Setting("quiet-below-dba", 20...70),
      Setting("quiet-windows", 1...60), Setting("allows-relative-level", 0...1),
    ])
}
