import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Engine
import Glibc
import Service
import Testing

@testable import AuricleCommands

@Suite("Setup: prescription, feedback and start") struct SetupPrescriptionTests: SetupSuite {
  let folder = TemporaryFolder()
  let bench = FakeBench()

  @Test("a feedback test that takes much gain is told, and offered again")
  func looseEarpiece() throws {
    bench.losses = [48, 3]
    var answers = Self.shortest
    answers.insert(("Measure now?", "y"), at: 6)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(person.heard.contains { $0.contains("earpieces in firmly") })
    #expect(bench.begun == ["feedback", "feedback", "start"])
  }

  @Test("a path that begins with ~ starts from the home folder")
  func home() throws {
    let run = SetupRun(
      interview: ScriptedPerson([]), bench: bench,
      file: try ConfigurationFile(
        ConfigurationSearch(
          explicit: {
            folder.write("", to: "a.toml"); return folder.file("a.toml")
          }())),
      progressFile: SetupFile(folder: folder.path), progress: SetupProgress(), named: (nil, nil))
    let home = try #require(ProcessEnvironment.variables["HOME"])
    #expect(
      run.path("~/ear.json") == "\(home)/ear.json" && run.path("/~/x") == "/~/x" && run.path("~x") == "~x")
  }

  @Test("a card that is refused is told, and another way can be taken")
  func refusedCard() throws {
    bench.cardFault = Failure("card.png", found: "no card", exit: .badData)
    var answers = Self.shortest
    answers.insert(("Picture or PDF", "c"), at: 6)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(bench.loaded == ["card.png", nil])
  }

  @Test(
    "a card before that of its clinic asks for the clinic's at the same question, and names no other command"
  )
  func cardBeforeClinic() throws {
    bench.isNextUnknown = true
    var answers = Self.shortest
    answers.insert(contentsOf: [("Picture or PDF", "card.png"), ("Picture or PDF", "clinic.png")], at: 5)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(bench.loaded == ["card.png", "clinic.png", "card.png"])
    #expect(
      person.heard.contains {
        $0.hasPrefix(
          "The card is from a clinic that is not known here yet. Give the clinic's own card at this question first"
        )
      })
    #expect(!person.heard.contains { $0.contains("trust add") })
  }

  @Test(
    "a clinic's own card, as a picture or before the camera, is trusted, and the prescription is then asked for"
  )
  func clinicFirst() throws {
    bench.seesClinic = true
    var answers = Self.shortest
    answers.insert(contentsOf: [("Picture or PDF", "clinic.png"), ("Picture or PDF", "c")], at: 5)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(bench.loaded == ["clinic.png", nil, "card.png"])
    #expect(person.heard.filter { $0 == "The clinic is trusted. Now its card for you." }.count == 2)
  }

  @Test("an audiogram file is checked, read out and named with its whole path")
  func audiogramFile() throws {
    folder.write("{\"format\": \"auricle-audiogram\", \"version\": 1}", to: "bad.json")
    let ear = "{\"air\": {\"500\": 30, \"1000\": 40, \"2000\": 50}}"
    folder.write(
      "{\"format\": \"auricle-audiogram\", \"version\": 1, \"left\": \(ear), \"right\": \(ear)}",
      to: "good.json")
    var answers = Self.shortest
    answers[5] = ("Picture or PDF", folder.file("bad.json"))
    answers.insert(("Picture or PDF", folder.file("missing.json")), at: 6)
    answers.insert(("Picture or PDF", folder.file("good.json")), at: 7)
    answers.insert(("Is this your audiogram?", "n"), at: 8)
    answers.insert(("Picture or PDF", folder.file("good.json")), at: 9)
    answers.insert(("Is this your audiogram?", "y"), at: 10)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(try configuration.hearing.audiogram == folder.file("good.json"))
    #expect(person.heard.contains("right: 500 Hz 30, 1000 Hz 40, 2000 Hz 50 dB HL"))
  }

  @Test("typed thresholds become an audiogram for its owner alone; wrong ones are asked for again")
  func typed() throws {
    var answers = Self.shortest
    answers[5] = ("Picture or PDF", "t")
    let right = [
      ("right ear, 250", ""), ("right ear, 500", "loud"), ("right ear, 500", "30"),
      ("right ear, 1000", "999"), ("right ear, 1000", "40"), ("right ear, 2000", "50"),
      ("right ear, 4000", "60"),
      ("right ear, 8000", ""),
    ]
    let left = [250, 500, 1000, 2000, 4000, 8000].map { ("left ear, \($0)", "35") }
    answers.insert(contentsOf: right + left + [("Is this your audiogram?", "y")], at: 6)
    try run(ScriptedPerson(answers))
    let file = try #require(try configuration.hearing.audiogram)
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let audiogram = try AudiogramReading.ears(at: file)
    #expect(audiogram.right.airPoints.map(\.threshold.decibels) == [30, 40, 50, 60])
    #expect(audiogram.left.airPoints.count == 6)
  }

  @Test(
    "an audiogram that was typed and not confirmed leaves no file behind, also when the setup is left there"
  )
  func unconfirmed() throws {
    var answers = Array(Self.shortest.prefix(6))
    answers[5] = ("Picture or PDF", "t")
    let typed = ["right", "left"].flatMap { ear in
      [250, 500, 1000, 2000, 4000, 8000].map { ("\(ear) ear, \($0)", "35") }
    }
    #expect(throws: Failure.self) { try run(ScriptedPerson(answers + typed)) }
    #expect(!folder.names.contains { $0.hasPrefix("audiogram") })
  }

  @Test("an audiogram of the configuration that is gone is told, left out and asked for anew")
  func goneAudiogram() throws {
    folder.write("[hearing]\naudiogram = \"gone.json\"\nlink = 0.5\n", to: "auricle.toml")
    let person = ScriptedPerson(Self.shortest)
    try run(person)
    #expect(person.heard.contains { $0.contains("found no such file, expected the audiogram") })
    #expect(try configuration.hearing.audiogram == nil && configuration.hearing.link == 0.5)
    #expect(bench.loaded == ["card.png"])
  }

  @Test(
    "typed thresholds without a frequency that an ear needs are asked for it, and shown before they count")
  func typedWithGaps() throws {
    var answers = Self.shortest
    answers[5] = ("Picture or PDF", "t")
    func ear(_ name: String, _ thresholds: [(Int, String)]) -> [(String, String)] {
      thresholds.map { ("\(name) ear, \($0)", $1) }
    }
    let usual = [250, 500, 1000, 2000, 4000, 8000].map { ($0, "40") }
    let gap = usual.map { ($0.0, $0.0 == 500 ? "" : $0.1) }
    let first =
      ear("right", usual) + ear("left", gap) + ear("left", [(500, "35")]) + [
        ("Is this your audiogram?", "n")
      ]
    let second =
      ear("right", gap) + ear("right", [(500, "")]) + ear("left", usual) + [
        ("Is this your audiogram?", "y")
      ]
    answers.insert(contentsOf: first + [("Picture or PDF", "t")] + second, at: 6)
    try run(ScriptedPerson(answers))
    let audiogram = try AudiogramReading.ears(at: try #require(try configuration.hearing.audiogram))
    #expect(audiogram.right.airPoints.isEmpty && audiogram.left.airPoints.count == 6)
  }

  @Test("without a prescription nothing is amplified, which is said with the way to one")
  func noPrescription() throws {
    var answers = Self.shortest
    answers[5] = ("Picture or PDF", "")
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(try configuration.hearing.audiogram == nil)
    #expect(person.heard.contains { $0.contains("auricle rx scan") })
  }

  @Test("a service manager that can start it at login is asked for only when the person wants it")
  func login() throws {
    bench.loginProblem = nil
    try run(ScriptedPerson(Self.shortest.dropLast() + [("log in?", "y"), ("Start it now?", "y")]))
    #expect(bench.begun == ["feedback", "login", "start"])
  }

  @Test("a configuration that the service does not find is not started at login, which is said")
  func loginWithoutConfiguration() throws {
    let (own, other) = (folder.file(".config/auricle/auricle.toml"), folder.file("auricle.toml"))
    #expect(
      LoginStart.reasonAgainst(configuration: other, home: folder.path)?.hasSuffix(
        "does not find \(other).") == true)
    try Folder.make(folder.file(".config/auricle"))
    folder.write("", to: ".config/auricle/auricle.toml")
    let reason = try #require(LoginStart.reasonAgainst(configuration: other, home: folder.path))
    #expect(reason.hasSuffix("reads \(own), not \(other)."))
    // Of the file that it finds only the service manager can say that it is not to be had.
    #expect(LoginStart.reasonAgainst(configuration: own, home: folder.path)?.contains(own) != true)
  }
}
