import Almanac
import Base
import Instruments
import Questionnaires
import Testing

@testable import Studies

@Suite("The check of a study") struct StudyCheckTests {
  static let use = BundleUse(on: CalendarDate(year: 2026, month: 11, day: 27)!)

  static func findings(
    _ sound: SoundStudy, _ use: BundleUse = use, isPublished: Bool = false
  ) throws -> [StudyFinding] {
    try StudyCheck(use, isPublished: isPublished).findings(in: sound.bundle())
  }

  @Test("a sound study has nothing to be found")
  func sound() throws {
    #expect(try Self.findings(SoundStudy()).map(\.description) == [])
  }

  @Test("each planted defect is found, with severity, file, place and remedy", arguments: defects)
  func planted(defect: Defect) throws {
    var sound = SoundStudy()
    defect.plant(&sound)
    let findings = try Self.findings(sound)
    let found = findings.first { "\($0)".hasPrefix(defect.line) }
    #expect(found?.kind == defect.kind && found?.remedy.isEmpty == false, "\(findings.map(\.description))")
  }

  @Test("an extension that is not known, and a file that is no JSON, are found with file and place")
  func unreadable() throws {
    for (path, text, line) in [
      (
        "questionnaires/habits.json",
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"linkId":"habits.coffee","text":"t","type":"boolean","extension":[{"url":"urn:x"}]}]}"#,
        "error: questionnaires/habits.json, item[0].extension[0].url: found the unknown extension urn:x"
      ),
      (
        "questionnaires/habits.json", "{\n",
        "error: questionnaires/habits.json, line 2: found expected a key"
      ),
      ("texts/en/help.md", "\u{fe}", "error: texts/en/help.md: found bytes that are not UTF-8"),
    ] {
      var files = SoundStudy().files
      files[path] = text == "\u{fe}" ? [0xfe, 0xff] : Array(text.utf8)
      let findings = try StudyCheck(Self.use).findings(in: StudyBundle(BundleContent(files)))
      #expect(
        findings.contains { "\($0)".hasPrefix(line) && $0.kind == .unreadable },
        "\(findings.map(\.description))")
    }
  }

  @Test("every kind of finding is planted once at least, and errors come before warnings")
  func kinds() throws {
    #expect(Set(Self.defects.map(\.kind)).union([.unreadable]) == Set(StudyFinding.Kind.allCases))
    var sound = SoundStudy()
    for defect in Self.nameDefects.prefix(6) { defect.plant(&sound) }
    let severities = try Self.findings(sound).map(\.severity)
    #expect(severities.last == .warning && severities.first == .error)
    #expect(severities == severities.filter { $0 == .error } + severities.filter { $0 == .warning })
  }

  @Test("a kind of measurement that somebody registers is one that a study may name, with its own settings")
  func registered() throws {
    var registry = TaskRegistry()
    registry.add(
      TaskKind(TaskKind.Key("breath-hold", version: 2), settings: [TaskKind.Setting("seconds", 1...60)]))
    var sound = SoundStudy()
    sound.study.tasks.append(
      StudyTask(
        "hold", .measurement(TaskKind.Key("breath-hold", version: 2), settings: ["seconds": 20]),
        Self.schedule(.windows([Self.window("09:00", "10:00")])), minutes: 0.1, dataType: "answers"))
    #expect(try StudyCheck(Self.use, registry: registry).findings(in: sound.bundle()).isEmpty)
    #expect(try StudyCheck(Self.use).findings(in: sound.bundle()).map(\.kind) == [.measurement])
    #expect(
      TaskRegistry().keys.map(\.description) == ["hearing-test 1", "loudness-match 1", "pitch-match 1"])
  }

  @Test("an instrument for those who are not commercial is left out by those who are")
  func commercial() throws {
    var sound = SoundStudy()
    sound.add("fss", licence: nil, hasText: true)
    #expect(try Self.findings(sound).isEmpty)
    let findings = try Self.findings(sound, BundleUse(on: Self.use.date, isCommercial: true))
    #expect(findings.map(\.severity) == [.warning] && findings[0].found.contains("not commercial"))
  }

  @Test(
    "a licence up to the last day of the study is no fault; of an own study and of PHQ-8 nobody needs an address"
  )
  func noFaults() throws {
    var licensed = SoundStudy()
    // Day 10 of whoever begins on 2026-11-27.
    licensed.add("isi", licence: SoundStudy.licence(until: "2026-12-06"), hasText: true)
    #expect(try Self.findings(licensed).map(\.description) == [])
    var own = SoundStudy()
    own.study.kind = .own
    own.study.contact = Contact(Person("Ben", phone: "+49 30 1"), answersWithin: 24)
    own.study.investigator?.email = nil
    #expect(try Self.findings(own).map(\.description) == [])
    var other = own
    other.study.kind = .site
    other.study.gateways[0] = Gateway(
      "poor", when: other.study.gateways[0].conditions, modules: ["phq-8"])
    other.study.modules.remove(at: 1)
    other.study.instruments.removeFirst()
    other.study.questionnaires.removeAll { $0.id == "phq-9" }
    other.study.dictionary.removeAll { $0.item.hasPrefix("phq-9.") }
    #expect(try Self.findings(other).map(\.description) == [])
  }

  @Test(
    "an item on self-harm that lies in another questionnaire is no fault where somebody answers, nor where nothing asks that one"
  )
  func selfHarmElsewhere() throws {
    var sound = SoundStudy()
    sound.askSelfHarm(in: "log")
    #expect(try Self.findings(sound).map(\.description) == [])
    sound.study.contact = nil
    sound.study.tasks.remove(at: 0)
    let safety = try Self.findings(sound).filter { $0.kind == .safety }
    #expect(safety.map(\.severity) == [.warning])
  }

  @Test("the first and the last day of a schedule, numbered, are no fault")
  func numberedWithin() throws {
    var sound = SoundStudy()
    let times = Recurrence.Times.windows([Self.window("04:00", "04:00")])
    sound.study.tasks[0].schedule.rule = .recurring(Recurrence(days: .numbered([0, 9]), times: times))
    #expect(try Self.findings(sound).map(\.description) == [])
  }

  @Test(
    "a derived answer of a gateway is there on the day of its last question; a condition without an answer holds before",
    arguments: [(5, true), (6, false)])
  func lateGateways(last: Int, isLate: Bool) throws {
    var sound = SoundStudy()
    sound.questionnaires["habits"]?.items.append(
      Item("habits.tall", Samples.both("Tall?"), .number(NumberRange(100, 250, step: 1))))
    sound.study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["habits.tall", "log.quality"])]
    // The log comes on each day, habits on day 6.
    sound.study.days[0].number = 6
    sound.study.filling?.days = 2...last
    func severities(_ condition: Condition) throws -> [StudyFinding.Severity] {
      sound.study.gateways[0] = Gateway("poor", when: [condition], modules: ["phq-9"])
      return try Self.findings(sound).filter { $0.found.contains("is asked first on day 6") }.map(
        \.severity)
    }
    let late = try severities(Condition("bmi", .greater, .number(30)))
    #expect(late == [isLate ? .error : .warning])
    let before = try severities(Condition("habits.coffee", .exists, .yes(false)))
    #expect(before == [])
  }

  @Test(
    "a condition behind the days that are filled is an error where all must hold or no other one comes in time, and a warning beside one that does",
    arguments: [
      ("log.quality", .any, [.warning]), ("log.quality", .all, [.error]),
      ("habits.coffee", .any, [.error, .error]),
    ] as [(String, Enablement, [StudyFinding.Severity])])
  func lateConditions(first: String, _ enablement: Enablement, expected: [StudyFinding.Severity]) throws {
    var sound = SoundStudy()
    // The log comes on each day, habits behind the last one that is filled.
    sound.study.filling?.days = 2...5
    sound.study.days[0].number = 8
    let conditions = [
      Condition(first, .exists, .yes(true)), Condition("habits.coffee", .equal, .yes(true)),
    ]
    sound.study.gateways[0] = Gateway("poor", when: conditions, enablement, modules: ["phq-9"])
    let late = try Self.findings(sound).filter { $0.found.contains("is asked first on day 8") }
    #expect(late.map(\.severity) == expected)
  }

  @Test(
    "a question that modules of another gateway, or substitutes, ask on days that are filled is not late, though a task asks it behind them"
  )
  func gatewaysInTurn() throws {
    func late(_ change: (inout SoundStudy) -> Void) throws -> [String] {
      var sound = SoundStudy()
      sound.study.filling?.days = 2...5
      sound.study.days[0].modules = []
      let end = StudySchedule(from: 8, days: 3, sound.study.tasks[0].schedule.rule)
      sound.study.tasks.append(
        StudyTask("end", .questionnaire("habits"), end, minutes: 1, dataType: "answers", pillar: "sleep"))
      sound.study.gateways[0] = Gateway(
        "coffee", when: [Condition("habits.coffee", .equal, .yes(true))], modules: ["phq-9"])
      change(&sound)
      return try Self.findings(sound).filter { $0.found.contains("is asked first on day 8") }.map(\.place)
    }
    let alone = try late { _ in }
    #expect(alone == ["gateways[0].enableWhen[0]"])
    let poor = [Condition("log.quality", .lessOrEqual, .number(3))]
    let called = try late { $0.study.gateways.append(Gateway("poor", when: poor, modules: ["habits"])) }
    #expect(called == [])
    // Its own modules ask after it has opened.
    let coffee = [Condition("habits.coffee", .equal, .yes(true))]
    let own = try late {
      $0.study.gateways[0] = Gateway("coffee", when: coffee, modules: ["phq-9", "habits"])
    }
    #expect(own == ["gateways[0].enableWhen[0]"])
    let substitute = try late {
      $0.study.modules[1].substitute = "habits"
      $0.study.days[0].modules = ["phq-9"]
      $0.study.gateways[0] = Gateway("coffee", when: coffee, modules: ["phq-8"])
    }
    #expect(substitute == [])
  }

  @Test(
    "what loses data of an edition that is published, and hurts nobody, is a warning of it, so that people may begin it; a question about self-harm stays an error"
  )
  func published() throws {
    func errors(isPublished: Bool, _ sound: SoundStudy) throws -> [StudyFinding.Kind] {
      try Self.findings(sound, isPublished: isPublished).filter { $0.severity == .error }.map(\.kind)
    }
    var late = SoundStudy()
    late.study.tasks[0].schedule = StudySchedule(from: 5, days: 6, late.study.tasks[0].schedule.rule)
    late.study.filling?.days = 2...3
    var numbered = SoundStudy()
    let times = Recurrence.Times.windows([Self.window("04:00", "04:00")])
    numbered.study.tasks[0].schedule.rule = .recurring(
      Recurrence(days: .numbered([0, 10]), times: times))
    let percent = try SourceCheckTests.inPercent(NumberRange(0, 100, step: 10))
    let lossy: [(SoundStudy, [StudyFinding.Kind])] = [
      (late, [.unreachable]), (numbered, [.days]), (percent, [.question, .question]),
    ]
    for (sound, kinds) in lossy {
      let (before, after) = (
        try errors(isPublished: false, sound), try errors(isPublished: true, sound)
      )
      #expect(before == kinds && after == [])
      let all = try Self.findings(sound, isPublished: true).map(\.found)
      #expect(try Set(all) == Set(Self.findings(sound).map(\.found)))
    }
    var harm = SoundStudy()
    harm.askSelfHarm(in: "log")
    harm.study.contact = nil
    let (before, after) = (try errors(isPublished: false, harm), try errors(isPublished: true, harm))
    #expect(before == after && after.contains(.safety))
  }

  @Test(
    "a criterion that is never an answer to its question is an error, also of an edition that is published")
  func strangeCriterion() throws {
    var sound = SoundStudy()
    sound.questionnaires["eligibility"]?.items.append(
      Item("ill", Samples.both("Ill?"), .yesNo, isRequired: true))
    sound.study.eligibility.exclusion = [
      .init(
        "ill", Samples.both("Ill"), when: [Condition("ill", .equal, .choice("Yes"))], showsHelp: true)
    ]
    let errors = try Self.findings(sound, isPublished: true).filter {
      $0.severity == .error && $0.kind == .condition
    }
    #expect(errors.map(\.place) == ["eligibility.exclusion[0].enableWhen[0]"])
  }

  @Test("a code with a semicolon among several that are joined is a warning: the study is published")
  func joinedCodes() throws {
    var sound = SoundStudy()
    sound.questionnaires["habits"]?.items[0].kind = .multiple(
      ["a;b", "c"].map { Option($0, Samples.both($0)) }, other: false)
    #expect(
      try Self.findings(sound).map(\.description) == [
        "warning: questionnaires/habits.json, habits.coffee: the code \"a;b\" has a semicolon, with which codes are joined; give the option a code without one"
      ])
  }

  @Test(
    "four repeated groups within one another are an error, and a version that was kept with them is read: its questionnaire can be shown"
  )
  func deep() throws {
    var sound = SoundStudy()
    let coffee = sound.questionnaire("habits").items
    sound.questionnaires["habits"]?.items = (0..<4).reduce(coffee) {
      [Item("habits.\($1)", Samples.both("Group"), .group(repeats: 2), items: $0)]
    }
    let errors = try Self.findings(sound).filter { $0.severity == .error }
    #expect(errors.map(\.kind) == [.structure] && errors.map(\.place) == ["habits.0"])
    let content = try StudyContent(StudyEdition(sound.bundle(), Self.use))
    #expect(content.outlines["habits"]?.item("habits.coffee") != nil)
  }

  /// Kinds of what is found of a schedule of 15 days.
  private static func scheduleKinds(_ recurrence: Recurrence) throws -> [StudyFinding.Kind] {
    var sound = SoundStudy()
    sound.study.dayCount = 15
    sound.study.tasks[0].schedule = StudySchedule(days: 15, .recurring(recurrence))
    return try findings(sound).filter { $0.place == "tasks[0].schedule" }.map(\.kind)
  }

  @Test(
    "the windows of a numbered day are checked over the changes of clocks, however late the day is",
    arguments: [1, 2, 8, 9, 10, 12, 15])
  func numbered(day: Int) throws {
    func kinds(_ windows: LocalWindow...) throws -> [StudyFinding.Kind] {
      try Self.scheduleKinds(Recurrence(days: .numbered([day - 1]), times: .windows(windows)))
    }
    #expect(try kinds(Self.window("09:00", "12:00"), Self.window("11:00", "13:00")) == [.overlap])
    #expect(try kinds(Self.window("09:00", "12:00"), Self.window("12:00", "13:00")) == [])
    // 02:30 comes as 03:30 where clocks are set forward, after the window's end.
    #expect(try kinds(Self.window("02:30", "03:10")) == [.vanished])
  }

  @Test(
    "openings of several days overlap where the next one comes before the end",
    arguments: [(3, 7, true), (3, 4, true), (3, 2, false), (7, 7, false), (7, 6, false), (15, 7, false)])
  func longOpenings(every: Int, open: Int, overlaps: Bool) throws {
    // A week of seconds ends an hour late on the wall where clocks are set forward, which is no fault.
    let times = Recurrence.Times.at([Samples.time("09:00")], openFor: open * 86_400)
    let expected: [StudyFinding.Kind] = overlaps ? [.overlap] : []
    let numbers = (0..<15).filter { $0 % every == 0 }
    for days in [Recurrence.Days.every(every), .numbered(numbers)] {
      #expect(try Self.scheduleKinds(Recurrence(days: days, times: times)) == expected)
    }
  }

  @Test(
    "openings of several days on weekdays overlap where another one of them comes before the end, whatever the clocks do",
    arguments: [
      ([.monday, .wednesday], 3, true), ([.monday, .wednesday], 2, false), ([.sunday], 7, false),
      ([.tuesday], 7, false), ([.sunday, .tuesday], 7, true), ([.friday, .saturday], 2, true),
    ] as [(Set<Weekday>, Int, Bool)])
  func weekdayOpenings(weekdays: Set<Weekday>, open: Int, overlaps: Bool) throws {
    let times = Recurrence.Times.at([Samples.time("09:00")], openFor: open * 86_400)
    let found = try Self.scheduleKinds(Recurrence(days: .weekdays(weekdays), times: times))
    #expect(found == (overlaps ? [.overlap] : []))
  }

  @Test("a day of seconds each day is no fault: it ends an hour late on the wall on one day of the year")
  func wholeDays() throws {
    let times = Recurrence.Times.at([Samples.time("09:00")], openFor: 86_400)
    #expect(try Self.scheduleKinds(Recurrence(times: times)) == [])
    let long = Recurrence.Times.at([Samples.time("09:00")], openFor: 86_401)
    #expect(try Self.scheduleKinds(Recurrence(times: long)) == [.overlap])
  }

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

  @Test("a window that clocks shorten and do not take away is no fault: 01:30 to 04:30")
  func shortened() throws {
    var sound = SoundStudy()
    sound.study.tasks[0].schedule = Self.schedule(.windows([Self.window("01:30", "04:30")]))
    #expect(try Self.findings(sound).isEmpty)
  }
}

extension SoundStudy {
  static func licence(until day: String) -> SiteLicence {
    SiteLicence(holder: "A University", number: "7", expires: CalendarDate(day))
  }

  /// Puts the ninth item of PHQ-9 into another questionnaire.
  mutating func askSelfHarm(in questionnaire: String) {
    let question = "\(questionnaire).dark"
    guard var item = questionnaires["phq-9"]?.items.last else { return }
    item.id = question
    questionnaires[questionnaire]?.items.append(item)
    questionnaires["phq-9"]?.items.removeLast()
    study.instruments[0].items["9"] = .question(question)
    study.dictionary.removeAll { $0.item == "phq-9.9" }
    study.dictionary.append(DictionaryEntry("\(questionnaire)_dark", item: question))
  }

  /// Adds a module that asks a published instrument, in stand-in words.
  mutating func add(_ id: String, licence: SiteLicence?, hasText: Bool, substitute: String? = nil) {
    study.questionnaires.append(QuestionnaireFile(id, file: "questionnaires/\(id).json"))
    study.instruments.append(StudyInstrument(id, questionnaire: id, licence: licence))
    study.modules.append(
      StudyModule(
        id, Samples.both(id), questionnaire: id, pillar: "sleep", .expansion, minutes: 2, priority: 3,
        substitute: substitute))
    study.gateways.append(
      Gateway(id, when: [Condition("log.quality", .lessOrEqual, .number(4))], modules: [id]))
    guard hasText else { return }
    let asked = Instrument.all.first { $0.id == id }?.items ?? []
    let codes = asked.isEmpty ? ["1"] : asked.map(\.code)
    questionnaires[id] = Self.questionnaire(
      id,
      codes.map { code in
        var item = StudyCheckTests.item("\(id).\(code)")
        if case .whole(let values)? = asked.first(where: { $0.code == code })?.values {
          item.kind = .number(NumberRange(Double(values.lowerBound), Double(values.upperBound), step: 1))
        }
        return item
      })
    let column = String(id.map { $0 == "-" ? "_" : $0 })
    study.dictionary += codes.map { DictionaryEntry("\(column)_\($0)", item: "\(id).\($0)") }
  }
}
