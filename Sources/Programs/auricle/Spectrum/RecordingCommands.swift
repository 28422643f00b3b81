import ArgumentParser
import Base
import Control
import Service

/// `auricle recording`: the wearer's leave to record the sound at their ears.
struct RecordingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recording", abstract: "Allow, for a moment, that the sound at your ears is recorded.",
    discussion: """
      Nobody can record what you hear without your leave. It holds for one recording and for five minutes at most, \
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
    commandName: "forbid", abstract: "Take the leave back, and end a recording under way.")

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let client = try options.socket.client()
    try client.ask(RecordingMethods.Forbid())
    let message = "Nobody may record the sound at your ears."
    return try show(DoneReport(message: message, state: try client.ask(ReportMethods.Status()).state))
  }
}
