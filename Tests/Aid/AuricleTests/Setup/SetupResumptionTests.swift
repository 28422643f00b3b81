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

@Suite("Setup, left and resumed") struct SetupResumptionTests: SetupSuite {
  let folder = TemporaryFolder()
  let bench = FakeBench()

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
    // Questions of the step that was left are asked again.
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

  @Test("a limit far below the softest tone is a level that can be confirmed, and is not asked for again")
  func lowLimit() throws {
    folder.write(
      """
      [safety]
      maximum-output = 70
      [calibration.earphone]
      full-scale-level = 150
      status = "provisional"
      source = "sheet"

      """, to: "auricle.toml")
    bench.isFirstTooLoud = true
    let first = [("Enter to begin", ""), ("", ""), ("once more?", "n")]
    #expect(throws: Failure.self) { try run(ScriptedPerson(first)) }
    #expect(bench.played.first?.sound.level == -80)
    #expect(SetupFile(folder: folder.file("state")).read().next == .sides)
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
      "{\"schema\": 101, \"done\": [], \"written\": {\"maximum_output\": 80, \"former\": 200}}",
    ])
  func damaged(_ text: String) {
    mkdir(folder.file("state"), 0o700)
    folder.write(text, to: "state/setup.json")
    chmod(folder.file("state/setup.json"), 0o600)
    #expect(SetupFile(folder: folder.file("state")).read() == SetupProgress())
  }
}
