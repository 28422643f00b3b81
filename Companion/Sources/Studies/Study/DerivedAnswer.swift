import Almanac
import Questionnaires

/// An answer that follows from others, so that nobody is asked what is known. Gateways and instruments name it like a question.
public struct DerivedAnswer: Sendable, Hashable {
  /// Unique among all questions of the study.
  public var id: String
  public var kind: Kind
  /// Questions that it follows from, in the order of its kind.
  public var questions: [String]

  public init(_ id: String, _ kind: Kind, of questions: [String]) {
    (self.id, self.kind, self.questions) = (id, kind, questions)
  }

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// kg/m², of height in cm and weight in kg.
    case bodyMassIndex = "body-mass-index"
    /// Minutes by which the middle of the night is later on free days, in halves, −720…720, of the times of going to bed and getting up on working
    /// days, and the same two on free days.
    case midSleepDifference = "mid-sleep-difference"
    /// Hours from the time of going to bed to that of getting up, 0 up to 24.
    case hoursInBed = "hours-in-bed"

    /// Kind of each question.
    var operands: [Operand] {
      switch self {
      case .bodyMassIndex: [.number, .number]
      case .midSleepDifference: [.time, .time, .time, .time]
      case .hoursInBed: [.time, .time]
      }
    }
  }

  enum Operand: String { case number, time }

  /// Nil while a question that it needs has no answer, or one from which nothing follows.
  public func value(_ answers: [String: AnswerValue]) -> AnswerValue? {
    let given = questions.compactMap { answers[$0] }
    switch (kind, given.count) {
    case (.bodyMassIndex, 2):
      guard case .number(let height) = given[0], case .number(let weight) = given[1], height > 0 else {
        return nil
      }
      return .number(weight / (height / 100 * height / 100))
    case (.midSleepDifference, 4):
      let times = given.compactMap { if case .time(let time) = $0 { time } else { nil } }
      guard times.count == 4 else { return nil }
      let difference = Self.middle(times[2], times[3]) - Self.middle(times[0], times[1])
      // To the nearer side of the clock.
      return .number(difference - (difference / 1440).rounded() * 1440)
    case (.hoursInBed, 2):
      guard case .time(let bed) = given[0], case .time(let up) = given[1] else { return nil }
      return .number(Double(Self.seconds(from: bed, to: up)) / 3600)
    default: return nil
    }
  }

  /// Middle of a night, minutes after the midnight before it begins.
  private static func middle(_ bed: LocalTime, _ up: LocalTime) -> Double {
    Double(bed.seconds) / 60 + Double(seconds(from: bed, to: up)) / 120
  }

  /// Length of a night on the clock, s, 0 to 86,399.
  private static func seconds(from bed: LocalTime, to up: LocalTime) -> Int {
    (up.seconds - bed.seconds + 86_400) % 86_400
  }
}

extension Study {
  /// Answers with those that follow from them.
  public func completed(_ answers: [String: AnswerValue]) -> [String: AnswerValue] {
    derived.reduce(into: answers) { result, derived in
      if let value = derived.value(answers) { result[derived.id] = value }
    }
  }

  /// The same of all answers to each question. From several answers to one nothing follows: it is not known
  /// which counts.
  public func completed(_ answers: [String: [AnswerValue]]) -> [String: [AnswerValue]] {
    derived.reduce(into: answers) { result, derived in
      let known = derived.questions.compactMap { id -> (String, AnswerValue)? in
        guard let given = answers[id], given.count == 1 else { return nil }
        return (id, given[0])
      }
      let value = derived.value(Dictionary(known) { first, _ in first })
      if let value { result[derived.id] = [value] }
    }
  }
}
