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

  @Test(
    "one that waits is not offered while a questionnaire is open that has opened behind the answered ones, and is afterwards",
    arguments: TestDatabase.engines)
  func opensMeanwhile(engine: Engine) throws {
    try Home.with(engine) { home in
      var study = Self.study
      let noon = LocalWindow(LocalTime("12:00")!, LocalTime("23:00")!)
      let daily = StudySchedule(days: 3, .recurring(Recurrence(times: .windows([noon]))))
      study.study.tasks.append(
        StudyTask("noon", .questionnaire("phq-9"), daily, minutes: 1, dataType: "answers"))
      _ = try home.own().begin(study.version(), under: study.agreement())
      try home.own().answer("only", "yes")
      try home.own().take(.complete, in: home.own().running())
      let own = try home.own(5)
      let now = own.surroundings.now()
      var offered = OfferedMeasurements()
      let part = try #require(try own.running().first)
      let first = try #require(part.nextMeasurement(at: now, except: offered))
      offered.take(first, of: part)
      #expect(first.task.id == "first" && part.nextMeasurement(at: now, except: offered) == nil)
      #expect(part.waitingMeasurements(at: now, except: offered).map(\.task.id) == ["last"])
      try own.answer("only", "yes")
      try own.take(.complete, in: own.running())
      let answered = try #require(try own.running().first)
      #expect(answered.nextMeasurement(at: now, except: offered)?.task.id == "last")
      #expect(answered.waitingMeasurements(at: now, except: offered).isEmpty)
    }
  }
}
