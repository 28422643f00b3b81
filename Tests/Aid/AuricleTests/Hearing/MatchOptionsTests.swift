import Acoustics
import Base
import Procedures
import Service
import Testing

@testable import AuricleCommands

/// Command lines of hearing tests and matches, and the orders that they become.
@Suite("Options of hearing tests and matches") struct MatchOptionsTests {
  private func order<Match: MatchVerb>(_ match: Match.Type, _ line: String) throws -> ProcedureOrder {
    try match.parse(line.split(separator: " ").map(String.init)).order()
  }

  @Test("each option of a match changes its order, and nothing else does")
  func orders() throws {
    let usual = try order(Match.Loudness.self, "--tinnitus left")
    #expect(usual.name == .loudness && usual.ear == .right && usual.tinnitusSide == .left)
    #expect(
      (usual.frequency, usual.trials, usual.threshold) == (1000, 3, nil) && usual.room?.threshold == 45)
    let loudness = try order(
      Match.Loudness.self,
      "--tinnitus both --ear left --frequency 4000 --trials 5 --bracketing --threshold -5 --no-room")
    #expect(loudness.name == .bracketing && loudness.ear == .left && loudness.tinnitusSide == .both)
    #expect((loudness.frequency, loudness.trials, loudness.threshold) == (4000, 5, -5))
    #expect(loudness.room == nil)
    let pitch = try order(Match.Pitch.self, "--tinnitus right --likeness --room 40")
    #expect(pitch.name == .likeness && pitch.ear == .left)
    // The study's release lies 2 dB below its threshold.
    #expect((pitch.room?.threshold, pitch.room?.release) == (40, 38))
    let bandwidth = try order(Match.Bandwidth.self, "--tinnitus left --frequency 6000 --threshold 30")
    #expect((bandwidth.frequency, bandwidth.threshold) == (6000, 30))
    let usualNoise = try order(Match.Masking.self, "--tinnitus left")
    #expect((usualNoise.signal, usualNoise.frequency, usualNoise.threshold) == (.broadNoise, 1000, nil))
    let line = "--tinnitus left --signal narrow-noise --frequency 3000 --threshold 25"
    for order in [try order(Match.Masking.self, line), try order(Match.Inhibition.self, line)] {
      #expect((order.signal, order.frequency, order.threshold) == (.narrowNoise, 3000, 25))
    }
  }

  @Test("each option of a hearing test changes its order")
  func hearingTest() throws {
    let usual = try HearingTestCommand.parse([]).order
    #expect(usual.ears == nil && usual.frequencies == nil && usual.highest == nil)
    #expect((usual.method, usual.signal) == (.hughsonWestlake, .pulsed) && usual.room?.threshold == 45)
    let words =
      "--ear left --frequency 1000 2000 --frequency 500 --method bayesian --signal warble --highest 80 --no-room"
    let order = try HearingTestCommand.parse(words.split(separator: " ").map(String.init)).order
    // Separated by spaces, or the option again.
    #expect(order.ears == [.left] && order.frequencies == [1000, 2000, 500] && order.highest == 80)
    #expect((order.method, order.signal) == (.bayesian, .warble) && order.room == nil)
  }

  @Test("broad noise is tested at one frequency, by which its threshold is named, and makes no audiogram")
  func broadNoise() throws {
    func refusal(_ line: String) throws -> Failure? {
      let command = try HearingTestCommand.parse(line.split(separator: " ").map(String.init))
      do throws(Failure) { try command.checkSound(of: command.order) } catch { return error }
      return nil
    }
    #expect(try refusal("--signal broad-noise --frequency 1000") == nil)
    #expect(try refusal("--signal narrow-noise --output a.json --picture a.png") == nil)
    #expect(try refusal("--output a.json") == nil)
    let written = try #require(
      try refusal("--signal broad-noise --frequency 1000 --output a.json --picture a.png"))
    #expect(written.exitStatus == .usage)
    #expect(
      written.remedy == "Leave out --output and --picture, or take --signal narrow-noise.")
    for (line, count) in [("", 8), (" --frequency 1000 2000", 2)] {
      let several = try #require(try refusal("--signal broad-noise" + line))
      #expect(several.exitStatus == .usage)
      #expect(several.message.contains("broad-noise at \(count) frequencies"))
      #expect(several.remedy?.hasSuffix("--frequency 1000") == true)
    }
  }

  @Test(
    "options without an effect are refused: a pitch match has no single threshold, broad noise no middle, two tones no profile"
  )
  func refused() {
    for line in [
      "--tinnitus left --threshold 20", "--tinnitus left --picture profile.png",
      "--tinnitus left --room 40 --no-room",
    ] {
      #expect(throws: (any Error).self) { try order(Match.Pitch.self, line) }
    }
    #expect(throws: (any Error).self) { try order(Match.Masking.self, "--tinnitus left --frequency 4000") }
    #expect(throws: (any Error).self) {
      try order(Match.Inhibition.self, "--tinnitus left --signal broad-noise --frequency 4000")
    }
  }

  @Test("what is gone on with takes no options of its beginning, and says which to leave out")
  func resumed() throws {
    func given<Match: MatchVerb>(_ match: Match.Type, _ line: String) throws -> [String] {
      let match = try match.parse(line.split(separator: " ").map(String.init))
      return match.match.given + match.fixed
    }
    #expect(try given(Match.Loudness.self, "--resume last") == [])
    #expect(
      try given(
        Match.Loudness.self,
        "--resume last --tinnitus left --ear left --room 40 --frequency 500 --trials 2 --threshold 9")
        == ["--tinnitus", "--ear", "--room", "--frequency", "--trials", "--threshold"])
    #expect(
      try given(
        Match.Masking.self, "--resume last --no-room --signal tone --frequency 500 --threshold 9")
        == ["--frequency", "--signal", "--threshold"])
    // The microphone may be what ended it: the room alone may be left out.
    #expect(try given(Match.Loudness.self, "--resume last --no-room") == [])
    #expect(
      try given(Match.Bandwidth.self, "--resume last --frequency 500 --threshold 9") == [
        "--frequency", "--threshold",
      ])
    let failure = #expect(throws: Failure.self) { try GivenOptions.refuse(["--ear", "--room"]) }
    #expect(failure?.exitStatus == .usage)
    #expect(failure?.remedy == "What was left goes on as it was begun: leave out --ear and --room.")
    #expect(throws: Never.self) { try GivenOptions.refuse([]) }
  }
}
