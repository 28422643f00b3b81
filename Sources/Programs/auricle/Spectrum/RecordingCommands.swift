import ArgumentParser
import Base
import Control
import Service

/// `auricle recording`: the wearer's leave to record the sound at their ears.
struct RecordingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recording", abstract: "Allow, for a moment, that the sound at your ears is recorded.",
    discussion: """
      Nobody can record what you hear without your permission. It holds for one recording and for five minutes at most, \
      stands in `auricle status`, and ends when you take it back, mute or stop.
      """, subcommands: [AllowRecording.self, ForbidRecording.self])
}

/// `auricle recording allow`.
struct AllowRecording: Verb {
  static let configuration = CommandConfiguration(
    commandName: "allow", abstract: "Allow one recording of the sound at your ears.",
    discussion: "EXAMPLE: auricle recording allow --for 60s")

  @Option(
    name: .customLong("for"),
    help: .init("Time for which it is allowed; 120s unless given.", valueName: "time"))
  var time: String?

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let seconds = try Spectrum.seconds("--for", time, in: RecordingMethods.Allow.times) ?? 120
    let client = try options.socket.client()
    try client.ask(RecordingMethods.Allow(seconds: seconds))
    let message =
      "The sound at your ears may be recorded once within \(NumberText.duration(seconds)). To take that back: "
      + "auricle recording forbid"
    return try show(DoneReport(message: message, state: try client.ask(ReportMethods.Status()).state))
  }
}

/// `auricle recording forbid`.
struct ForbidRecording: Verb {
  static let configuration = CommandConfiguration(
    commandName: "forbid", abstract: "Withdraw the permission, and end a recording under way.")

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let client = try options.socket.client()
    try client.ask(RecordingMethods.Forbid())
    let message = "Nobody may record the sound at your ears."
    return try show(DoneReport(message: message, state: try client.ask(ReportMethods.Status()).state))
  }
}

/// Time for which sound is recorded, beside the leave that it is recorded by.
enum RecordingTime {
  /// Part of a leave that passes before the first spectrum and behind the last one, s; own choice: some tenths are usual.
  private static let margin = 5.0

  /// Leave that is asked for, s.
  static func leave(for length: Double) -> Double {
    min(length + margin, RecordingMethods.Allow.times.upperBound)
  }

  /// Refuses a time that no leave, or not the one that stands, lasts: the sound and its numbers would end before.
  ///
  /// - Parameters:
  ///   - length: s.
  ///   - rest: Time until the end of the leave that stands, s; nil: there is none yet.
  /// - Throws: ``Failure``: ``ExitStatus/usage``.
  static func check(_ length: Double, leave rest: Double?) throws(Failure) {
    let longest = RecordingMethods.Allow.times.upperBound
    guard length <= longest else {
      throw Failure(
        "--for", found: "\(length.shortText) s",
        expected: "at most \(longest.shortText) s of sound, the longest permission that there is",
        remedy: "Record one part after another, or leave out --sound.", exit: .usage)
    }
    guard let rest, length > rest + margin else { return }
    throw Failure(
      "--for", found: "\(length.shortText) s",
      expected:
        "at most \(max(rest, 0).rounded(.down).shortText) s, for which the wearer's permission still holds",
      remedy: "Record for less, or let the wearer say: auricle recording allow --for \(length.shortText)s",
      exit: .usage)
  }
}
