import Almanac
import Foundation
import Questionnaires
import Records
import Testing

@testable import Companion

@Suite("Asked on a terminal while another program answers") struct AnsweredElsewhereTests {
  @Test(
    "an answer that another program gave meanwhile is told, shown and asked about; nothing is replaced unseen"
  )
  func elsewhere() throws {
    try Sitting.with(Sitting.sleep) { sitting in
      var other = sitting.response
      let session = Session(subject: "self", at: Instant(milliseconds: 1400))
      try Responses(sitting.database).answer(.yes(true), for: AnswerKey("slept"), in: &other, session)
      try Responses(sitting.database).answer(.number(6), for: AnswerKey("hours"), in: &other, session)
      let (ending, said) = try sitting.type("no", "", "-", "")
      #expect(ending == .completed && said.contains("Another program has answered this meanwhile"))
      #expect(said.contains("now: yes"))
      #expect(sitting.response.sheet[AnswerKey("slept")] == .yes(true))
    }
  }

  @Test(
    "a question that another program has opened is asked before the end, and nothing is completed without its answer"
  )
  func openedElsewhere() throws {
    let items = [
      Item("any", "Any?", .yesNo, isRequired: true),
      Item(
        "note", "Which?", .text(maxLength: nil), isRequired: true,
        when: [Condition("any", .equal, .yes(true))]),
      Item("last", "Anything besides?", .text(maxLength: nil)),
    ]
    try Sitting.with(items) { sitting in
      // The lines end at the last question.
      let (standing, _) = try sitting.type("no")
      #expect(standing == .stopped)
      var other = sitting.response
      let session = Session(subject: "self", at: Instant(milliseconds: 1600))
      try Responses(sitting.database).answer(.yes(true), for: AnswerKey("any"), in: &other, session)
      let (ending, said) = try sitting.type("done", "", "a dog", "")
      #expect(
        ending == .completed
          && said.contains(
            "Another program has answered in this questionnaire meanwhile; your answers are kept, and it is not completed yet.\n"
          ))
      #expect(!said.contains("nothing of yours was saved"))
      #expect(sitting.response.display.submitted.map(\.key.item) == ["any", "note", "last"])
      #expect(sitting.response.sheet[AnswerKey("note")] == .text("a dog"))
    }
  }

  @Test(
    "yes to another one takes nothing of another program's repetitions away: they are told, and it is asked again"
  )
  func repeatedElsewhere() throws {
    try Sitting.with(Sitting.medicines) { sitting in
      // The lines end at the question for another one.
      let (standing, _) = try sitting.type("a")
      #expect(standing == .stopped)
      var other = sitting.response
      let (records, session) = (
        Responses(sitting.database), Session(subject: "self", at: Instant(milliseconds: 1600))
      )
      for (number, text) in [(1, "b"), (2, "c")] {
        try records.repeatGroup(AnswerKey("meds"), number + 1, in: &other, session)
        try records.answer(.text(text), for: AnswerKey("med", [number]), in: &other, session)
      }
      let (ending, said) = try sitting.type("yes", "", "2020", "")
      #expect(ending == .completed && said.contains("Another program has answered this meanwhile"))
      #expect(said.components(separatedBy: "Medicines: another one?").count == 3)
      #expect(
        sitting.response.display.submitted.map(\.answer.value)
          == ["a", "b", "c", "2020"].map { AnswerValue.text($0) })
    }
  }

  @Test(
    "an answer typed into a repetition that another program has taken back is not hidden unasked: yes to another one brings it back",
    arguments: [("yes", ["a", "b", "2020"]), ("no", ["a", "2020"])] as [(String, [String])])
  func takenBackElsewhere(line: String, kept: [String]) throws {
    try Sitting.with(Sitting.medicines) { sitting in
      // The lines end at the question of the second repetition.
      let (standing, _) = try sitting.type("a", "yes")
      #expect(standing == .stopped)
      var other = sitting.response
      let session = Session(subject: "self", at: Instant(milliseconds: 1600))
      try Responses(sitting.database).repeatGroup(AnswerKey("meds"), 1, in: &other, session)
      let (ending, said) = try sitting.type("b", "", "2020", "", line, "")
      #expect(ending == .completed && said.contains("your answers are kept"), "\(said)")
      #expect(said.components(separatedBy: "Medicines: another one?").count == 3)
      #expect(sitting.response.display.submitted.map(\.answer.value) == kept.map { AnswerValue.text($0) })
    }
  }
}
