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
