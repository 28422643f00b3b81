import Foundation
import Questionnaires
import Studies
import Testing

@testable import Companion

@Suite("Asked on a terminal") struct QuestionerTests {
  @Test("in the person's language, with what may be typed; what is no answer is said and asked again")
  func asked() throws {
    try Sitting.with(Sitting.sleep) { sitting in
      let (ending, said) = try sitting.type("perhaps", "ja", "25", "7,5", "much too long", "-", "")
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
      let (ending, said) = try sitting.type("yes", "8", "<", "", "<", "<", "no", "-", "")
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
      let (ending, said) = try sitting.type("-", "", "?", "10", "")
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
      let (ending, said) = try sitting.type("1,b = hot, too", "maybe", "yes", "= own", "3", "Y", "")
      #expect(ending == .completed && said.contains("Found \"maybe\"; expected yes or no."))
      let sheet = sitting.response.sheet
      #expect(sheet[AnswerKey("why", [0])] == .choices(["t", "b"], other: "hot, too"))
      #expect(sheet[AnswerKey("why", [1])] == .choices([], other: "own"))
      #expect(sheet[AnswerKey("one")] == .choice("y"))
    }
  }

  @Test(
    "the last answer is corrected as any other: what is answered is completed by Enter alone, and < goes back, also where there is one question",
    arguments: [
      (["4", ""], 4), (["4", "<", "5", ""], 5), (["4", "<", "", ""], 4),
      (["4", "5", "yes", "<", "6", ""], 6),
    ] as [([String], Double)])
  func lastAnswer(lines: [String], kept: Double) throws {
    let items = [Item("a", "A?", .scale(NumberRange(0, 10, step: 1)), isRequired: true)]
    try Sitting.with(items) { sitting in
      let (ending, said) = try sitting.type(lines)
      #expect(ending == .completed && sitting.response.sheet[AnswerKey("a")] == .number(kept))
      #expect(
        said.contains("Everything is answered or left out. [Enter completes it, < goes back, q stops] > "))
      #expect(said.contains("Found \"5\"; expected Enter, < or q.") == (lines.count == 6))
    }
  }

  @Test("what is answered and not completed waits for Enter in another sitting too")
  func stoppedAtTheEnd() throws {
    let items = [Item("a", "A?", .yesNo, isRequired: true)]
    try Sitting.with(items) { sitting in
      for lines in [["yes"], ["q"], ["<", "no", "q"]] {
        let (ending, _) = try sitting.type(lines)
        #expect(ending == .stopped && sitting.response.completed == nil)
      }
      let (ending, said) = try sitting.type("")
      #expect(ending == .completed && !said.contains("A?"))
      #expect(sitting.response.sheet[AnswerKey("a")] == .yes(false))
    }
  }

  @Test("lines of a file complete a questionnaire by its last answer, and so does one without a question")
  func notAsked() throws {
    let items = [Item("a", "A?", .yesNo, isRequired: true)]
    try Sitting.with(items) { sitting in
      let lines = Ahead(["yes", "no"], isPresent: false)
      let questioner = Questioner(
        sitting.database, sitting.surroundings, subject: "self", person: lines,
        watch: SelfHarmWatch(sitting.study), help: "HELP PAGE")
      var response = sitting.response
      let ending = try questioner.ask(&response)
      #expect(ending == .completed && lines.lines.withLock { $0 } == ["no"])
    }
    try Sitting.with([Item("read", "Good morning.", .info)]) { sitting in
      let (ending, said) = try sitting.type()
      #expect(ending == .completed && said == "\nGood morning.\n")
    }
  }

  @Test("at the first question < says why it goes nowhere")
  func firstQuestion() throws {
    try Sitting.with(Sitting.sleep) { sitting in
      let (ending, said) = try sitting.type("<", "yes", "<", "q")
      #expect(ending == .stopped)
      let words = "This is the first question; a questionnaire that is complete is not changed any more.\n"
      #expect(said.components(separatedBy: words).count == 2)
      #expect(said.components(separatedBy: "Haben Sie geschlafen?").count == 4)
    }
  }

  @Test("a question whose options have consecutive scores shows these numbers, and takes them")
  func scores() throws {
    let options = ["Not at all", "Several days", "More than half the days", "Nearly every day"]
      .enumerated().map { Option("\($0)", LocalizedText($1), points: Double($0)) }
    try Sitting.with([Item("a", "A?", .single(options, other: false), isRequired: true)]) { sitting in
      let (ending, said) = try sitting.type("4", "1", "")
      #expect(ending == .completed && sitting.response.sheet[AnswerKey("a")] == .choice("1"))
      #expect(said.contains("  0  Not at all\n  1  Several days\n"))
      #expect(said.contains("  [a number from 0 to 3]\n"))
      #expect(said.contains("Found \"4\"; expected a number from 0 to 3.\n"))
    }
  }
}
