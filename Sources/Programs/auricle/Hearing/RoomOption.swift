import ArgumentParser
import Procedures

/// Quiet that a room must have.
struct RoomOption: ParsableArguments {
  @Option(
    name: .customLong("room"),
    help: .init(
      "Level that the room must lie below for five seconds, dB(A), before sounds and between them. Default: 45.",
      valueName: "level"))
  var level: Double?

  @Flag(name: .customLong("no-room"), help: "Do not listen to the room.") var isOff = false

  func validate() throws {
    guard level == nil || !isOff else { throw ValidationError("--room and --no-room exclude each other.") }
  }

  /// Options that a procedure which is gone on with has from its beginning. It may be gone on with without listening to the room: the microphone
  /// may be what ended it.
  var given: [String] { GivenOptions.names((level != nil, "--room")) }

  /// The tinnitus study's numbers (docs/sources.md), with this threshold.
  var rule: QuietRoomRule? {
    guard !isOff else { return nil }
    let study = QuietRoomRule.tinnitusStudy
    let threshold = level ?? study.threshold
    return QuietRoomRule(
      threshold: threshold, passes: study.passes, release: threshold - (study.threshold - study.release),
      rise: study.rise, confirmations: study.confirmations, adaptation: study.adaptation,
      helpAfter: study.helpAfter)
  }
}
