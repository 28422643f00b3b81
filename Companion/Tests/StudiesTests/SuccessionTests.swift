import Almanac
import Base
import Instruments
import Questionnaires
import Testing

@testable import Studies

@Suite("Versions of a study") struct SuccessionTests {
  static func next(_ change: (inout SoundStudy) -> Void) throws -> (old: StudyBundle, new: StudyBundle) {
    var next = SoundStudy()
    next.study.version = "1.1.0"
    change(&next)
    return (try SoundStudy().bundle(), try next.bundle())
  }

  @Test(
    "what people agreed to is material: purpose, who asks, data, time, tasks and the text that they signed; a title is not"
  )
  func material() throws {
    func changes(_ change: (inout SoundStudy) -> Void) throws -> [String] {
      let (old, new) = try Self.next(change)
      return new.materialChanges(since: old)
    }
    #expect(try changes { $0.study.title = Samples.both("Another") } == [])
    #expect(try changes { $0.texts["texts/en/help.md"] = "Other help" } == [])
    #expect(try changes { $0.study.purpose = Samples.both("Another") } == ["purpose"])
    #expect(
      try changes { $0.study.dataTypes.append(DataType("sound", Samples.both("Sound"))) } == ["data-types"])
    #expect(
      try changes { $0.study.dayCount = 9 } == [] && changes { $0.study.dayCount = 11 } == ["duration-days"]
    )
    #expect(try changes { $0.study.tasks[0].work = .questionnaire("habits") } == ["tasks"])
    #expect(try changes { $0.study.tasks[0].dataType = "sound" } == ["tasks"])
    #expect(try changes { $0.texts["texts/de/consent.md"] = "Ich bin dabei." } == ["texts"])
  }

  @Test("a version is published once, and an id keeps its question: ranges may grow and options be added")
  func reuse() throws {
    func lines(_ change: (inout SoundStudy) -> Void) throws -> [String] {
      let (old, new) = try Self.next(change)
      return new.findings(succeeding: old).map { "\($0.file), \($0.place)" }
    }
    #expect(try lines { _ in } == [])
    #expect(try lines { $0.study.version = "1.0.0" } == [])
    #expect(
      try lines {
        $0.study.version = "1.0.0"
        $0.study.title = Samples.both("Another")
      } == ["study.json, version"])
    #expect(try lines { $0.study.id = "urn:example:other" } == ["study.json, id"])
    #expect(
      try lines { $0.questionnaires["log"]?.items[0].kind = .scale(NumberRange(0, 11, step: 1)) } == [])
    #expect(
      try lines { $0.questionnaires["log"]?.items[0].kind = .scale(NumberRange(1, 5, step: 1)) } == [
        "questionnaires/log.json, log.quality"
      ])
    #expect(
      try lines { $0.questionnaires["log"]?.items[0].kind = .yesNo } == [
        "questionnaires/log.json, log.quality"
      ])
    #expect(
      try lines {
        $0.questionnaires["phq-8"]?.items[0].kind = .single([Option("0", "No", points: 0)], other: false)
      } == ["questionnaires/phq-8.json, phq-8.1"])
  }

  @Test(
    "a questionnaire keeps its URL, under which answers are kept: another one is refused, and names both")
  func anotherURL() throws {
    let (old, new) = try Self.next { $0.questionnaires["log"]?.url = "urn:example:journal" }
    let findings = new.findings(succeeding: old)
    #expect(
      findings.map { "\($0.file), \($0.place)" } == ["questionnaires/log.json, url"]
        && findings.map(\.severity) == [.error])
    #expect(
      findings.allSatisfy {
        $0.found.contains("urn:example:journal") && $0.found.contains("urn:example:log,")
          && $0.remedy.contains("urn:example:log,")
      })
    // Taken all the same, it is followed by one that gives the former URL back.
    var restored = SoundStudy()
    restored.study.version = "1.2.0"
    #expect(try restored.bundle().findings(succeeding: new).map(\.place) == ["url"])
    #expect(try restored.bundle().findings(succeeding: new, after: [old]).isEmpty)
    // A questionnaire that is added has no former URL.
    let (before, after) = try Self.next { $0.add("fss", licence: nil, hasText: true) }
    #expect(after.findings(succeeding: before).isEmpty)
  }

  @Test(
    "an id that one version left out keeps its question: another one is refused, and the same one is taken")
  func leftOut() throws {
    func version(_ number: String, _ item: Item) throws -> StudyBundle {
      var study = SoundStudy()
      study.study.version = number
      study.questionnaires["habits"]?.items = [item]
      return try study.bundle()
    }
    let hours = Item("habits.x", Samples.both("Hours slept"), .number(NumberRange(0, 24, step: 1)))
    let noise = Item(
      "habits.x", Samples.both("How noisy"),
      .single([Option("5", Samples.both("Quiet")), Option("7", Samples.both("Loud"))], other: false))
    let other = Item("habits.y", Samples.both("Coffee?"), .yesNo)
    let (first, second) = (try version("1.0.0", hours), try version("2.0.0", other))
    let third = try version("3.0.0", noise)
    let findings = third.findings(succeeding: second, after: [first])
    #expect(findings.map { "\($0.file), \($0.place)" } == ["questionnaires/habits.json, habits.x"])
    #expect(
      findings.map(\.found) == [
        "an earlier version has a question of this id, of the kind number, whose answers do not fit"
      ])
    #expect(findings.map(\.remedy) == ["give it an id that no version has used"])
    #expect(try version("3.0.0", hours).findings(succeeding: second, after: [first]).isEmpty)
    // Taken all the same, it goes on; of several versions the last that asked it counts.
    #expect(try version("4.0.0", noise).findings(succeeding: third, after: [first, second]).isEmpty)
    let fourth = try version("4.0.0", other)
    let former = [first, second, third]
    #expect(try version("5.0.0", noise).findings(succeeding: fourth, after: former).isEmpty)
    #expect(
      try version("5.0.0", hours).findings(succeeding: fourth, after: former).map(\.place) == ["habits.x"])
  }

  /// Windows of two hours, by the hours at which they open.
  private static func windows(_ hours: [Int]) -> Recurrence.Times {
    .windows(hours.map { hour in LocalWindow(LocalTime(hour: hour)!, LocalTime(hour: hour + 2)!) })
  }

  private static func times(_ hours: [Int]) -> Recurrence.Times {
    .at(hours.map { hour in LocalTime(hour: hour)! }, openFor: 7200)
  }

  @Test(
    "a time that stays keeps its number within the day: another one before it, or none any longer, is refused; more behind it, and a time that is moved, are not",
    arguments: [
      ([18], [8, 18], "number 2 of a day was number 1 "),
      ([18], [8, 19], "number 2 of a day was number 1 "),
      ([8, 18], [18], "number 1 of a day was number 2 "),
      ([8, 12, 18], [8, 18], "number 2 of a day was number 3 "),
      ([8, 18], [8, 18], nil), ([8, 18], [8, 18, 21], nil), ([8, 18], [8], nil), ([18], [12], nil),
      ([8, 18], [9, 17], nil), ([8, 18], [6, 20], nil),
    ] as [([Int], [Int], String?)])
  func numbers(old: [Int], new: [Int], found: String?) throws {
    func version(
      _ number: String, _ times: Recurrence.Times, of task: String = "log"
    ) throws -> StudyBundle {
      var sound = SoundStudy()
      sound.study.version = number
      sound.study.tasks[0].schedule = StudyCheckTests.schedule(times)
      sound.study.tasks[0].id = task
      return try sound.bundle()
    }
    for (before, after) in [
      (Self.windows(old), Self.windows(new)), (Self.times(old), Self.times(new)),
      (Self.windows(old), Self.times(new)),
    ] {
      let first = try version("1.0.0", before)
      let findings = try version("1.1.0", after).findings(succeeding: first)
      #expect(findings.map(\.place) == (found == nil ? [] : ["tasks[0].schedule"]))
      #expect(found.map { findings.first?.found.hasPrefix($0) == true } ?? true)
      // Another task has occurrences of its own.
      #expect(try version("1.1.0", after, of: "log-2").findings(succeeding: first).isEmpty)
    }
  }

  private static func interval(
    _ seconds: Int, from hour: Int = 8, open: Int = 7200, firstDay: Int = 1
  ) -> StudySchedule {
    StudySchedule(
      from: firstDay, days: 9,
      .interval(seconds: seconds, from: LocalTime(hour: hour)!, openFor: open))
  }

  private static func drawn(_ count: Int, until: String = "20:00", apart: Int = 1800) -> StudySchedule {
    StudyCheckTests.schedule(
      .drawn(count, within: StudyCheckTests.window("08:00", until), apart: apart, openFor: 900))
  }

  /// Schedules of two versions, and the beginning of what is found; nil: nothing.
  ///
  /// Every 12 hours from 08:00, number 1 is 08:00; every 6 hours it is 02:00. An interval of 20 hours comes at
  /// another time on each day, by the day on which it begins. Every 6 hours from 20:00 the first day has 20:00 alone, as
  /// its number 1, and each other one 02:00; from 02:00 the first day has the same four as the others.
  static let schedules: [(StudySchedule, StudySchedule, String?)] = [
    (
      interval(43_200), interval(21_600),
      "it is due every 21600 s from 08:00, and was due every 43200 s from 08:00"
    ),
    (interval(43_200), interval(43_200, from: 9), "it is due every 43200 s from 09:00, and was due"),
    (
      interval(72_000), interval(72_000, firstDay: 2),
      "it is due every 72000 s from 08:00 of day 2, and was due every 72000 s from 08:00 of day 1"
    ),
    (drawn(3), drawn(4), "it is due 4 times a day, drawn, and was due 3 times a day, drawn"),
    (
      StudyCheckTests.schedule(times([8, 20])), interval(43_200),
      "it is due every 43200 s from 08:00, and was due at times on the wall"
    ),
    (
      interval(43_200), StudyCheckTests.schedule(windows([8])),
      "it is due at times on the wall, and was due"
    ),
    (
      StudyCheckTests.schedule(windows([8, 12, 16])), drawn(3),
      "it is due 3 times a day, drawn, and was due at times on the wall"
    ),
    (
      interval(21_600, from: 20), interval(21_600, from: 20, firstDay: 2),
      "it is due every 21600 s from 20:00 of day 2, and was due every 21600 s from 20:00 of day 1"
    ),
    (interval(21_600, from: 2), interval(21_600, from: 2, firstDay: 2), nil),
    // 06:00 is the second of a day whose first is 00:00, which its first day has not.
    (
      interval(21_600, from: 6), interval(21_600, from: 6, firstDay: 3),
      "it is due every 21600 s from 06:00 of day 3, and was due every 21600 s from 06:00 of day 1"
    ),
    (interval(43_200), interval(43_200), nil), (interval(43_200), interval(43_200, open: 3600), nil),
    (interval(43_200), interval(43_200, firstDay: 2), nil), (drawn(3), drawn(3), nil),
    (drawn(3), drawn(3, until: "21:00", apart: 3600), nil),
  ]

  @Test(
    "a task whose times come otherwise by their numbers needs another id: another interval or number of drawn times, and one in the place of times on the wall",
    arguments: schedules)
  func otherTimes(old: StudySchedule, new: StudySchedule, found: String?) throws {
    func version(
      _ number: String, _ schedule: StudySchedule, of task: String = "log"
    ) throws -> StudyBundle {
      var sound = SoundStudy()
      sound.study.version = number
      (sound.study.tasks[0].schedule, sound.study.tasks[0].id) = (schedule, task)
      return try sound.bundle()
    }
    let first = try version("1.0.0", old)
    let findings = try version("1.1.0", new).findings(succeeding: first)
    #expect(findings.map(\.place) == (found == nil ? [] : ["tasks[0].schedule"]))
    #expect(findings.allSatisfy { $0.severity == .error && $0.remedy == "give the task another id" })
    #expect(found.map { findings.first?.found.hasPrefix($0) == true } ?? true, "\(findings)")
    #expect(try version("1.1.0", new, of: "log-2").findings(succeeding: first).isEmpty)
  }

  private static func needsHelp(
    _ bundle: StudyBundle, after value: AnswerValue, to question: String
  ) -> Bool {
    bundle.items[question].map { SelfHarmWatch(bundle.study).isAlarming(value, to: $0) } ?? false
  }

  @Test(
    "any answer above 0 to the ninth item of PHQ-9 needs help, whatever the others are; no other question does"
  )
  func selfHarm() throws {
    let bundle = try SoundStudy().bundle()
    #expect(SelfHarmWatch(bundle.study).questions == ["phq-9.9"])
    for code in ["1", "2", "3"] { #expect(Self.needsHelp(bundle, after: .choice(code), to: "phq-9.9")) }
    #expect(
      !Self.needsHelp(bundle, after: .choice("0"), to: "phq-9.9")
        && !Self.needsHelp(bundle, after: .choice("3"), to: "phq-9.8"))
    var sound = SoundStudy()
    sound.questionnaires["phq-9"]?.items[8].kind = .single(
      [Option("0", "a"), Option("x", "b")], other: true)
    let unscored = try sound.bundle()
    #expect(
      Self.needsHelp(unscored, after: .choice("x"), to: "phq-9.9")
        && !Self.needsHelp(unscored, after: .choice("0"), to: "phq-9.9"))
    #expect(Self.needsHelp(unscored, after: .choices([], other: "yes"), to: "phq-9.9"))
    #expect(try SelfHarmWatch(FifteenDays.bundle().study).questions.isEmpty)
  }
}

@Suite("Bundles that are damaged") struct DamagedBundleTests {
  @Test("3,000 drawn damages of study, manifest and archive end in a refusal or a study, never otherwise")
  func drawn() throws {
    let sound = try SoundStudy().bundle()
    let archive = try sound.archive(signedBy: FakeSigner())
    let manifest = Manifest(sound.content).bytes
    let study = sound.study.bytes
    let check = try StudyCheck(StudyCheckTests.use)
    for seed in 0..<3_000 as Range<UInt64> {
      var numbers = SeededNumbers(seed: seed)
      func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
          let place = Int.random(in: 0..<result.count, using: &numbers)
          switch Int.random(in: 0...3, using: &numbers) {
          case 0: result[place] = UInt8.random(in: 0...255, using: &numbers)
          case 1: result.remove(at: place)
          case 2:
            result.insert(contentsOf: "9e9-0[]{}\"".utf8.shuffled(using: &numbers).prefix(3), at: place)
          // Numbers become other numbers.
          default:
            if let digit = result[place...].firstIndex(where: { (48...57).contains($0) }) {
              result[digit] = 57
            }
          }
        }
        return result
      }
      #expect(throws: (any Error).self) {
        let bundle = try SignedBundle(archive: damaged(archive), trust: FakeTrust())
        // Bytes of no file, such as a time in a header, may be others.
        if bundle.bundle == sound { throw BundleError.wrongSignature }
      }
      _ = try? Manifest(damaged(manifest))
      var files = sound.content.files
      files[Study.file] = damaged(study)
      guard seed % 10 == 0, let bundle = try? StudyBundle(BundleContent(files)) else { continue }
      _ = check.findings(in: bundle)
      _ = DayModules(
        StudyEdition(bundle, StudyCheckTests.use), answers: ["log.quality": [.number(3)]], today: 3
      ).modules(on: 3)
    }
  }
}
