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

@Suite("Setup: calibration") struct SetupCalibrationTests: SetupSuite {
  let folder = TemporaryFolder()
  let bench = FakeBench()

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
    #expect(try AidSettings(loaded).hearing.calibrated(for: loaded).earphones.device.status == .provisional)
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
        $0.contains("HDA 200, provisional, 2026-01-31: full scale at 1 kHz is 111.0 and 110.0 dB SPL.")
      })
    #expect(try configuration.calibration.earphone.file == folder.file("ear.json"))
    // −28 dB of 110 dB SPL.
    #expect(try configuration.safety.maximumOutput == 82)
    try run(ScriptedPerson([("calibration of the microphone", "")] + Self.shortest.dropFirst(5)))
  }

  @Test("a calibration file that is taken for other earphones is instead of a profile")
  func insteadOfProfile() throws {
    folder.write(
      """
      {"device": {"device": "m", "date": "2026-01-31", "status": "provisional", "source": "sheet"},
       "sensitivity": {"left": 110, "right": 110}}
      """, to: "earphone.json")
    // Made with another device than the one that setup takes.
    folder.write(
      "[calibration.earphone]\nprofile = \"airpods-max\"\ndevice = \"hw:CARD=Other,DEV=0 (x)\"\ntransducer = \"hda200\"\n",
      to: "auricle.toml")
    var answers = Self.shortest
    let place = try #require(answers.firstIndex { $0.0.contains("calibration of the earphones") })
    answers[place].1 = folder.file("earphone.json")
    answers.insert(("calibration of the microphone", ""), at: place + 1)
    try run(ScriptedPerson(answers))
    let earphone = try configuration.calibration.earphone
    #expect(earphone.profile == nil && earphone.file == folder.file("earphone.json"))
    // Reference thresholds of other earphones.
    #expect(earphone.transducer == nil)
  }

  @Test("a calibration that was made with another device is told as that, left out and asked for again")
  func otherDevice() throws {
    folder.write(
      """
      {"device": {"device": "hw:CARD=Other,DEV=0 (x)", "status": "provisional", "source": "sheet"},
       "sensitivity": {"left": 90, "right": 90}}
      """, to: "other.json")
    var answers = Self.shortest
    answers.insert(("calibration of the earphones", folder.file("other.json")), at: 4)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(person.rest.isEmpty)
    #expect(
      person.heard.contains {
        $0.contains(
          "The calibration of the earphones does not count: it was made with hw:CARD=Other,DEV=0, and "
            + "hw:CARD=Headset,DEV=0 is used.")
      })
    #expect(try configuration.calibration.earphone.file == nil)
    // As confirmed without a calibration, and as if nothing had been typed.
    #expect(try configuration.safety.maximumOutput == 92)
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
    // Why it does not count is told, it is asked for anew, and the new one counts with the new earphones.
    folder.write(
      """
      {"device": {"device": "m", "date": "2026-01-31", "status": "verified"}, "sensitivity": {"left": 110, "right": 110}}
      """, to: "ear.json")
    var answers = Self.shortest
    answers[4].1 = folder.file("ear.json")
    answers.insert(contentsOf: [("calibration of the microphone", "")], at: 5)
    answers.insert(("once more?", "n"), at: 2)
    bench.stopsAfter = 11
    let person = ScriptedPerson(answers)
    try run(person, named: (nil, "other"))
    #expect(person.heard.contains { $0.contains("it was made with lat, and other is used") })
    let loaded = try ConfigurationSearch(explicit: path).load().get()
    #expect(try AidSettings(loaded).hearing.calibrated(for: loaded).earphones.device.status == .provisional)
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
    // A measurement is not changed by a loudness that somebody confirmed.
    #expect(try configuration.calibration.earphone.fullScaleLevel == [111])
  }
}
