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

@Suite("Setup: loudness") struct SetupLoudnessTests: SetupSuite {
  let folder = TemporaryFolder()
  let bench = FakeBench()

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

  @Test(
    "sound that breaks off in every attempt begins again, at its softest, with a longer period that is kept and told",
    arguments: [(65, 256), (257, 1024)])
  func longerPeriod(least: Int, found: Int) throws {
    bench.leastPeriod = least
    let person = ScriptedPerson(Self.shortest)
    try run(person)
    #expect(bench.played.first?.sound.level == -70)
    #expect(try configuration.device.period == found)
    #expect(person.heard.contains { $0.contains("\(found) frames") && $0.contains("device.period=") })
  }

  @Test("where the longest period there is breaks off too, the person is told what to look at, and asked")
  func breaksOff() throws {
    bench.leastPeriod = 1025
    let person = ScriptedPerson([("Enter to begin", "")])
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.questions.last?.contains("Press Enter to try again") == true)
    #expect(person.heard.contains { $0.contains("broke off") && $0.contains("auricle devices") })
  }

  @Test("Enter before the first tone confirms nothing")
  func tooEarly() throws {
    bench.startsLate = true
    try run(ScriptedPerson([("Enter to begin", ""), ("", "")] + Self.shortest))
    #expect(bench.played.first?.sound.level == -70)
  }

  @Test("an Enter that comes once the tone has ended begins no other: it is asked for anew")
  func tooLate() throws {
    bench.stopsAfter = nil
    let person = ScriptedPerson([("Enter to begin", ""), ("", "")])
    var isToCome = true
    person.presses = { [bench] in
      guard isToCome, !bench.played.isEmpty else { return false }
      isToCome = false
      return true
    }
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.rest.isEmpty && person.questions.count { $0.contains("Enter to begin") } == 2)
    // From −70 to −10 dB by 3, once.
    #expect(bench.played.count == 21)
  }

  @Test("nobody presses Enter: nothing is confirmed, and it begins again")
  func unheard() throws {
    bench.stopsAfter = nil
    let person = ScriptedPerson([("Enter to begin", "")])
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.heard.contains { $0.contains("nobody pressed Enter") })
    #expect(try configuration.safety.maximumOutput == Configuration().safety.maximumOutput)
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

  @Test(
    "while the microphone is not calibrated the tone rises to what is heard, not to what the earphones' calibration lets through"
  )
  func uncalibratedMicrophone() throws {
    folder.write(
      "[safety]\nmaximum-output = 90\n[calibration.earphone]\nfull-scale-level = 100\nsource = \"sheet\"\nstatus = \"provisional\"\n",
      to: "auricle.toml")
    bench.stopsAfter = nil
    #expect(throws: Failure.self) { try run(ScriptedPerson([("Enter to begin", "")])) }
    // 90 dB SPL where full scale counts as the assumed microphone's 120.
    #expect(bench.played.map(\.sound.level).max() == -30)
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
    "a limit that earphones of a profile cannot be held to is risen to and asked for, and no level is written beside it"
  )
  func softToneWithProfile() throws {
    folder.write("[calibration.earphone]\nprofile = \"airpods-max\"\n", to: "auricle.toml")
    bench.stopsAfter = 1
    let person = ScriptedPerson([
      ("Enter to begin", ""), ("", ""), ("Enter to hear it", "n"), ("Enter to begin", ""),
    ])
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.heard.contains { $0.contains("the lowest limit there is, 70 dB SPL") })
    let text = try #require(String(validating: FileContent.bytes(of: path, limit: 1 << 20), as: UTF8.self))
    #expect(!text.contains("full-scale-level"))
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
}
