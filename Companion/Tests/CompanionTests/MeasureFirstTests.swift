import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Measurements before the questions, on both engines") struct MeasureFirstTests {
  /// One question each day, and two measurements, of which the second one is after the questions.
  private static var study: SiteStudy {
    var study = SiteStudy()
    let daily = study.study.tasks[0].schedule
    let measurement = StudyTask.Work.measurement(TaskKind.hearingTest.key, settings: ["bayesian": 1])
    study.items = ["phq-9": [Item("only", "Only?", .yesNo)]]
    study.study.instruments = []
    study.study.tasks = [
      StudyTask("ask", .questionnaire("phq-9"), daily, minutes: 1, dataType: "answers"),
      StudyTask("first", measurement, daily, minutes: 9, dataType: "answers"),
      StudyTask("last", measurement, daily, minutes: 9, dataType: "answers", isAfterQuestions: true),
    ]
    return study
  }

  @Test(
    "are those of which the study does not want its questions answered before; afterwards all of them are",
    arguments: TestDatabase.engines)
  func allowed(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), Self.study)
      _ = try own.begin(study.version(), under: study.agreement())
      func tasks(_ due: (Part) -> [Course.Due]) throws -> [String] {
        let part = try #require(try own.running().first)
        return due(part).map(\.task.id)
      }
      #expect(try tasks { $0.openMeasurements(at: Home.morning) } == ["first", "last"])
      #expect(try tasks { $0.measurementsBeforeQuestions(at: Home.morning) } == ["first"])
      // Asked for the next step, the questions come first all the same.
      #expect(try own.report().text("step") == "question")
      try own.answer("only", "yes")
      try own.take(.complete, in: own.running())
      #expect(try tasks { $0.measurementsBeforeQuestions(at: Home.morning) } == ["first", "last"])
    }
  }
}
