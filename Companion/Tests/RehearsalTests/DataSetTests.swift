import Almanac
import Base
import Exchange
import Foundation
import Instruments
import Questionnaires
import Studies
import Testing

/// A data set of one person with answers of two kinds.
private struct OnePerson {
  static let day = CalendarDate(year: 2026, month: 3, day: 29)!

  /// Codes of options as people write them.
  static let codes = ["-9", "1.5", "-1+1", "-"]

  /// - Parameter more: Entries of the dictionary besides its own.
  static func content(more: [DictionaryEntry] = []) throws -> StudyContent {
    var study = Study(id: "urn:test:d", version: "2", kind: .own, languages: ["en"], title: "D")
    study.dataTypes = [DataType("answers", "A", isRequired: true), DataType("sound", "S")]
    study.minimumCompliance = 0.8
    study.questionnaires = ["words", "room"].map { QuestionnaireFile($0, file: "\($0).json") }
    study.instruments = [
      StudyInstrument("gad-2", questionnaire: "words", items: ["1": .question("n"), "2": .question("h")])
    ]
    study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["h", "n"])]
    study.dictionary = [
      DictionaryEntry("mass_index", item: "bmi", text: "Body mass index"),
      DictionaryEntry("height", item: "h"),
      DictionaryEntry("chosen", item: "c"),
    ]
    study.dictionary += more
    let window = LocalWindow(LocalTime("04:00")!, LocalTime("04:00")!)
    let daily = StudySchedule(days: 1, .recurring(Recurrence(times: .windows([window]))))
    study.tasks = [
      StudyTask("words", .questionnaire("words"), daily, minutes: 1, dataType: "answers"),
      StudyTask("room", .questionnaire("room"), daily, minutes: 1, dataType: "sound"),
    ]
    var files = [Study.file: Array(study.json.minified.utf8)]
    let items = [
      "words": [
        Item("w", "W", .text(maxLength: nil)), Item("n", "N", .number(NumberRange())),
        Item("h", "H", .number(NumberRange(unit: "cm"))),
        Item(
          "c", "C", .multiple([Option("a", "A", points: 2)] + codes.map { Option($0, "C") }, other: true)),
      ],
      "room": [Item("r", "R", .yesNo)],
    ]
    for (id, items) in items {
      files[id + ".json"] = Array(
        Questionnaire(url: "urn:\(id)", version: "1", title: "Q", items: items).fhir.minified.utf8)
    }
    return try StudyContent(StudyEdition(StudyBundle(BundleContent(files)), BundleUse(on: day)))
  }

  static let moment = Instant("2026-03-29T08:00:00Z")!

  static func files(
    giving kinds: Set<String>?, _ values: [String: AnswerValue], measurements: [GivenMeasurement] = [],
    of measuredKinds: [String: String] = [:], everything: Bool = false, isCompleted: Bool = true,
    consents: [DataSet.GivenConsent] = [], zone: String = "UTC"
  ) throws -> [String: String] {
    let content = try content()
    func response(_ id: String, _ keys: [String]) -> DataSet.GivenResponse {
      var sheet = AnswerSheet()
      for key in keys {
        if let value = values[key] { sheet.set(value, for: AnswerKey(key), at: moment) }
      }
      return DataSet.GivenResponse(
        id: id,
        given: GivenAnswers(
          occurrence: "\(id)/2026-03-29/1", questionnaire: "urn:\(id)", sheet: sheet,
          isCompleted: isCompleted),
        zone: zone, begun: moment, completed: isCompleted ? moment : nil)
    }
    let zones = ZoneHistory(try ZoneFolder().zone("UTC"))
    let person = DataSet.Participant(
      code: "P1", course: Course(content, from: day, seed: 1, in: zones, giving: kinds), ended: nil,
      ending: nil, responses: [response("words", ["w", "n", "h", "c"]), response("room", ["r"])],
      consents: consents, measurements: measurements, measuredKinds: measuredKinds)
    let set = DataSet(content, [person], made: moment, everything: everything)
    return Dictionary(uniqueKeysWithValues: set.files.map { ($0.name, $0.text) })
  }
}

@Suite("Data sets") struct DataSetTests {
  @Test(
    "a kind that is not given leaves in no file, and with everything for oneself it does",
    arguments: [false, true])
  func kinds(everything: Bool) throws {
    let files = try OnePerson.files(
      giving: ["answers"], ["w": .text("plain"), "r": .yes(true)], everything: everything)
    for name in ["answers.csv", "responses.ndjson"] {
      #expect(files[name]?.contains("urn:room") == everything, "\(name)")
      #expect(files[name]?.contains("urn:words") == true)
    }
    #expect(files["people.csv"]?.contains("P1,2026-03-29,1,1,1,") == true)
    let package = try JSONValue(Array((files["datapackage.json"] ?? "").utf8))
    #expect(package["kinds"] == .text(everything ? "everything" : "given"))
    // Without a consent to ask for, everything is the person's own.
    #expect(
      try OnePerson.files(giving: nil, ["r": .yes(true)])["answers.csv"]?.contains("urn:room") == true)
  }

  @Test(
    "a measurement leaves by the kind of data that its task had in the version under which it was begun",
    arguments: [
      // In the present version `room` is of the kind `sound`, which is not given, and `words` of `answers`, which is.
      ("room", "answers", true), ("words", "sound", false), ("words", nil, true), ("room", nil, false),
      ("of another version", "answers", true), ("of another version", "sound", false),
      ("of no version", nil, false),
    ] as [(String, String?, Bool)])
  func measuredKinds(task: String, kind: String?, leaves: Bool) throws {
    let run = GivenMeasurement(
      id: "m1", occurrence: "\(task)/2026-03-29/1", kind: TaskKind.Key("loudness-match", version: 1),
      settings: [:], studyVersion: "earlier", begun: OnePerson.moment, zone: "UTC",
      end: .init(.absent("room: exit status 69"), at: OnePerson.moment))
    func table(everything: Bool) throws -> String? {
      try OnePerson.files(
        giving: ["answers"], [:], measurements: [run], of: kind.map { ["m1": $0] } ?? [:],
        everything: everything)["measurements.csv"]
    }
    #expect((try table(everything: false)?.contains("room: exit status 69") ?? false) == leaves)
    #expect(try table(everything: true)?.contains("room: exit status 69") == true)
  }

  @Test(
    "of rows that earlier versions kept neither the name of somebody's earphones leaves nor their address, in no file"
  )
  func names() throws {
    let device = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp (AirPods Pro)"
    let outcomes: [MeasurementOutcome] = [
      .absent("hearing-test: Anna Muster's AirPods Pro is connected by the hands-free profile"),
      .measured(
        [MeasuredValue("level", 25, "dB HL")],
        MeasurementRecord(
          id: "r", device: device, calibration: "none", program: "p",
          report: #"{"calibration":{"device":"\#(device)"}}"#)),
    ]
    let runs = outcomes.enumerated().map { place, outcome in
      GivenMeasurement(
        id: "m\(place)", occurrence: "room/2026-03-29/1", kind: TaskKind.Key("loudness-match", version: 1),
        settings: [:], studyVersion: "earlier", begun: OnePerson.moment, zone: "UTC",
        end: .init(outcome, at: OnePerson.moment))
    }
    let files = try OnePerson.files(giving: nil, [:], measurements: runs, everything: true)
    for (name, text) in files {
      for word in ["Anna", "Muster", "00:11"] { #expect(!text.contains(word), "\(name)") }
    }
    let table = try #require(files["measurements.csv"])
    #expect(table.contains(#",UTC,"hearing-test: words of the aid's, left out",,,,\#r\#n"#))
    #expect(table.contains(",UTC,,r,AirPods Pro,none,p\r\n"))
  }

  @Test(
    "control characters of answers that were kept before leave as U+FFFD, in the tables and in FHIR; tab and breaks stay"
  )
  func controlCharacters() throws {
    let files = try OnePerson.files(
      giving: nil,
      ["w": .text("a\0b\u{1B}[2J\u{7F}\tc\nd"), "c": .choices(["a"], other: "own\u{7}")])
    let answers = try #require(files["answers.csv"])
    #expect(answers.contains(",w,,,\"a\u{FFFD}b\u{FFFD}[2J\u{FFFD}\tc\nd\","), "\(answers)")
    #expect(answers.contains(",c,chosen,,a;=own\u{FFFD},"))
    let responses = try #require(files["responses.ndjson"])
    let text = #""valueString":"a\#u{FFFD}b\#u{FFFD}[2J\#u{FFFD}\u0009c\u000ad""#
    #expect(responses.contains(text), "\(responses)")
    #expect(responses.contains("\"valueString\":\"own\u{FFFD}\""))
    for (name, text) in files {
      let found = text.unicodeScalars.filter {
        $0 != "\n" && $0 != "\r" && $0 != "\t" && ($0.value < 0x20 || $0.value == 0x7F)
      }
      #expect(found.isEmpty, "\(name)")
    }
  }

  @Test(
    "U+0080 to U+009F, which are taken and steer terminals, leave as they are in FHIR and as U+FFFD in tables"
  )
  func upperControlCharacters() throws {
    let files = try OnePerson.files(giving: nil, ["w": .text("it\u{92}s\u{9B}2J")])
    #expect(files["answers.csv"]?.contains(",w,,,it\u{FFFD}s\u{FFFD}2J,") == true)
    let text = #""valueString":"it\u0092s\u009b2J""#
    #expect(files["responses.ndjson"]?.contains(text) == true)
  }

  @Test(
    "an answer that follows from others stands in a table with its column, by the answers given last: 81 kg at 180 cm are 25"
  )
  func derived() throws {
    let files = try OnePerson.files(giving: nil, ["h": .number(180), "n": .number(81)])
    #expect(files["derived.csv"]?.contains("\r\nP1,bmi,mass_index,body-mass-index,h;n,25\r\n") == true)
    #expect(
      try OnePerson.files(giving: nil, ["h": .number(180)])["derived.csv"]?
        .contains("\r\nP1,bmi,mass_index,body-mass-index,h;n,\r\n") == true)
    // Its answers are of a kind that is not given.
    #expect(
      try OnePerson.files(giving: ["sound"], ["h": .number(180), "n": .number(81)])["derived.csv"]?
        .contains("h;n,\r\n") == true)
    #expect(files["datapackage.json"]?.contains("derived.csv") == true)
  }

  /// Signs of OWASP, "CSV Injection"; the apostrophe itself, so that the first one can always be taken away.
  @Test(
    "words that a spreadsheet takes for a formula have an apostrophe before them; numbers, codes and other words have not",
    arguments: [
      ("=1+1", "'=1+1"), ("+49 30", "'+49 30"), ("-", "'-"), ("@x", "'@x"), ("'q'", "''q'"),
      ("\tx", "'\tx"), ("a=b", "a=b"), ("=\"x\",1", "\"'=\"\"x\"\",1\""), ("\r=1", "\"'\r=1\""),
      ("ä=", "ä="),
    ])
  func formulas(words: String, cell: String) throws {
    let text = try #require(
      try OnePerson.files(
        giving: nil, ["w": .text(words), "n": .number(-3.5), "c": .choices([], other: "own")])[
          "answers.csv"])
    #expect(text.contains(",w,,,\(cell),"), "\(text)")
    #expect(text.contains(",n,,,-3.5,") && text.contains(",c,chosen,,'=own,"))
  }

  @Test("names that somebody's login writes in the place of a study's own are no formulas in any table")
  func writtenNames() throws {
    let record = MeasurementRecord(id: "r", device: "d", calibration: "none", program: "p", report: "{}")
    let run = GivenMeasurement(
      id: "m1", occurrence: "=o()/2026-03-29/1", kind: TaskKind.Key("=k()", version: 1), settings: [:],
      studyVersion: "=v()", begun: OnePerson.moment, zone: "=z()",
      end: .init(.measured([MeasuredValue("=n()", 1, "=u()")], record), at: OnePerson.moment))
    let consent = DataSet.GivenConsent(
      number: 1, version: "2", versionHash: "=h()", text: "=t()", language: "=l()",
      ticks: [.init(kind: "=k()", isGiven: true, since: OnePerson.moment, zone: "=z()")])
    let files = try OnePerson.files(
      giving: nil, ["w": .text("plain")], measurements: [run], consents: [consent], zone: "=z()")
    for (name, text) in files where name.hasSuffix(".csv") {
      let cells = text.split { $0 == "," || $0.isNewline }
      #expect(!cells.contains { $0.hasPrefix("=") || $0.hasPrefix("\"=") }, "\(name): \(text)")
    }
    let measured = "P1,1,'=o()/2026-03-29/1,'=k(),'=n(),1,'=u()\r\n"
    #expect(files["measured.csv"]?.hasSuffix(measured) == true)
    #expect(files["measurements.csv"]?.contains(",'=o()/2026-03-29/1,'=k(),1,'=v(),") == true)
    #expect(files["consents.csv"]?.contains("P1,1,2,'=h(),'=t(),'=l(),'=k(),true,") == true)
    #expect(files["answers.csv"]?.contains(",'=z(),2\r\n") == true)
  }

  @Test(
    "names of a version that anybody may have added are no formulas: column, question, questionnaire, version"
  )
  func addedVersion() throws {
    let content = try OnePerson.content(more: [DictionaryEntry("=c()", item: "=i()")])
    let outline = try Outline(
      Questionnaire(
        url: "=u()", version: "1", title: "Q", items: [Item("=i()", "I", .text(maxLength: nil))]))
    var sheet = AnswerSheet()
    sheet.set(.text("plain"), for: AnswerKey("=i()"), at: OnePerson.moment)
    let response = DataSet.GivenResponse(
      id: "r",
      given: GivenAnswers(
        occurrence: "=o()/2026-03-29/1", questionnaire: "=u()", sheet: sheet, isCompleted: true,
        outline: outline),
      zone: "UTC", begun: OnePerson.moment, completed: OnePerson.moment, version: "=v()")
    let consent = DataSet.GivenConsent(
      number: 1, version: "=v()", versionHash: "h", text: "t", language: "en",
      ticks: [.init(kind: "k", isGiven: true, since: OnePerson.moment, zone: "UTC")])
    let zones = ZoneHistory(try ZoneFolder().zone("UTC"))
    let person = DataSet.Participant(
      code: "P1", course: Course(content, from: OnePerson.day, seed: 1, in: zones), ended: nil,
      ending: nil, responses: [response], consents: [consent])
    let set = DataSet(content, [person], made: OnePerson.moment)
    let files = Dictionary(uniqueKeysWithValues: set.files.map { ($0.name, $0.text) })
    let answers = try #require(files["answers.csv"])
    #expect(
      answers.contains("\r\nP1,1,2026-03-29,'=o()/2026-03-29/1,'=u()|1,'=i(),'=c(),,plain,"), "\(answers)")
    #expect(answers.hasSuffix(",UTC,'=v()\r\n"))
    #expect(files["consents.csv"]?.contains("\r\nP1,1,'=v(),h,t,en,k,true,") == true)
  }

  @Test(
    "a quotation mark is doubled whatever combines with it, and every break stands in quotation marks",
    arguments: [
      ("x\"\u{301},=1", "\"x\"\"\u{301},=1\""), ("\"\u{200D}", "\"\"\"\u{200D}\""),
      ("a,\u{301}b", "\"a,\u{301}b\""), ("a\r\nb", "\"a\r\nb\""), ("\"\r\n\"", "\"\"\"\r\n\"\"\""),
      (" \u{301}a", "\" \u{301}a\""), ("a\u{301}", "a\u{301}"),
    ])
  func combined(words: String, cell: String) {
    var table = Table("t", [.init("first", .string, "F"), .init("second", .string, "S")])
    table.append([.words(words), .flag(true)])
    // By bytes, as other programs read it.
    #expect(Array(table.csv.utf8) == Array("first,second\r\n\(cell),true\r\n".utf8))
  }

  @Test(
    "codes that are numbers are as they are; other codes, and words beside them, have an apostrophe before a sign"
  )
  func codes() throws {
    for (codes, own, cell) in [
      (["-9"], nil, "-9"), (["-9", "1.5"], nil, "-9;1.5"), (["-1+1"], nil, "'-1+1"), (["-"], nil, "'-"),
      (["-9"], "own", "'-9;=own"), (["a", "-9"], nil, "a;-9"),
    ] as [([String], String?, String)] {
      let text = try OnePerson.files(giving: nil, ["c": .choices(codes, other: own)])["answers.csv"]
      #expect(text?.contains(",c,chosen,,\(cell),") == true, "\(cell)")
    }
  }

  @Test(
    "a response as FHIR has it names the person's code and the occurrence, and nobody is named otherwise")
  func subject() throws {
    let lines = try #require(try OnePerson.files(giving: nil, ["r": .yes(true)])["responses.ndjson"])
    let responses = try lines.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    #expect(
      responses.map { $0["subject"] } == [["identifier": ["value": "P1"]], ["identifier": ["value": "P1"]]])
    #expect(
      responses.map { $0["identifier"] } == [
        ["value": "words/2026-03-29/1"], ["value": "room/2026-03-29/1"],
      ])
  }

  @Test(
    "codes of a person and of a response follow from their names with the part's seed, not from names alone"
  )
  func partCodes() throws {
    let codes = PartCodes(part: "part-1", seed: 7)
    // printf 'participant part-1 7' | sha256sum; printf 'response r-1 7' | sha256sum
    #expect(codes.person == "P3889c5b2efb1f7f")
    #expect(codes.response("r-1") == "Rafa4427f796c34c765606ab55caa565")
    let others = (0..<100 as Range<UInt64>).map { PartCodes(part: "part-1", seed: $0) }
    #expect(Set(others.map(\.person)).count == 100 && Set(others.map { $0.response("r-1") }).count == 100)
  }

  @Test(
    "the description has the share that must be done, the unit of a number, options with their points, and an instrument's makers and source"
  )
  func description() throws {
    let files = try OnePerson.files(giving: nil, [:])
    let package = try JSONValue(Array((files["datapackage.json"] ?? "").utf8))
    #expect(
      package["instruments"] == [
        [
          "instrument": "gad-2", "name": "GAD-2", "attribution": .text(Instrument.gad2.attribution),
          "source": "Kroenke et al. 2007",
        ]
      ])
    #expect(package["minimum_compliance"] == .number(0.8))
    guard case .array(let dictionary)? = package["dictionary"]?.content else {
      Issue.record("no dictionary")
      return
    }
    func entry(_ item: String) -> JSONValue? { dictionary.first { $0["item"] == .text(item) } }
    #expect(entry("h")?["unit"] == .text("cm"))
    #expect(entry("h")?["options"] == nil)
    var options: [JSONValue] = [["code": "a", "text": "A", "points": 2]]
    for code in OnePerson.codes { options.append(["code": .text(code), "text": "C"]) }
    #expect(entry("c")?["options"] == .array(options))
    #expect(entry("bmi")?["unit"] == nil)
  }

  @Test("a score says how many items were answered, and whether its questionnaire is completed")
  func scores() throws {
    let complete = try OnePerson.files(giving: nil, ["n": .number(2)])["scores.csv"]
    #expect(complete?.contains(",absent,answered,completed\r\n") == true)
    #expect(
      complete?.contains(",words/2026-03-29/1,gad-2,1,,,,,,item 2 not answered,1,true\r\n") == true)
    let open = try OnePerson.files(
      giving: nil, ["n": .number(2), "h": .number(1)], isCompleted: false)["scores.csv"]
    #expect(
      open?.contains(",words/2026-03-29/1,gad-2,1,,3,,,positive,,2,false\r\n") == true, "\(open ?? "")")
    // Nobody has answered it.
    #expect(
      try OnePerson.files(giving: nil, [:], isCompleted: false)["scores.csv"]?.contains(",0,\r\n") == true)
  }
}
