import Questionnaires
import Testing

@testable import Studies

/// Modules, the days that ask them, and questionnaires that several of them share.
extension StudyCheckTests {
  @Test("modules that an interval of a day asks, and days without modules that no task asks, are no fault")
  func askedDays() throws {
    var interval = SoundStudy()
    interval.study.tasks[1].schedule = StudySchedule(
      days: 10, .interval(seconds: 86_400, from: .noon, openFor: 43_200))
    #expect(try Self.findings(interval).map(\.description) == [])
    // Modules on day 1 alone, and the task too; day 2 has no modules.
    var first = SoundStudy()
    first.study.tasks[1].schedule.dayCount = 1
    (first.study.gateways, first.study.filling) = ([], nil)
    first.study.modules.removeLast(2)
    first.study.days.append(
      StudyDay(2, Samples.both("Second"), Samples.both("None"), minutes: 1, modules: []))
    #expect(try Self.findings(first).filter { $0.kind == .days }.map(\.description) == [])
  }

  @Test(
    "modules that share a questionnaire are no fault on fixed days, nor where one takes the other's place")
  func sharedQuestionnaires() throws {
    let again = StudyModule(
      "again", Samples.both("Again"), questionnaire: "habits", pillar: "sleep", .gateway, minutes: 1,
      priority: 1)
    var fixed = SoundStudy()
    fixed.study.modules.append(again)
    fixed.study.days.append(
      StudyDay(2, Samples.both("Second"), Samples.both("Again"), minutes: 2, modules: ["again"]))
    #expect(try Self.findings(fixed).map(\.description) == [])
    var substitute = SoundStudy()
    substitute.study.modules.append(again)
    substitute.study.modules[0].substitute = "again"
    substitute.study.gateways.append(
      Gateway("more", when: [Condition("log.quality", .lessOrEqual, .number(2))], modules: ["habits"]))
    #expect(try Self.findings(substitute).filter { $0.kind == .unreachable }.map(\.description) == [])
  }

  /// Of "habits" and its substitute "again" each is asked for itself too; of two others, whose substitutes share a
  /// questionnaire, each may be replaced.
  @Test(
    "a substitute that shares a questionnaire is a fault once it is asked for itself, by a gateway or a day, or in the place of another module"
  )
  func sharedSubstitutes() throws {
    func module(_ id: String, _ questionnaire: String, substitute: String? = nil) -> StudyModule {
      StudyModule(
        id, Samples.both(id), questionnaire: questionnaire, pillar: "sleep", .gateway, minutes: 1,
        priority: 1, substitute: substitute)
    }
    func gateway(_ id: String, _ module: String) -> Gateway {
      Gateway(id, when: [Condition("log.quality", .lessOrEqual, .number(2))], modules: [module])
    }
    func shared(_ change: (inout Study) -> Void) throws -> [String] {
      var sound = SoundStudy()
      sound.study.modules.append(module("again", "habits"))
      sound.study.modules[0].substitute = "again"
      sound.study.gateways.append(gateway("more", "habits"))
      change(&sound.study)
      return try Self.findings(sound).filter {
        $0.severity == .error && $0.kind == .unreachable
          && $0.found.contains("a gateway calls for one of them")
      }.map(\.place)
    }
    /// "phq-8" is the substitute of "phq-9", and "mood", with its questionnaire, that of "log".
    func pair(_ study: inout Study) {
      study.modules[0].substitute = nil
      study.modules[3] = module("mood", "phq-8")
      study.modules.append(module("log", "log", substitute: "mood"))
      study.gateways.append(gateway("too", "log"))
    }
    let second = StudyDay(
      2, Samples.both("Second"), Samples.both("Again"), minutes: 2, modules: ["again"])
    let changes: [(change: (inout Study) -> Void, places: [String])] = [
      ({ _ in }, []), ({ $0.gateways.append(gateway("too", "again")) }, ["modules[3]"]),
      ({ $0.days.append(second) }, ["modules[3]"]),
      // In the place of "phq-9" it may be asked beside "habits".
      ({ $0.modules[1].substitute = "again" }, ["modules[3]"]), ({ pair(&$0) }, ["modules[3]"]),
      // One module in the place of both is no fault.
      (
        {
          pair(&$0)
          $0.modules[4].substitute = "phq-8"
          $0.modules.remove(at: 3)
        }, []
      ),
    ]
    for (change, places) in changes {
      let found = try shared(change)
      #expect(found == places)
    }
  }
}
