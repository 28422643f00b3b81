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

@Suite("Setup") struct SetupTests {
  private let folder = TemporaryFolder()
  private let bench = FakeBench()

  private var path: String { folder.file("auricle.toml") }

  /// Answers of the shortest way, with a card.
  private static let shortest = [
    ("Enter to begin", ""), ("", ""), ("first sound", "left"), ("second sound", "r"),
    ("calibration of the earphones", ""), ("Picture or PDF", "card.png"), ("Measure now?", "y"),
    ("Start it now?", ""),
  ]

  /// The same where the limit is so low that it is asked for: below 84 dB SPL, by 120 dB SPL at full scale.
  private static func shortest(pressedAt count: Int) -> [(String, String)] {
    guard 120 - 73 + 3 * count < 84 else { return shortest }
    var answers = shortest
    answers.insert(("once more?", "n"), at: 2)
    return answers
  }

  private func run(_ person: ScriptedPerson, named: (String?, String?) = (nil, nil)) throws {
    if access(path, F_OK) != 0 { folder.write("", to: "auricle.toml") }
    let progress = SetupFile(folder: folder.file("state"))
    var run = SetupRun(
      interview: person, bench: bench, file: try ConfigurationFile(ConfigurationSearch(explicit: path)),
      progressFile: progress, progress: progress.read(), named: named)
    try run.run()
  }

  private var configuration: Configuration {
    get throws { try ConfigurationSearch(explicit: path).load().get().configuration }
  }

  // MARK: - The whole way

  @Test(
    "one sound card and a card in hand: eight answers lead to sound, and nothing is asked that is known")
  func shortestWay() throws {
    let person = ScriptedPerson(Self.shortest)
    try run(person)
    #expect(person.rest.isEmpty && person.questions.count == 8)
    let configuration = try configuration
    #expect(configuration.device.playback == "hw:CARD=Headset,DEV=0")
    #expect(configuration.device.capture == "hw:CARD=Headset,DEV=0")
    #expect(bench.loaded == ["card.png"] && bench.begun == ["feedback", "start"])
    #expect(SetupFile(folder: folder.file("state")).read().done == [])
  }

  @Test("sound begins at −70 dB and rises by 3 dB, left and right by turns")
  func risingLevels() throws {
    bench.stopsAfter = 5
    try run(ScriptedPerson(Self.shortest(pressedAt: 5)))
    let levels = bench.played.prefix(5).map(\.sound.level)
    #expect(levels == [-70, -67, -64, -61, -58])
    #expect(bench.played.prefix(5).map(\.sound.ear) == [.left, .right, .left, .right, .left])
  }

  @Test(
    "after the loudness nothing that sounds is louder than what was confirmed, by level and by the aid's limit",
    arguments: [1, 2, 3, 10, 20])
  func neverLouder(_ count: Int) throws {
    bench.stopsAfter = count
    try run(ScriptedPerson(Self.shortest(pressedAt: count)))
    let confirmed = bench.played[count - 1].sound.level
    let later = bench.played.dropFirst(count)
    #expect(!later.isEmpty && later.allSatisfy { $0.sound.level <= confirmed })
    // The aid's own limit in digits: dB SPL less what full scale stands for.
    let configuration = try configuration
    let fullScale = try #require(configuration.calibration.earphone.fullScaleLevel.min())
    #expect(configuration.safety.maximumOutput - fullScale <= confirmed)
  }

  // MARK: - Branches

  @Test("several cards are listed by number, and the microphone of the chosen one is taken with it")
  func severalCards() throws {
    bench.cards = [FakeBench.card("hw:CARD=PCH,DEV=0", "Intel"), FakeBench.card("hw:CARD=Headset,DEV=0")]
    let person = ScriptedPerson([("1 to 2", "3"), ("1 to 2", "2")] + Self.shortest)
    try run(person)
    #expect(try configuration.device.playback == "hw:CARD=Headset,DEV=0")
    #expect(try configuration.device.capture == "hw:CARD=Headset,DEV=0")
    #expect(person.heard.contains { $0.contains("Found \"3\"") })
  }

  @Test("two cards of one name are told apart by a sentence")
  func sameNames() throws {
    bench.cards = [FakeBench.card("hw:CARD=Headset,DEV=0"), FakeBench.card("hw:CARD=Headset_1,DEV=0")]
    let person = ScriptedPerson([("1 to 2", "1")] + Self.shortest)
    try run(person)
    #expect(person.heard.contains { $0.contains("Some have the same name") })
  }

  @Test("earphones without a microphone ask for one where several are there, and take the only one")
  func separateMicrophone() throws {
    bench.cards = [
      FakeBench.card("hw:CARD=DAC,DEV=0", "DAC", [.playback]),
      FakeBench.card("hw:CARD=Mic,DEV=0", "Mic", [.capture]),
    ]
    try run(ScriptedPerson(Self.shortest))
    #expect(try configuration.device.playback == "hw:CARD=DAC,DEV=0")
    #expect(try configuration.device.capture == "hw:CARD=Mic,DEV=0")
  }

  @Test("devices that are named on the command line or in the configuration are not asked for")
  func named() throws {
    bench.cards = []
    folder.write("[device]\ncapture = \"mine\"\n", to: "auricle.toml")
    try run(ScriptedPerson(Self.shortest), named: (nil, "other"))
    #expect(try configuration.device.capture == "mine")
    #expect(try configuration.device.playback == "other")
  }

  @Test("without a card it waits for one to be plugged in")
  func noCard() throws {
    let cards = bench.cards
    bench.cards = []
    let person = ScriptedPerson([])
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.questions == ["Plug it in, then press Enter; or type the name of an ALSA device:"])
    bench.cards = cards
    try run(ScriptedPerson(Self.shortest))
  }

  @Test("where no card is found, or one cannot be opened, the name of another device can be typed")
  func typedDevice() throws {
    bench.cards = []
    bench.refusals = ["pulse": "there is none"]
    let person = ScriptedPerson(
      [("Plug it in", "pulse"), ("type another device for the earphones", "lat"), ("Plug it in", "mic")]
        + Self.shortest)
    try run(person)
    #expect(try configuration.device.playback == "lat")
    #expect(try configuration.device.capture == "mic")
  }

  @Test("Enter before the first tone confirms nothing")
  func tooEarly() throws {
    bench.startsLate = true
    try run(ScriptedPerson([("Enter to begin", ""), ("", "")] + Self.shortest))
    #expect(bench.played.first?.sound.level == -70)
  }

  @Test("a device that cannot be opened is told with its reason, and tried again")
  func busy() throws {
    bench.refusals = ["hw:CARD=Headset,DEV=0": "it is in use by pipewire"]
    let person = ScriptedPerson([("try again", "")] + Self.shortest)
    try run(person)
    #expect(person.heard.contains { $0.contains("in use by pipewire") })
  }

  @Test("nobody presses Enter: nothing is confirmed, and it begins again")
  func unheard() throws {
    bench.stopsAfter = nil
    let person = ScriptedPerson([("Enter to begin", "")])
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.heard.contains { $0.contains("nobody pressed Enter") })
    #expect(try configuration.safety.maximumOutput == Configuration().safety.maximumOutput)
  }

  @Test("exchanged sides are told, and both are played again until they are right in one go")
  func exchanged() throws {
    var answers = Self.shortest
    answers.insert(
      contentsOf: [("first sound", "right"), ("second sound", "left"), ("both again", "")], at: 2)
    answers.insert(
      contentsOf: [
        ("first sound", "both"), ("second sound", "again"), ("second sound", "both"), ("both again", ""),
      ], at: 5)
    answers.insert(
      contentsOf: [("first sound", "left"), ("second sound", "left"), ("both again", "")], at: 9)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(person.heard.contains { $0.contains("Exchange the earphones") })
    #expect(person.heard.contains { $0.contains("Switch off mono") })
    #expect(person.heard.contains { $0.contains("Both sounds came to your left ear") })
  }

  @Test("who hears nothing in one ear finds the loudness again")
  func silentEar() throws {
    var answers = Self.shortest
    answers.insert(contentsOf: [("first sound", "none"), ("Enter to begin", ""), ("", "")], at: 2)
    try run(ScriptedPerson(answers))
    #expect(bench.begun == ["feedback", "start"])
  }

  @Test("a calibration that cannot be read is told and asked for again")
  func badCalibration() throws {
    folder.write("{}", to: "bad.json")
    var answers = Self.shortest
    answers.insert(("calibration of the earphones", folder.file("bad.json")), at: 4)
    answers.insert(("calibration of the earphones", folder.file("none.json")), at: 5)
    try run(ScriptedPerson(answers))
    #expect(try configuration.calibration.earphone.file == nil)
  }

  @Test(
    "earphones calibrated after the loudness play no louder in digits than was confirmed, where the lowest limit allows it",
    arguments: [1, 10, 20], [110.4, 135])
  func calibratedAfterwards(_ count: Int, fullScale: Double) throws {
    folder.write(
      """
      {"device": {"device": "m", "date": "2026-01-31", "status": "verified"},
       "sensitivity": {"left": \(fullScale), "right": \(fullScale)}}
      """, to: "ear.json")
    bench.stopsAfter = count
    var answers = Self.shortest(pressedAt: count)
    let place = answers.count - 4
    answers[place].1 = folder.file("ear.json")
    answers.insert(("calibration of the microphone", ""), at: place + 1)
    let tone = -73 + 3.0 * Double(count)
    let isAboveTone = 70 - fullScale > tone
    if isAboveTone {
      answers.insert(contentsOf: [("Enter to hear it", ""), ("Was it too loud?", "n")], at: place + 1)
    }
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(bench.played[count - 1].sound.level == tone)
    let configuration = try configuration
    #expect(configuration.calibration.earphone.file == folder.file("ear.json"))
    let limit = configuration.safety.maximumOutput
    let loaded = try ConfigurationSearch(explicit: path).load().get()
    #expect(try AidSettings(loaded).hearing.calibrated(for: loaded).earphones.device.status == .verified)
    // 70 dB SPL is the lowest limit that there is; where it is above the tone, it was heard and found good.
    #expect(limit == 70 || limit - fullScale <= tone)
    #expect(limit <= max(70, tone + fullScale))
    #expect(bench.played.contains { abs($0.sound.level - (70 - fullScale)) < 1e-9 } == isAboveTone)
    #expect(bench.played.allSatisfy { $0.sound.level <= max(tone, 70 - fullScale) })
  }

  @Test(
    "the lowest limit, above the tone by a calibration that there is, is heard and confirmed as well; too loud, nothing is kept",
    arguments: [
      "file = \"ear.json\"", "full-scale-level = 137\nstatus = \"provisional\"\nsource = \"data sheet\"",
    ])
  func tooSensitive(_ calibration: String) throws {
    folder.write(
      """
      {"device": {"device": "m", "date": "2026-01-31", "status": "verified"}, "sensitivity": {"left": 137, "right": 140}}
      """, to: "ear.json")
    let text = "[calibration.earphone]\n\(calibration)\n"
    folder.write(text, to: "auricle.toml")
    bench.stopsAfter = 1
    let loudness = [("Enter to begin", ""), ("", ""), ("Enter to hear it", ""), ("Was it too loud?", "y")]
    let person = ScriptedPerson(loudness + [("Enter to begin", "")])
    #expect(throws: Failure.self) { try run(person) }
    #expect(bench.played.map(\.sound.level) == [-70, -67, -67, -70])
    #expect(bench.played.dropFirst().prefix(2).allSatisfy { $0.ceiling == 70 })
    #expect(try configuration.safety.maximumOutput == Configuration().safety.maximumOutput)
    #expect(person.heard.contains { $0.contains("3 dB louder than the tone") })
  }

  @Test(
    "done again, it comes to a higher limit than before, but never above one that somebody else has set")
  func again() throws {
    bench.stopsAfter = 1
    try run(ScriptedPerson(Self.shortest(pressedAt: 1)))
    #expect(try configuration.calibration.earphone.fullScaleLevel == [140])
    bench.hasCard = false
    bench.stopsAfter = 15
    try run(ScriptedPerson(Self.shortest))
    // −28 dB of 120 dB SPL.
    #expect(try configuration.safety.maximumOutput == 92)
    #expect(try configuration.calibration.earphone.fullScaleLevel == [120])
    folder.write("[safety]\nmaximum-output = 80\n", to: "auricle.toml")
    bench.hasCard = false
    // The tone rises to −40 dB, which is 80 dB SPL, and no further.
    bench.stopsAfter = 11
    try run(ScriptedPerson(Self.shortest(pressedAt: 11)))
    #expect(bench.played.suffix(7).first?.sound.level == -40)
    #expect(try configuration.safety.maximumOutput == 80)
  }

  @Test("a limit that leaves speech hardly any gain is told, and found once more if the person wants it")
  func littleRoom() throws {
    bench.stopsAfter = 2
    var answers = Self.shortest(pressedAt: 2)
    answers.insert(contentsOf: [("once more?", "y"), ("Enter to begin", ""), ("", "")], at: 2)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(person.heard.contains { $0.contains("pressed too early") })
  }

  @Test(
    "what another program writes into the configuration meanwhile, and lets more through, has the loudness found again"
  )
  func changedMeanwhile() throws {
    let person = ScriptedPerson(Array(Self.shortest.prefix(5)) + [("Enter to begin", "")])
    person.meanwhile = (
      "calibration of the earphones",
      { [path] in
        guard var other = try? ConfigurationFile(ConfigurationSearch(explicit: path)) else { return }
        for (key, value) in [("full-scale-level", "80"), ("status", "provisional"), ("source", "sheet")] {
          try? other.set("calibration.earphone.\(key)", to: value, from: nil, subject: "x")
        }
        try? other.save()
      }
    )
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.heard.contains { $0.contains("Another program has changed") })
    #expect(SetupFile(folder: folder.file("state")).read().next == .loudness)
  }

  @Test(
    "a calibration by which nothing can be held to the lowest limit is left out, and one of no earphone is refused"
  )
  func uselessCalibration() throws {
    for level in [45, 60] {
      folder.write(
        """
        {"device": {"device": "m", "date": "2026-01-31", "status": "verified"}, "sensitivity": {"left": \(level), "right": \(level)}}
        """, to: "\(level).json")
    }
    var answers = Self.shortest
    answers.insert(
      contentsOf: [45, 60].map { ("calibration of the earphones", folder.file("\($0).json")) }, at: 4)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(person.heard.contains { $0.contains("expected 60 to 180 dB SPL") })
    #expect(person.heard.contains { $0.contains("Is it the right one?") })
    #expect(try configuration.calibration.earphone.file == nil)
    #expect(bench.played.allSatisfy { $0.sound.level <= -28 })
  }

  @Test("a calibration that was taken stays when the setup is left at the next question")
  func leftBetweenCalibrations() throws {
    folder.write(
      """
      {"device": {"device": "HDA 200", "date": "2026-01-31", "status": "verified"}, "sensitivity": {"left": 111, "right": 110}}
      """, to: "ear.json")
    var answers = Array(Self.shortest.prefix(5))
    answers[4].1 = folder.file("ear.json")
    let person = ScriptedPerson(answers)
    #expect(throws: Failure.self) { try run(person) }
    #expect(
      person.heard.contains {
        $0.contains("HDA 200, verified, 2026-01-31: full scale at 1 kHz is 111.0 and 110.0 dB SPL.")
      })
    #expect(try configuration.calibration.earphone.file == folder.file("ear.json"))
    // −28 dB of 110 dB SPL.
    #expect(try configuration.safety.maximumOutput == 82)
    try run(ScriptedPerson([("calibration of the microphone", "")] + Self.shortest.dropFirst(5)))
  }

  @Test("a calibration counts no longer with other earphones than those it was made with")
  func boundCalibration() throws {
    folder.write(
      """
      [device]
      playback = "lat"
      capture = "lat"
      [calibration.earphone]
      full-scale-level = 111
      source = "data sheet"
      status = "provisional"

      """, to: "auricle.toml")
    #expect(throws: Failure.self) { try run(ScriptedPerson([]), named: (nil, "other")) }
    #expect(try configuration.calibration.earphone.device == "lat:")
    // It is asked for anew, and the new one counts with the new earphones.
    folder.write(
      """
      {"device": {"device": "m", "date": "2026-01-31", "status": "verified"}, "sensitivity": {"left": 110, "right": 110}}
      """, to: "ear.json")
    var answers = Self.shortest
    answers[4].1 = folder.file("ear.json")
    answers.insert(contentsOf: [("calibration of the microphone", "")], at: 5)
    answers.insert(("once more?", "n"), at: 2)
    bench.stopsAfter = 11
    try run(ScriptedPerson(answers), named: (nil, "other"))
    let loaded = try ConfigurationSearch(explicit: path).load().get()
    #expect(try AidSettings(loaded).hearing.calibrated(for: loaded).earphones.device.status == .verified)
  }

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

  @Test("a calibration in the configuration is not asked for")
  func calibrated() throws {
    folder.write(
      """
      [calibration.microphone]
      full-scale-level = 120
      source = "data sheet"
      status = "provisional"
      [calibration.earphone]
      full-scale-level = 111
      source = "data sheet"
      status = "provisional"

      """, to: "auricle.toml")
    var answers = Self.shortest
    answers.remove(at: 4)
    // −28 dB of 111 dB SPL.
    answers.insert(("once more?", "n"), at: 2)
    try run(ScriptedPerson(answers))
    // What was measured is not changed by what somebody found loud.
    #expect(try configuration.calibration.earphone.fullScaleLevel == [111])
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

  @Test("a clinic's own card is trusted first, and the prescription is then asked for")
  func clinicFirst() throws {
    var answers = Self.shortest
    answers.insert(("Picture or PDF", "clinic.png"), at: 5)
    try run(ScriptedPerson(answers))
    #expect(bench.loaded == ["clinic.png", "card.png"])
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
    try run(ScriptedPerson(answers))
    #expect(try configuration.hearing.audiogram == folder.file("good.json"))
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

  // MARK: - Left and resumed

  @Test(
    "left at any question, it goes on at that step and comes to the same configuration",
    arguments: 0..<8)
  func resumed(_ count: Int) throws {
    try run(ScriptedPerson(Self.shortest))
    let whole = try configuration
    unlink(path)
    let first = ScriptedPerson(Array(Self.shortest.prefix(count)))
    bench.hasCard = false
    #expect(throws: Failure.self) { try run(first) }
    // The file is a whole configuration at each point.
    _ = try configuration
    // What belongs to the step that was left is asked again.
    let steps = [0, 0, 2, 2, 4, 5, 6, 7]
    try run(ScriptedPerson(Array(Self.shortest.dropFirst(steps[count]))))
    #expect(try configuration == whole)
  }

  @Test("progress of another configuration, of other devices or of a lower limit does not count")
  func otherGround() throws {
    let ground = SetupProgress.Ground(configuration: "/a", capture: "m", playback: "e", limit: -30)
    var progress = SetupProgress()
    progress.finish(.devices, on: ground)
    progress.finish(.loudness, on: ground, level: -30)
    progress.finish(.sides, on: ground)
    func next(_ other: SetupProgress.Ground) -> SetupStep? {
      var settled = progress
      settled.settle(on: other)
      return settled.next
    }
    #expect(next(ground) == .calibration)
    #expect(next(.init(configuration: "/b", capture: "m", playback: "e", limit: -30)) == .devices)
    #expect(next(.init(configuration: "/a", capture: "m", playback: "other", limit: -30)) == .devices)
    #expect(next(.init(configuration: "/a", capture: "other", playback: "e", limit: -30)) == .devices)
    #expect(next(.init(configuration: "/a", capture: "m", playback: "e", limit: -29)) == .loudness)
    #expect(next(.init(configuration: "/a", capture: "m", playback: "e", limit: -40)) == .calibration)
  }

  @Test("left in the middle, and begun again with other earphones, it asks for the loudness again")
  func otherEarphones() throws {
    #expect(throws: Failure.self) { try run(ScriptedPerson(Array(Self.shortest.prefix(4)))) }
    try run(ScriptedPerson(Self.shortest), named: (nil, "hw:CARD=Other"))
    #expect(try configuration.device.playback == "hw:CARD=Other")
  }

  @Test(
    "notes of the progress that are damaged, or of steps out of order, count as none",
    arguments: [
      "", "{", "{\"schema\": 100, \"done\": [\"sides\"]}",
      "{\"schema\": 100, \"done\": [\"devices\", \"loudness\"]}",
      "{\"schema\": 100, \"done\": [\"devices\", \"loudness\"], \"level\": 20}",
    ])
  func damaged(_ text: String) {
    mkdir(folder.file("state"), 0o700)
    folder.write(text, to: "state/setup.json")
    chmod(folder.file("state/setup.json"), 0o600)
    #expect(SetupFile(folder: folder.file("state")).read() == SetupProgress())
  }
}
