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
  /// Of a measurement: true where the study's questions that are open are answered before it, whatever the
  /// person prefers. False: the person may measure first.
  public var isAfterQuestions: Bool

  public init(
    _ id: String, _ work: Work, _ schedule: StudySchedule, minutes: Double, dataType: String,
    pillar: String? = nil, isAfterQuestions: Bool = false
  ) {
    (self.id, self.work, self.schedule) = (id, work, schedule)
    (self.minutes, self.dataType, self.pillar) = (minutes, dataType, pillar)
    self.isAfterQuestions = isAfterQuestions
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

extension StudyTask {
  /// Kind and settings of a measurement; nil for all other work.
  public var measurement: (kind: TaskKind.Key, settings: [String: Double])? {
    if case .measurement(let kind, let settings) = work { (kind, settings) } else { nil }
  }
}
