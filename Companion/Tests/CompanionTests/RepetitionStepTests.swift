import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Repetitions in the next step, on both engines") struct RepetitionStepTests {
  @Test(
    "a question that was left out in a repetition which no takes back is asked again where yes adds that one once more",
    arguments: TestDatabase.engines)
  func leftOutRepetition(engine: Engine) throws {
    var study = SiteStudy()
    study.study.tasks.removeFirst()
    study.items["room"]![3].items.append(Item("room.far", "From afar?", .yesNo))
    try Home.withPart(engine, study) { _, own in
      func leaveOut(_ item: String, _ repetition: [Int] = []) throws {
        try own.take(.leaveOut(AnswerKey(item, repetition)), in: own.running())
      }
      try own.answer("room.loud", "7")
      try leaveOut("room.note")
      try own.answer("room.sound", "rain", [0])
      try leaveOut("room.far", [0])
      try own.answer("room.sounds", "yes")
      try leaveOut("room.sound", [1])
      #expect(try own.report().text("question", "item") == "room.far")
      try own.answer("room.sounds", "no")
      #expect(try own.report().text("step") == "complete")
      try own.answer("room.sounds", "yes")
      let asked = try own.report()
      #expect(asked.text("question", "item") == "room.sound" && asked["question"]?["repetition"] == [2])
    }
  }

  @Test(
    "yes to another repetition that is sent twice adds one; no takes a repetition without answers back, and yes behind it adds one again",
    arguments: TestDatabase.engines)
  func repetitions(engine: Engine) throws {
    var study = SiteStudy()
    study.study.tasks.removeFirst()
    try Home.withPart(engine, study) { _, own in
      let group = AnswerKey("room.sounds")
      func kept() throws -> [AnswerKey: Int] { try own.running()[0].responses[0].sheet.repetitions }
      try own.answer("room.loud", "7")
      try own.take(.leaveOut(AnswerKey("room.note")), in: own.running())
      try own.answer("room.sound", "rain", [0])
      try own.answer("room.sounds", "yes")
      do throws(StepRefusal) {
        try own.answer("room.sounds", "yes")
        Issue.record("another repetition was added that nobody wants")
      } catch {
        guard case .refused(let refusal) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(refusal.item == "room.sounds" && refusal.found == "another repetition")
        #expect(refusal.expected == "the questions of repetition 2 first")
      }
      #expect(try kept() == [group: 2])
      #expect(try own.report()["question"]?["repetition"] == [2])
      try own.answer("room.sounds", "no")
      #expect(try kept() == [group: 1])
      #expect(try own.report().text("step") == "complete")
      try own.answer("room.sounds", "yes")
      try own.answer("room.sound", "wind", [1])
      // One with an answer stays.
      try own.answer("room.sounds", "no")
      #expect(try kept() == [group: 2])
      #expect(try own.report().text("step") == "complete")
      try own.take(.complete, in: own.running())
    }
  }
}
