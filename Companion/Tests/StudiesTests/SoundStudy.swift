import Almanac
import Base
import Instruments
import Questionnaires

@testable import Studies

/// A small study without a fault, in two languages, of which each test spoils one thing.
struct SoundStudy {
  var study: Study
  var questionnaires: [String: Questionnaire]
  /// Texts by path.
  var texts: [String: String]

  init() {
    study = Self.study()
    questionnaires = [
      "eligibility": Self.questionnaire(
        "eligibility",
        [Item("age", Samples.both("Age?"), .number(NumberRange(0, 120, step: 1)), isRequired: true)]),
      "log": Self.questionnaire(
        "log",
        [
          Item(
            "log.quality", Samples.both("How was it?"), .scale(NumberRange(1, 10, step: 1)),
            isRequired: true),
          Item(
            "log.why", Samples.both("Why?"), .text(maxLength: 200),
            when: [Condition("log.quality", .lessOrEqual, .number(3))]),
        ]),
      "habits": Self.questionnaire("habits", [Item("habits.coffee", Samples.both("Coffee?"), .yesNo)]),
      "phq-9": Self.instrument(.phq9), "phq-8": Self.instrument(.phq8),
    ]
    texts = [
      "texts/en/about.md": "# About\n", "texts/de/about.md": "# Worum es geht\n",
      "texts/en/help.md": "# Help\n",
      "texts/de/help.md": "# Hilfe\n", "texts/en/consent.md": "I agree.\n",
      "texts/de/consent.md": "Ich stimme zu.\n",
    ]
  }

  func questionnaire(_ id: String) -> Questionnaire { questionnaires[id] ?? Self.questionnaire(id, []) }

  static func questionnaire(_ id: String, _ items: [Item]) -> Questionnaire {
    Questionnaire(url: "urn:example:\(id)", version: "1", title: Samples.both(id), items: items)
  }

  /// One of the free instruments. The German words are stand-ins.
  static func instrument(_ instrument: Instrument) -> Questionnaire {
    let options = FreeText.answers.enumerated().map { number, text in
      Option("\(number)", Samples.both(text), points: Double(number))
    }
    return questionnaire(
      instrument.id,
      zip(instrument.items, FreeText.items[instrument.id] ?? []).map { item, text in
        Item("\(instrument.id).\(item.code)", Samples.both(text), .single(options, other: false))
      })
  }

  private static func study() -> Study {
    var study = Study(
      id: "urn:example:sound", version: "1.0.0", kind: .site, languages: ["en", "de"],
      title: Samples.both("S"))
    study.institution = "A University"
    study.investigator = Person("Ada", email: "ada@example.org")
    study.contact = Contact(Person("Ben", email: "ben@example.org"), answersWithin: 24)
    study.eligibility = Eligibility(
      "eligibility",
      inclusion: [
        .init("adult", Samples.both("Adult"), when: [Condition("age", .greaterOrEqual, .number(18))])
      ])
    (study.dayCount, study.minimumCompliance) = (10, 0.5)
    study.commitment = Commitment(text: Samples.both("Ten minutes"), minutesPerDay: 10)
    study.dataTypes = [DataType("answers", Samples.both("Answers"), isRequired: true)]
    let ids = ["eligibility", "log", "habits", "phq-9", "phq-8"]
    study.questionnaires = ids.map { QuestionnaireFile($0, file: "questionnaires/\($0).json") }
    study.instruments = [
      StudyInstrument("phq-9", questionnaire: "phq-9"), StudyInstrument("phq-8", questionnaire: "phq-8"),
    ]
    study.texts = ["about", "help", "consent"].map { id in
      StudyText(id, files: ["en": "texts/en/\(id).md", "de": "texts/de/\(id).md"])
    }
    study.helpText = "help"
    let unlocked = StudySchedule(
      days: 10,
      .recurring(Recurrence(times: .windows([LocalWindow(Samples.time("04:00"), Samples.time("04:00"))]))))
    study.tasks = [
      StudyTask("log", .questionnaire("log"), unlocked, minutes: 1, dataType: "answers", pillar: "sleep"),
      StudyTask("day", .modulesOfDay, unlocked, minutes: 9, dataType: "answers"),
    ]
    study.pillars = [Pillar("sleep", Samples.both("Sleep"), colour: "#2e5c8a")]
    study.modules = [
      StudyModule(
        "habits", Samples.both("Habits"), questionnaire: "habits", pillar: "sleep", .gateway, minutes: 1,
        priority: 1),
      StudyModule(
        "phq-9", Samples.both("Mood"), questionnaire: "phq-9", pillar: "sleep", .expansion, minutes: 3,
        priority: 2,
        substitute: "phq-8"),
      StudyModule(
        "phq-8", Samples.both("Mood"), questionnaire: "phq-8", pillar: "sleep", .expansion, minutes: 3,
        priority: 2),
    ]
    study.days = [StudyDay(1, Samples.both("First"), Samples.both("All"), minutes: 2, modules: ["habits"])]
    study.gateways = [
      Gateway("poor", when: [Condition("log.quality", .lessOrEqual, .number(5))], modules: ["phq-9"])
    ]
    study.filling = Filling(
      2...10, mostMinutes: 10, title: Samples.both("Chosen"), summary: Samples.both("For you"))
    let items =
      ["age", "log.quality", "log.why", "habits.coffee"]
      + (1...9).map { "phq-9.\($0)" } + (1...8).map { "phq-8.\($0)" }
    study.dictionary = items.map { item in
      DictionaryEntry(String(item.map { $0.isLetter || $0.isNumber ? $0 : "_" }), item: item)
    }
    return study
  }

  var files: [String: [UInt8]] {
    var files = texts.mapValues { Array($0.utf8) }
    files[Study.file] = study.bytes
    for entry in study.questionnaires {
      files[entry.file] = questionnaires[entry.id].map { Array($0.fhir.minified.utf8) }
    }
    return files
  }

  func bundle() throws -> StudyBundle { try StudyBundle(BundleContent(files)) }
}

/// Signs with a key's name and the bytes' hash, which anybody could.
struct FakeSigner: ManifestSigner {
  var key = "key-of-the-clinic"

  func signature(of manifest: [UInt8]) -> [UInt8] { Array("\(key) \(Hash.text(manifest))".utf8) }
}

struct FakeTrust: ManifestTrust {
  var keys = ["key-of-the-clinic"]

  func signer(of manifest: [UInt8], signature: [UInt8]) throws(BundleError) -> BundleSigner {
    let parts = String(decoding: signature, as: UTF8.self).split(separator: " ").map(String.init)
    guard parts.count == 2, parts[1] == Hash.text(manifest) else { throw .wrongSignature }
    guard keys.contains(parts[0]) else { throw .unknownSigner(parts[0]) }
    return BundleSigner(name: "The clinic", key: parts[0])
  }
}
