import Questionnaires

/// Questions that belong together, asked on one day as a whole.
public struct StudyModule: Sendable, Hashable {
  public var id: String
  public var title: LocalizedText
  /// ``QuestionnaireFile/id``.
  public var questionnaire: String
  /// ``Pillar/id`` of its questions.
  public var pillar: String
  public var tier: Tier
  /// Minutes that it takes.
  public var minutes: Double
  /// Lower comes first when days are filled.
  public var priority: Int
  /// ``StudyModule/id`` that takes its place where its instrument may not be asked.
  public var substitute: String?

  public init(
    _ id: String, _ title: LocalizedText, questionnaire: String, pillar: String, _ tier: Tier,
    minutes: Double,
    priority: Int, substitute: String? = nil
  ) {
    (self.id, self.title, self.questionnaire, self.pillar) = (id, title, questionnaire, pillar)
    (self.tier, self.minutes, self.priority, self.substitute) = (tier, minutes, priority, substitute)
  }

  /// Never shown to participants.
  public enum Tier: String, Sendable, Hashable, CaseIterable {
    /// Asked of everybody.
    case core
    /// Asked of everybody, and its answers open gateways.
    case gateway
    /// Asked when a gateway is open.
    case expansion
  }

  /// As ``DayPlan`` takes it.
  public var module: Module { Module(id, minutes: minutes, priority: priority) }
}

/// Part of health to which questions belong.
public struct Pillar: Sendable, Hashable {
  public var id: String
  public var title: LocalizedText
  /// Such as "#2e5c8a".
  public var colour: String

  public init(_ id: String, _ title: LocalizedText, colour: String) {
    (self.id, self.title, self.colour) = (id, title, colour)
  }
}

/// A day with fixed modules.
public struct StudyDay: Sendable, Hashable {
  /// From 1.
  public var number: Int
  public var title: LocalizedText
  public var summary: LocalizedText
  /// Minutes as people are told, what is asked every day included.
  public var minutes: Double
  /// ``StudyModule/id``, in their order.
  public var modules: [String]

  public init(
    _ number: Int, _ title: LocalizedText, _ summary: LocalizedText, minutes: Double, modules: [String]
  ) {
    (self.number, self.title, self.summary) = (number, title, summary)
    (self.minutes, self.modules) = (minutes, modules)
  }
}

/// Days that modules of open gateways fill.
public struct Filling: Sendable, Hashable {
  /// From 1.
  public var days: ClosedRange<Int>
  /// Minutes of a day, what is asked every day included.
  public var mostMinutes: Double
  public var title: LocalizedText
  public var summary: LocalizedText

  public init(_ days: ClosedRange<Int>, mostMinutes: Double, title: LocalizedText, summary: LocalizedText) {
    (self.days, self.mostMinutes, self.title, self.summary) = (days, mostMinutes, title, summary)
  }
}
