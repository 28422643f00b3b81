import Questionnaires
import Studies
import Testing

@testable import Companion

@Suite("Repeated groups on a terminal") struct RepeatedGroupTests {
  @Test(
    "another one is asked about again by <: a mistaken no is corrected by yes, and a mistaken yes taken back",
    arguments: [
      (["a", "", "<", "yes", "b", "", "2020"], ["a", "b", "2020"]),
      (["a", "yes", "<", "", "2020"], ["a", "2020"]),
      (["a", "yes", "<", "yes", "b", "", "2020"], ["a", "b", "2020"]),
      (["a", "yes", "<", "<", "c", "", "2020"], ["c", "2020"]),
      // A repetition with an answer is not taken back.
      (["a", "yes", "b", "<", "<", "", "", "2020"], ["a", "b", "2020"]),
    ] as [([String], [String])])
  func backToAnotherOne(lines: [String], kept: [String]) throws {
    try Sitting.with(Sitting.medicines) { sitting in
      let script = Script(lines + [""])
      let ending = try Questioner(
        sitting.database, sitting.surroundings, subject: "self", person: script,
        watch: SelfHarmWatch(sitting.study), help: "HELP PAGE"
      ).ask(&sitting.response)
      #expect(ending == .completed, "\(script.text)")
      #expect(sitting.response.display.submitted.map(\.answer.value) == kept.map { AnswerValue.text($0) })
    }
  }

  @Test(
    "a question left out in a repetition that was taken back is asked again with it, also in another sitting"
  )
  func leftOutBefore() throws {
    let items = [
      Item("meds", "Medicines", .group(repeats: 4), items: [Item("med", "Which?", .text(maxLength: nil))]),
      Item("end", "Since when?", .text(maxLength: nil), isRequired: true),
    ]
    try Sitting.with(items) { sitting in
      let (standing, _) = try sitting.type("a", "yes", "-", "<", "<", "")
      #expect(standing == .stopped && sitting.response.sheet.repetitions == [AnswerKey("meds"): 1])
      let (ending, said) = try sitting.type("<", "yes", "b", "", "2020", "")
      #expect(ending == .completed, "\(said)")
      #expect(
        sitting.response.display.submitted.map(\.answer.value)
          == ["a", "b", "2020"].map { AnswerValue.text($0) })
    }
  }

  @Test("a repetition whose questions were left out alone is taken back by < as well")
  func backFromLeftOut() throws {
    let items = [
      Item(
        "meds", "Medicines", .group(repeats: 4),
        items: [
          Item("med", "Which?", .text(maxLength: nil)),
          Item("dose", "How much?", .number(NumberRange(0, 9)), isRequired: true),
        ])
    ]
    try Sitting.with(items) { sitting in
      let (ending, said) = try sitting.type("a", "1", "yes", "-", "<", "<", "", "")
      #expect(ending == .completed, "\(said)")
      #expect(sitting.response.sheet.repetitions == [AnswerKey("meds"): 1])
      #expect(
        sitting.response.display.submitted.map(\.answer.value)
          == [AnswerValue.text("a"), AnswerValue.number(1)])
    }
  }
}
