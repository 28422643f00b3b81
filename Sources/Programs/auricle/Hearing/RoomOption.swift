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

  var given: [String] { GivenOptions.names((level != nil, "--room"), (isOff, "--no-room")) }

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
