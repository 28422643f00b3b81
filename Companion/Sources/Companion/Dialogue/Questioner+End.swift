import Base
import Questionnaires

extension Questioner {
  /// Decision of a person who has answered everything.
  enum Decision: Sendable, Hashable {
    /// Answers are not changed any more.
    case complete
    case goBack
    /// It waits to be completed.
    case stop
  }

  /// Asks before answers can no longer be changed: the last one may be mistyped as any other. Lines of a file
  /// go on, and so does a questionnaire that only tells something.
  func decision(at display: Display, _ walk: Walk) throws(Failure) -> Decision {
    guard person.isPresent, walk.former(in: display) != nil else { return .complete }
    while let line = try person.ask(
      "\nEverything is answered or left out. [Enter completes it, < goes back, q stops] > ")
    {
      switch line.trimmingSpaces {
      case "": return .complete
      case "<": return .goBack
      case "q": return .stop
      case let text: person.say("Found \"\(text)\"; expected Enter, < or q.\n")
      }
    }
    return .stop
  }
}
