import Foundation
import Questionnaires
import Testing

@testable import Companion

@Suite("Asked on a terminal") struct QuestionerTests {
  @Test("in the person's language, with what may be typed; what is no answer is said and asked again")
  func asked() throws {
    try Sitting.with(Sitting.sleep) { sitting in
      let (ending, said) = try sitting.type("perhaps", "ja", "25", "7,5", "much too long", "-")
      #expect(ending == .completed && sitting.response.completed != nil)
      #expect(said.contains("Haben Sie geschlafen?") && said.contains("Good morning."))
      #expect(said.contains("Found \"perhaps\"; expected yes or no."))
      #expect(
        said.contains("expected a number from 0 to 24 in steps of 0.5 h")
          && said.contains("at most 10 letters"))
      #expect(sitting.response.sheet[AnswerKey("hours")] == .number(7.5))
    }
  }

  @Test("stopped in the middle, by q or by the end of the lines, it goes on with the question that waits")
  func stopped() throws {
    try Sitting.with(Sitting.sleep) { sitting in
      let (ending, _) = try sitting.type("yes", "q")
      #expect(ending == .stopped && sitting.response.sheet.answers.count == 1)
      let (again, said) = try sitting.type("8")
      #expect(again == .stopped && !said.contains("geschlafen") && !said.contains("Good morning"))
      #expect(sitting.response.sheet.answers.count == 2)
    }
  }

  @Test("back to a question shows its answer, Enter keeps it, another answer changes what follows")
  func back() throws {
    try Sitting.with(Sitting.sleep) { sitting in
      let (ending, said) = try sitting.type("yes", "8", "<", "", "<", "<", "no", "-")
      #expect(
        ending == .completed && said.contains("now: 8 h (Enter keeps it)") && said.contains("now: yes"))
      #expect(sitting.response.sheet[AnswerKey("slept")] == .yes(false))
      #expect(sitting.response.display.submitted.map(\.key.item) == ["slept"])
    }
  }

  @Test("a required question is neither skipped nor passed by Enter; help is told where there is some")
  func required() throws {
    let items = [
      Item("a", "A?", .scale(NumberRange(0, 10, step: 1)), isRequired: true, help: "From none to most.")
    ]
    try Sitting.with(items) { sitting in
      let (ending, said) = try sitting.type("-", "", "?", "10")
      #expect(ending == .completed && said.contains("From none to most."))
      #expect(said.components(separatedBy: "This question needs an answer.").count == 3)
    }
  }

  @Test(
    "choices by their numbers or codes, with words of one's own behind =; a group once more as often as wanted"
  )
  func choices() throws {
    let items = [
      Item(
        "naps", "Nap", .group(repeats: 2),
        items: [
          Item(
            "why", "Why?", .multiple([Option("t", "Tired"), Option("b", "Bored")], other: true),
            isRequired: true)
        ]),
      Item("one", "One?", .single([Option("x", "X"), Option("y", "Y")], other: false), isRequired: true),
    ]
    try Sitting.with(items) { sitting in
      let (ending, said) = try sitting.type("1,b = hot, too", "maybe", "yes", "= own", "3", "Y")
      #expect(ending == .completed && said.contains("Found \"maybe\"; expected yes or no."))
      let sheet = sitting.response.sheet
      #expect(sheet[AnswerKey("why", [0])] == .choices(["t", "b"], other: "hot, too"))
      #expect(sheet[AnswerKey("why", [1])] == .choices([], other: "own"))
      #expect(sheet[AnswerKey("one")] == .choice("y"))
    }
  }
}
