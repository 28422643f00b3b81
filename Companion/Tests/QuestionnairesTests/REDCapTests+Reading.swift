import Testing

@testable import Questionnaires

/// Dictionaries of others' projects as they are read.
extension REDCapTests {
  static let header =
    REDCapField.columns.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\n"

  static func read(_ rows: String) throws -> REDCapDictionary {
    try REDCapDictionary(csv: header + rows, url: "urn:x", version: "1")
  }

  @Test("fields of another's project are read, and all that has no place here is remarked")
  func foreign() throws {
    let read = try Self.read(
      #"""
      record_id,demo,,text,Record,,,,,,,,,,,,,
      sex,demo,About you,radio,Sex,"1, Female | 2, Male, or other",,,,,,,y,RH,,,,
      score,demo,,calc,Score,[a]+1,,,,,,,,,,,,
      phone,demo,,text,Phone,,,phone,,,y,[sex]='1' and [age]>=18,,,,,,@HIDDEN
      age,demo,,text,Age,,in years,integer,0,120,,,,,,,,
      feel,demo,,slider,Feel,bad | good,,,,,,"[age] <> '' or [sex] = ""2""",,,,m1,,
      """#)
    #expect(read.questionnaires.map(\.url) == ["urn:x:demo"])
    let items = read.questionnaires[0].items
    #expect(items.map(\.id) == ["sex-header", "sex", "phone", "age", "feel"])
    #expect(
      items[1].isRequired && items[3].help == "in years"
        && items[4].kind == .scale(NumberRange(0, 100, step: 1)))
    #expect(
      items[2].conditions == [
        Condition("sex", .equal, .choice("1")), Condition("age", .greaterOrEqual, .number(18)),
      ])
    #expect(
      items[4].conditions == [
        Condition("age", .exists, .yes(true)), Condition("sex", .equal, .choice("2")),
      ]
        && items[4].enablement == .any)
    #expect(
      read.remarks.map(\.description) == [
        "sex: \"RH\" under Custom Alignment is left out",
        "sex: its section header becomes a text before it",
        "score: a field of type calc is left out", "phone: \"y\" under Identifier? is left out",
        "phone: its annotation is left out", "phone: the validation phone is left out, any text is taken",
        "feel: \"m1\" under Matrix Group Name is left out", "feel: labels of the slider are left out",
      ])
    #expect(try read.questionnaires.map { try Questionnaire(fhir: $0.fhir) } == read.questionnaires)
  }

  @Test(
    "limits of a time, labels of yes, no and don't know, and labels that are missing are remarked, and what was read is read by FHIR again"
  )
  func withoutLabels() throws {
    let read = try Self.read(
      #"""
      record_id,f,,text,Record,,,,,,,,,,,,,
      rose,f,,text,When?,,,time,08:00,20:00,,,,,,,,
      says,f,,radio,Says?,"yes, Ja | no, Nein | dont_know, Keine Angabe",,,,,,,,,,,,
      knows,f,,radio,Knows?,"yes, Yes | no, No | dont_know, Don't know",,,,,,,,,,,,
      mute,f,Part two,yesno,,,,,,,,,,,,,,
      codes,f,,radio,Codes,"1, | 2, b | 3,",,,,,,,,,,,,
      blank,f,,descriptive,,,,,,,,,,,,,,
      intro,f,,descriptive,Please read,,,,,,,,y,,,,,
      """#)
    let items = read.questionnaires[0].items
    #expect(items.map(\.id) == ["rose", "says", "knows", "mute-header", "mute", "codes", "intro"])
    #expect(items[0].kind == .time && items[1].kind == .yesNoDontKnow && items[2].kind == .yesNoDontKnow)
    #expect(items[4].text.text == "mute" && !items[6].isRequired)
    #expect(
      items[5].kind == .single([Option("1", "1"), Option("2", "b"), Option("3", "3")], other: false))
    #expect(
      read.remarks.map(\.description) == [
        "rose: its limits are left out, any time is taken",
        "says: its labels are left out: people are asked for yes, no or don't know",
        "mute: its section header becomes a text before it",
        "mute: it has no label, and its name takes the place",
        "codes: choices without a label have their code in its place: 1, 3",
        "blank: it has no label, and is left out", "intro: it asks nothing, and need not be answered here",
      ])
    #expect(try read.questionnaires.map { try Questionnaire(fhir: $0.fhir) } == read.questionnaires)
    #expect(read.questionnaires[0].findings() == [])
  }

  @Test(
    "what is broken is refused with its line and field",
    arguments: [
      ("a,f,,text,\"A,,,,,,,,,,,,,\n", "line 2: found a quotation mark out of place"),
      (
        "a,f,,radio,A,1 Yes,,,,,,,,,,,,\n",
        "line 2, a: found the choices \"1 Yes\"; expected code, label | code, label"
      ),
      ("a,f,,matrix,A,,,,,,,,,,,,,\n", "line 2, a: found the field type \"matrix\""),
      (
        "a,f,,yesno,A,,,,,,,,,,,,,\na,f,,yesno,A,,,,,,,,,,,,,\n",
        "line 3, a: found a second field of this name"
      ),
      ("a,f,,text,A,,,integer,low,,,,,,,,,\n", "line 2, a: found the limit \"low\"; expected a number"),
      (
        "a,f,,yesno,A,,,,,,,[b] = '1',,,,,,\n",
        "line 2, a: found branching logic with the field [b], which is not there"
      ),
      (
        "a,f,,yesno,A,,,,,,,\"datediff([b],'today') > 5\",,,,,,\n",
        "line 2, a: found branching logic with \"datediff([b],'today"
      ),
      (
        "a,f,,yesno,A,,,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[a] = 'x',,,,,,\n",
        "line 3, b: found branching logic with [a] = 'x'"
      ),
      (
        "a,f,,yesno,A,,,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[a] = '1' and ([a] = '0' or [a] = '1'),,,,,,\n",
        "line 3, b: found branching logic with \"and\" within \"or\", or the other way about"
      ),
      ("a,f,,yesno,A,,,,,,,[a] = ,,,,,,\n", "line 2, a: found branching logic with its end"),
      // REDCap compares codes as numbers, and these are no numbers.
      (
        "t,f,,notes,T,,,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[t] > 5,,,,,,\n",
        "line 3, b: found branching logic with [t] > '5', whose answers have no order"
      ),
      (
        "r,f,,radio,R,\"1, one | b, two\",,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[r] >= 1,,,,,,\n",
        "line 3, b: found branching logic with [r] >= '1', whose answers have no order"
      ),
      (
        "y,f,,yesno,Y,,,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[y] > 1,,,,,,\n",
        "line 3, b: found branching logic with [y] > '1', which no code satisfies"
      ),
      (
        "y,f,,yesno,Y,,,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[y] >= 'x',,,,,,\n",
        "line 3, b: found branching logic with [y] >= 'x'"
      ),
      // JSON has no such number.
      (
        "n,f,,slider,N,,,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[n] > 'nan',,,,,,\n",
        "line 3, b: found branching logic with [n] > 'nan'"
      ),
      (
        "n,f,,slider,N,,,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[n] < '-inf',,,,,,\n",
        "line 3, b: found branching logic with [n] < '-inf'"
      ),
      (
        "n,f,,slider,N,,,,,,,,,,,,,\nb,f,,yesno,B,,,,,,,[n] <= '1e400',,,,,,\n",
        "line 3, b: found branching logic with [n] <= '1e400'"
      ),
    ])
  func refused(rows: String, message: String) {
    #expect { try Self.read(rows) } throws: { "\($0)".hasPrefix(message) }
  }

  @Test(
    "a field that is compared by < or <= while it may be empty is remarked; one that must have an answer is not",
    arguments: [
      ("[n] < 18", ["n"]), ("[n] <= 18", ["n"]), ("[n] < 18 or [m] > 3", ["n"]),
      ("[n] < 18 and [m] <= 3", ["n", "m"]), ("[n] < 18 and [n] <= 3", ["n"]),
      ("[n] <> '' or [n] < 18", ["n"]), ("[n] <> '' and [m] < 18", ["m"]),
      ("[n] <> '' and [n] < 18", []), ("[n] < 18 and [m] = '1' and [n] <> ''", []),
      ("[n] > 3 and [n] < 18", []), ("[n] >= 18", []), ("[n] <> 18", []), ("[n] = 18", []),
      ("([n] <> '' and [n] < 18) or ([m] <> '' and [m] <= 3)", []),
    ] as [(String, [String])])
  func emptyFields(logic: String, remarked: [String]) throws {
    let rows = "n,f,,slider,N,,,,,,,,,,,,,\nm,f,,slider,M,,,,,,,,,,,,,\n"
    let read = try Self.read(rows + "b,f,,yesno,B,,,,,,,\(logic),,,,,,\n")
    #expect(read.remarks.map(\.item) == remarked.map { _ in "b" })
    for (remark, field) in zip(read.remarks, remarked) {
      #expect(remark.words.hasPrefix("REDCap takes [\(field)] without an answer for less"))
    }
    #expect(!read.questionnaires[0].items[2].conditions.isEmpty)
  }

  /// REDCap compares the codes as numbers: 2 and 3 of four are 2 or more, and yes is 1.
  @Test(
    "an order of codes becomes a condition for each code, within \"and\" an answer and none of the others",
    arguments: [
      ("[sev] >= '2'", ["sev = c2", "sev = c3"], .any), ("[sev] > 2", ["sev = c3"], .all),
      ("[sev] <= 0.5", ["sev = c0"], .all), ("[yn] > 0", ["yn = yes"], .all),
      ("[sev] <> '' and [sev] < 2", ["sev = c0", "sev = c1"], .any),
      ("[sev] >= 2 or [yn] = 1", ["sev = c2", "sev = c3", "yn = yes"], .any),
      (
        "[sev] >= 2 and [yn] >= 0.5", ["sev exists yes", "sev != c0", "sev != c1", "yn = yes"], .all
      ),
    ] as [(String, [String], Enablement)])
  func codes(logic: String, expected: [String], enablement: Enablement) throws {
    let rows =
      "yn,f,,yesno,Y,,,,,,,,,,,,,\nsev,f,,radio,S,\"0, a | 1, b | 2, c | 3, d\",,,,,,,,,,,,\n"
    let item = try Self.read(rows + "b,f,,yesno,B,,,,,,,\(logic),,,,,,\n").questionnaires[0].items[2]
    let found = item.conditions.map { condition -> String in
      let operand =
        if case .choices(let codes, _) = condition.operand { "c" + codes.joined() } else { "yes" }
      #expect(operand != "yes" || condition.operand == .yes(true))
      return "\(condition.question) \(condition.relation.rawValue) \(operand)"
    }
    #expect(found == expected && item.enablement == enablement)
  }

  @Test(
    "the first field is the record's id whatever its name, and is no question; another name than REDCap's is remarked"
  )
  func record() throws {
    let asked = "slept,f,,yesno,Slept?,,,,,,,,,,,,,\n"
    let rest = ",f,,text,Record,,,,,,,,,,,,,\n" + asked + "record,f,,text,R,,,,,,,,,,,,,\n"
    for name in ["participant_id", "study_id"] {
      let read = try Self.read(name + rest)
      #expect(read.questionnaires.map { $0.items.map(\.id) } == [["slept", "record"]])
      #expect(
        read.remarks.map(\.description) == [
          "\(name): it is left out, because the first field of a REDCap project is the record's id"
        ])
    }
    #expect(try Self.read("record_id" + rest).remarks.isEmpty)
    // A first field that is no text is no record's id.
    let form = try Self.read(asked)
    #expect(form.questionnaires[0].items.map(\.id) == ["slept"] && form.remarks.isEmpty)
  }

  @Test("another header, and none, are refused")
  func headers() {
    for text in ["", "a,b,c\n1,2,3\n", Self.header.replacing("Form Name", with: "Form")] {
      #expect(throws: REDCapError.self) { try REDCapDictionary(csv: text, url: "u", version: "1") }
    }
    #expect { try Self.read("\"") } throws: { "\($0)".hasPrefix("line 2") }
  }

  @Test("brackets deeper than people write, and texts cut off anywhere, end in a refusal")
  func bounded() {
    #expect(throws: REDCapLogic.Fault.self) {
      try REDCapLogic(String(repeating: "(", count: 3000) + "[a]=1")
    }
    let logic = "([a] <> '' and [a] <= '5') or [b(2)] = '1'"
    for length in 0..<logic.count where !(26...27).contains(length) {
      #expect(throws: REDCapLogic.Fault.self) { try REDCapLogic(String(logic.prefix(length))) }
    }
  }
}
