import Almanac
import Base
import Foundation
import Questionnaires
import Records
import SQLiteRecords
import Studies
import Synchronization
import Testing

@testable import Companion

/// Somebody who types prepared lines; what was said is kept.
final class Script: Asking, Sendable {
  private let lines: Mutex<[String]>
  private let said = Mutex("")

  init(_ lines: [String]) { self.lines = Mutex(lines) }

  var isPresent: Bool { true }
  var text: String { said.withLock { $0 } }
  func say(_ text: String) { said.withLock { $0 += text } }
  func ask(_ prompt: String) -> String? {
    say(prompt)
    return lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

/// A questionnaire that a script answers, on a database of its own.
struct Sitting {
  let database: any Records.Database
  let surroundings = Surroundings(
    now: { Instant(milliseconds: 1500) }, zone: "UTC", zones: ZoneFolder(), language: "de-AT",
    newID: { "id" })
  var response: Response
  let study: Study

  static let noSelfHarm = Study(id: "urn:test", version: "1", kind: .own, languages: ["en"], title: "T")

  init(_ folder: URL, _ items: [Item], _ study: Study = noSelfHarm) throws {
    self.study = study
    let file = SQLiteFile(folder)
    database = try SQLiteDatabase(path: file.path)
    let session = Session(subject: "self", at: Instant(milliseconds: 1000))
    try database.migrate(to: .tables(for: .sqlite), at: session)
    let version = StudyVersion(study: "urn:test", version: "1", signer: "own", content: [1])
    try StudyVersions(database).keep(version, session)
    let day = try #require(CalendarDate("2026-03-29"))
    let part = try Enrolments(database).begin(
      "e", version: version.sha256, on: day, in: "UTC", seed: 1, session)
    let occurrence = Occurrence(
      id: "t/2026-03-29/1", date: day, number: 1, opens: Instant(milliseconds: 0),
      closes: Instant(milliseconds: 9000),
      zoneName: "UTC")
    let outline = try Outline(Questionnaire(url: "urn:q", version: "1", title: "Q", items: items))
    response = try Responses(database).open("r", occurrence, of: part.id, outline, session)
  }

  private struct SQLiteFile {
    let path: String
    init(_ folder: URL) { path = folder.appendingPathComponent("c.db").path }
  }

  /// Types the lines.
  ///
  /// - Returns: The ending, and all that was said.
  mutating func type(_ lines: String...) throws -> (Questioner.Ending, String) {
    let script = Script(lines)
    let questioner = Questioner(
      database, surroundings, subject: "self", person: script, watch: SelfHarmWatch(study),
      help: "HELP PAGE")
    let ending = try questioner.ask(&response)
    return (ending, script.text)
  }

  static func with(
    _ items: [Item], _ study: Study = noSelfHarm, _ body: (inout Sitting) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var sitting = try Sitting(folder, items, study)
    try body(&sitting)
  }
}

@Suite("Asked on a terminal") struct QuestionerTests {
  static let sleep = [
    Item("read", "Good morning.", .info),
    Item(
      "slept", LocalizedText("Did you sleep?", ["de": "Haben Sie geschlafen?"]), .yesNo, isRequired: true),
    Item(
      "hours", "Hours?", .number(NumberRange(0, 24, step: 0.5, unit: "h")), isRequired: true,
      when: [Condition("slept", .equal, .yes(true))]),
    Item("note", "A note?", .text(maxLength: 10)),
  ]

  @Test("in the person's language, with what may be typed; what is no answer is said and asked again")
  func asked() throws {
    try Sitting.with(Self.sleep) { sitting in
      let (ending, said) = try sitting.type("perhaps", "ja", "25", "7,5", "much too long", "-")
      #expect(ending == .completed && sitting.response.completed != nil)
      #expect(said.contains("Haben Sie geschlafen?") && said.contains("Good morning."))
      #expect(said.contains("Found \"perhaps\"; expected yes or no."))
      #expect(
        said.contains("expected a number from 0 to 24 in steps of 0.5 h")
          && said.contains("at most 10 letters"))
      #expect(sitting.response.sheet[AnswerKey("hours")] == .number(7.5))
    }
  }

  @Test("stopped in the middle, by q or by the end of the lines, it goes on with the question that waits")
  func stopped() throws {
    try Sitting.with(Self.sleep) { sitting in
      let (ending, _) = try sitting.type("yes", "q")
      #expect(ending == .stopped && sitting.response.sheet.answers.count == 1)
      let (again, said) = try sitting.type("8")
      #expect(again == .stopped && !said.contains("geschlafen") && !said.contains("Good morning"))
      #expect(sitting.response.sheet.answers.count == 2)
    }
  }

  @Test("back to a question shows its answer, Enter keeps it, another answer changes what follows")
  func back() throws {
    try Sitting.with(Self.sleep) { sitting in
      let (ending, said) = try sitting.type("yes", "8", "<", "", "<", "<", "no", "-")
      #expect(
        ending == .completed && said.contains("now: 8 h (Enter keeps it)") && said.contains("now: yes"))
      #expect(sitting.response.sheet[AnswerKey("slept")] == .yes(false))
      #expect(sitting.response.display.submitted.map(\.key.item) == ["slept"])
    }
  }

  @Test(
    "an answer that another program gave meanwhile is told, shown and asked about; nothing is replaced unseen"
  )
  func elsewhere() throws {
    try Sitting.with(Self.sleep) { sitting in
      var other = sitting.response
      let session = Session(subject: "self", at: Instant(milliseconds: 1400))
      try Responses(sitting.database).answer(.yes(true), for: AnswerKey("slept"), in: &other, session)
      try Responses(sitting.database).answer(.number(6), for: AnswerKey("hours"), in: &other, session)
      let (ending, said) = try sitting.type("no", "", "-")
      #expect(ending == .completed && said.contains("Another program has answered this meanwhile"))
      #expect(said.contains("now: yes"))
      #expect(sitting.response.sheet[AnswerKey("slept")] == .yes(true))
    }
  }

  @Test(
    "a question that another program has opened is asked before the end, and nothing is completed without its answer"
  )
  func openedElsewhere() throws {
    let items = [
      Item("any", "Any?", .yesNo, isRequired: true),
      Item(
        "note", "Which?", .text(maxLength: nil), isRequired: true,
        when: [Condition("any", .equal, .yes(true))]),
      Item("last", "Anything besides?", .text(maxLength: nil)),
    ]
    try Sitting.with(items) { sitting in
      // The lines end at the last question.
      let (standing, _) = try sitting.type("no")
      #expect(standing == .stopped)
      var other = sitting.response
      let session = Session(subject: "self", at: Instant(milliseconds: 1600))
      try Responses(sitting.database).answer(.yes(true), for: AnswerKey("any"), in: &other, session)
      let (ending, said) = try sitting.type("done", "a dog")
      #expect(
        ending == .completed
          && said.contains(
            "Another program has answered in this questionnaire meanwhile; your answers are kept, and it is not completed yet.\n"
          ))
      #expect(!said.contains("nothing of yours was saved"))
      #expect(sitting.response.display.submitted.map(\.key.item) == ["any", "note", "last"])
      #expect(sitting.response.sheet[AnswerKey("note")] == .text("a dog"))
    }
  }

  /// A group that is answered once or more, up to four times, and a question behind it.
  static let medicines = [
    Item(
      "meds", "Medicines", .group(repeats: 4),
      items: [Item("med", "Which?", .text(maxLength: nil), isRequired: true)]),
    Item("end", "Since when?", .text(maxLength: nil), isRequired: true),
  ]

  @Test(
    "yes to another one takes nothing of another program's repetitions away: they are told, and it is asked again"
  )
  func repeatedElsewhere() throws {
    try Sitting.with(Self.medicines) { sitting in
      // The lines end at the question for another one.
      let (standing, _) = try sitting.type("a")
      #expect(standing == .stopped)
      var other = sitting.response
      let (records, session) = (
        Responses(sitting.database), Session(subject: "self", at: Instant(milliseconds: 1600))
      )
      for (number, text) in [(1, "b"), (2, "c")] {
        try records.repeatGroup(AnswerKey("meds"), number + 1, in: &other, session)
        try records.answer(.text(text), for: AnswerKey("med", [number]), in: &other, session)
      }
      let (ending, said) = try sitting.type("yes", "", "2020")
      #expect(ending == .completed && said.contains("Another program has answered this meanwhile"))
      #expect(said.components(separatedBy: "Medicines: another one?").count == 3)
      #expect(
        sitting.response.display.submitted.map(\.answer.value)
          == ["a", "b", "c", "2020"].map { AnswerValue.text($0) })
    }
  }

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
    try Sitting.with(Self.medicines) { sitting in
      let script = Script(lines)
      let ending = try Questioner(
        sitting.database, sitting.surroundings, subject: "self", person: script,
        watch: SelfHarmWatch(sitting.study), help: "HELP PAGE"
      ).ask(&sitting.response)
      #expect(ending == .completed, "\(script.text)")
      #expect(sitting.response.display.submitted.map(\.answer.value) == kept.map { AnswerValue.text($0) })
    }
  }

  @Test(
    "an answer typed into a repetition that another program has taken back is not hidden unasked: yes to another one brings it back",
    arguments: [("yes", ["a", "b", "2020"]), ("no", ["a", "2020"])] as [(String, [String])])
  func takenBackElsewhere(line: String, kept: [String]) throws {
    try Sitting.with(Self.medicines) { sitting in
      // The lines end at the question of the second repetition.
      let (standing, _) = try sitting.type("a", "yes")
      #expect(standing == .stopped)
      var other = sitting.response
      let session = Session(subject: "self", at: Instant(milliseconds: 1600))
      try Responses(sitting.database).repeatGroup(AnswerKey("meds"), 1, in: &other, session)
      let (ending, said) = try sitting.type("b", "", "2020", line)
      #expect(ending == .completed && said.contains("your answers are kept"), "\(said)")
      #expect(said.components(separatedBy: "Medicines: another one?").count == 3)
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
      let (ending, said) = try sitting.type("<", "yes", "b", "", "2020")
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
      let (ending, said) = try sitting.type("a", "1", "yes", "-", "<", "<", "")
      #expect(ending == .completed, "\(said)")
      #expect(sitting.response.sheet.repetitions == [AnswerKey("meds"): 1])
      #expect(
        sitting.response.display.submitted.map(\.answer.value)
          == [AnswerValue.text("a"), AnswerValue.number(1)])
    }
  }

  @Test("a required question is neither skipped nor passed by Enter; help is told where there is some")
  func required() throws {
    let items = [
      Item("a", "A?", .scale(NumberRange(0, 10, step: 1)), isRequired: true, help: "From none to most.")
    ]
    try Sitting.with(items) { sitting in
      let (ending, said) = try sitting.type("-", "", "?", "10")
      #expect(ending == .completed && said.contains("From none to most."))
      #expect(said.components(separatedBy: "This question needs an answer.").count == 3)
    }
  }

  @Test(
    "choices by their numbers or codes, with words of one's own behind =; a group once more as often as wanted"
  )
  func choices() throws {
    let items = [
      Item(
        "naps", "Nap", .group(repeats: 2),
        items: [
          Item(
            "why", "Why?", .multiple([Option("t", "Tired"), Option("b", "Bored")], other: true),
            isRequired: true)
        ]),
      Item("one", "One?", .single([Option("x", "X"), Option("y", "Y")], other: false), isRequired: true),
    ]
    try Sitting.with(items) { sitting in
      let (ending, said) = try sitting.type("1,b = hot, too", "maybe", "yes", "= own", "3", "Y")
      #expect(ending == .completed && said.contains("Found \"maybe\"; expected yes or no."))
      let sheet = sitting.response.sheet
      #expect(sheet[AnswerKey("why", [0])] == .choices(["t", "b"], other: "hot, too"))
      #expect(sheet[AnswerKey("why", [1])] == .choices([], other: "own"))
      #expect(sheet[AnswerKey("one")] == .choice("y"))
    }
  }

  @Test(
    "every kind is read as it is typed, and refused with what may be typed",
    arguments: [
      ("yes", .yesNoDontKnow, .yes(true)), ("d", .yesNoDontKnow, .dontKnow), ("nein", .yesNo, .yes(false)),
      ("23:30", .time, .time(LocalTime("23:30")!)),
      ("2028-02-29", .date(from: nil, to: nil), .date(CalendarDate("2028-02-29")!)),
      ("  a b ", .text(maxLength: nil), .text("a b")), ("-3.5", .number(NumberRange()), .number(-3.5)),
      ("1e5", .number(NumberRange()), nil), ("24:00", .time, nil),
      ("2026-02-29", .date(from: nil, to: nil), nil),
      ("2", .single([Option("a", "A")], other: false), nil),
      ("= x", .single([Option("a", "A")], other: false), nil),
      ("= x", .single([Option("a", "A")], other: true), .choices([], other: "x")),
      ("", .text(maxLength: nil), nil),
      ("-9223372036854775808", .single([Option("a", "A")], other: false), nil),
      ("9223372036854775807", .single([Option("a", "A")], other: false), nil),
      ("0", .multiple([Option("a", "A")], other: false), nil),
      ("1", .single([], other: true), nil),
    ] as [(String, ItemKind, AnswerValue?)])
  func kinds(line: String, kind: ItemKind, expected: AnswerValue?) {
    #expect(AnswerText.value(line, for: Item("i", "I", kind)) == expected)
    #expect(!AnswerText.expectation(of: Item("i", "I", kind)).isEmpty)
  }

  @Test(
    "three digits behind a comma or a point are no whole number: of 10,000 a thousandth would be kept",
    arguments: [
      ("10,000", nil), ("1.000", nil), ("-1,000", nil), ("10000", 10_000), ("5.0", 5), ("5,00", 5),
      ("2.0000", 2),
    ] as [(String, Double?)])
  func thousands(line: String, expected: Double?) {
    let range = NumberRange(0, 20_000, step: 1)
    for kind in [ItemKind.number(range), .scale(range), .numberScroll(range), .minutesScroll(range)] {
      for choosing in [AnswerText.Choosing.numbers, .codes] {
        let value = AnswerText.value(line, for: Item("i", "I", kind), choosing: choosing)
        #expect(value == expected.map { .number($0) })
      }
    }
  }

  @Test(
    "a whole number that can have thousands is asked for without a comma or point, so that the refusal of 10,000 says its reason",
    arguments: [
      (NumberRange(0, 20_000, step: 1), "a whole number from 0 to 20000, without a comma or point"),
      (NumberRange(1, step: 1, unit: "h"), "a whole number of at least 1 h, without a comma or point"),
      (NumberRange(0, 10, step: 1), "a whole number from 0 to 10"),
      (NumberRange(nil, 9, step: 1), "a whole number of at most 9"),
      (NumberRange(step: 1), "a whole number, without a comma or point"),
      (NumberRange(0, 20, unit: "h"), "0 to 20 h"),
    ] as [(NumberRange, String)])
  func wholeNumbers(range: NumberRange, expected: String) throws {
    let item = Item("n", "N?", .number(range), isRequired: true)
    #expect(AnswerText.expectation(of: item) == expected)
    guard range == NumberRange(0, 20_000, step: 1) else { return }
    try Sitting.with([item]) { sitting in
      let (ending, said) = try sitting.type("10,000", "10000")
      #expect(ending == .completed && said.contains("Found \"10,000\"; expected \(expected).\n"))
    }
  }

  @Test("a number that need not be whole is taken with a comma or a point")
  func decimals() {
    for range in [NumberRange(0, 20, step: 0.5), NumberRange(0, 20)] {
      let item = Item("i", "I", .number(range))
      #expect(AnswerText.value("7,5", for: item) == .number(7.5))
      #expect(AnswerText.value("7.500", for: item) == .number(7.5))
    }
  }
}

@Suite("Places and texts from outside") struct OutsideTests {
  @Test(
    "an address of libpq is a server in whatever order and case; anything besides is a file, and what is not kept is refused",
    arguments: [
      ("host=/run dbname=x", true), ("dbname=companion", true), ("user=owner host=x", true),
      ("service=foo", true),
      ("port=5 host=x", true), ("POSTGRESQL://host/x", true), ("postgres://x", true), ("a=b.db", false),
      ("/home/ada/companion.db", false), ("companion.db", false),
    ])
  func places(text: String, isServer: Bool) throws {
    let place = try CompanionDatabase(text)
    #expect(place == (isServer ? .server(text) : .file(text)))
  }

  @Test(
    "every word of libpq may begin an address, also one of a later version: no password becomes a file's name",
    arguments: [
      "sslrootcert=/etc/ca.pem", "gssencmode=disable", "keepalives=1", "sslcert=c.pem",
      "channel_binding=require", "ssl_min_protocol_version=TLSv1.3", "tcp_user_timeout=9", "krbsrvname=x",
      "require_auth=scram-sha-256", "sslnegotiation=direct", "min_protocol_version=3.2",
    ])
  func everyWord(word: String) throws {
    let address = "\(word) host=db dbname=x password=secret"
    let place = try CompanionDatabase(address)
    #expect(place == .server(address) && !place.words.contains("secret"))
  }

  @Test(
    "nothing, and SQLite's names of databases in memory, are no place",
    arguments: ["", ":memory:", "file:x?mode=memory"])
  func noPlace(text: String) { #expect(throws: Failure.self) { try CompanionDatabase(text) } }

  @Test(
    "the words of a server are host, port, database and user alone, by libpq's rules, and no password in whatever form",
    arguments: [
      ("dbname=x password=secret", "dbname=x"), ("dbname = x password = secret", "dbname=x"),
      ("password='my secret' host=/run user=ada", "host=/run user=ada"),
      (#"dbname='a b' password='it\'s secret' port=5433"#, "port=5433 dbname='a b'"),
      ("host=h sslpassword=secret sslkey=secret.pem passfile=secret", "host=h"),
      ("postgresql://ada:secret@host:5433/x?sslpassword=secret", "host=host port=5433 dbname=x user=ada"),
      ("postgres://host/x?password=secret", "host=host dbname=x"), ("password=secret", "the server"),
      ("dbname=postgresql://ada:secret@host/x", "the server"),
      ("dbname=x password=my secret", "the server"),
    ])
  func password(address: String, words: String) throws {
    #expect(try CompanionDatabase(address).words == words)
  }

  @Test("an address that libpq cannot read is refused without any part of its password")
  func unreadableAddress() throws {
    // libpq's own words: missing "=" after "secret" in connection info string.
    let place = try CompanionDatabase("dbname=x password=my secret")
    #expect { try place.open(at: Instant(seconds: 0)) } throws: {
      "\($0)".contains("expected words such as host=/run/postgresql") && !"\($0)".contains("secret")
    }
  }

  @Test(
    "nothing steers the terminal: control characters become U+FFFD, line breaks, tabs and letters of all scripts stay"
  )
  func printable() {
    #expect(
      Printable.text("a\u{1B}[2Jb\u{7}\u{9B}c\r\0") == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\u{FFFD}\u{FFFD}")
    #expect(Printable.text("Ωμέγα\t耳\n👂🏽") == "Ωμέγα\t耳\n👂🏽")
  }

  @Test("20,000 letters are an answer without a limit of its own, one more is not")
  func longest() throws {
    let item = Item("i", "I", .text(maxLength: nil))
    try item.check(.text(String(repeating: "ä", count: 20_000)))
    #expect(throws: AnswerRefusal.self) { try item.check(.text(String(repeating: "a", count: 20_001))) }
  }
}

@Suite("Self-harm") struct SelfHarmTests {
  static let options = (0...3).map { Option("\($0)", LocalizedText("\($0)"), points: Double($0)) }
  static let items = (1...9).map {
    Item("phq-9.\($0)", LocalizedText("Question \($0)"), .single(options, other: false), isRequired: true)
  }
  static let study: Study = {
    var study = Sitting.noSelfHarm
    study.instruments = [StudyInstrument("phq-9", questionnaire: "q")]
    return study
  }()

  @Test(
    "an answer of 1, 2 or 3 to item 9 is followed by the help page at once, whatever the total; 0 is not",
    arguments: 0...3, [0, 3])
  func next(answer: Int, others: Int) throws {
    try Sitting.with(Self.items, Self.study) { sitting in
      let script = Script(Array(repeating: "\(others + 1)", count: 8) + ["\(answer + 1)", ""])
      let ending = try Questioner(
        sitting.database, sitting.surroundings, subject: "self", person: script,
        watch: SelfHarmWatch(Self.study),
        help: "HELP PAGE"
      ).ask(&sitting.response)
      #expect(ending == .completed)
      #expect(script.text.contains("HELP PAGE") == (answer > 0))
      let alerts = try Alerts(sitting.database).all(
        Session(subject: "self", at: Instant(milliseconds: 1500)))
      #expect(
        alerts.count == (answer > 0 ? 1 : 0)
          && alerts.allSatisfy { $0.helpSeen != nil && $0.delivered == nil })
    }
  }

  @Test("a program that ended before the help page was left shows it first when it is begun again")
  func after() throws {
    try Sitting.with(Self.items, Self.study) { sitting in
      let session = Session(subject: "self", at: Instant(milliseconds: 1500))
      try Responses(sitting.database).answer(
        .choice("1"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &sitting.response, session)
      let (_, said) = try sitting.type("", "q")
      let place = try #require(said.range(of: "HELP PAGE"))
      #expect(!said[..<place.lowerBound].contains("Question"))
      let (_, again) = try sitting.type("q")
      #expect(!again.contains("HELP PAGE"))
    }
  }

  @Test("an alert is told once, keeps the reason of a failure, and who has taken care of it first")
  func delivery() throws {
    try Sitting.with(Self.items, Self.study) { sitting in
      let session = Session(subject: "self", at: Instant(milliseconds: 1500))
      try Responses(sitting.database).answer(
        .choice("3"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &sitting.response, session)
      let alerts = Alerts(sitting.database)
      func only() throws -> Alert { try #require(try alerts.all(session).first) }
      try alerts.attempted(only(), failure: "no mail program", session)
      #expect(try only().delivered == nil && only().failure == "no mail program" && only().attempts == 1)
      try alerts.attempted(only(), failure: nil, session)
      #expect(try only().delivered == session.now && only().failure == nil && only().attempts == 2)
      try alerts.acknowledge(only(), by: "Dr A", session)
      try alerts.acknowledge(only(), by: "Dr B", session)
      #expect(try only().acknowledgedBy == "Dr A")
      // Another answer to it is another alert.
      try Responses(sitting.database).answer(
        .choice("1"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &sitting.response, session)
      #expect(try only().delivered == nil && only().acknowledged == nil && only().helpSeen == nil)
    }
  }
}
