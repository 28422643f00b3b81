import Acoustics
import ArgumentParser
import Base
import Control
import Engine
import Glibc
import Service

/// `auricle fit feedback`: the path from the earphones back to the microphones, and the gain that it
/// allows.
struct FitFeedback: Verb {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Measure the path from the earphones back to the microphones, and limit the gain by it.",
    discussion: """
      Insert the earpieces as usual and sit still in a quiet room. Each earphone plays rising tones, softly first, \
      never above 75 dB SPL nor within 10 dB of its limit; the microphones are not amplified meanwhile. A running daemon \
      is silent during the test and resumes afterwards, however it ends. Two runs in succession must agree; \
      after a disturbance, such as a cough or a gap in the sound, the test measures again. The measurement is kept and \
      holds the prescription's gain 6 dB below the point where it would whistle.
      Exits with 75 when the room is too loud, an earpiece moved or the device is missing: try again.

      EXAMPLE: auricle fit feedback
      """)

  @Flag(
    name: .customLong("show"), help: "Show the measurement and the gain that it allows, without measuring.")
  var shows = false

  @Flag(help: "Remove the measurement.") var clear = false

  @Option(help: .init("Measure one ear alone: left or right.", valueName: "ear")) var ear: Ear?

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var options: ClientOptions

  func validate() throws {
    if [shows, clear, ear != nil].filter(\.self).count > 1 {
      throw ValidationError("--show, --clear and --ear exclude each other.")
    }
  }

  func answer() throws -> ExitStatus {
    let client = try options.socket.ifRunning { $0 }
    if shows {
      // The form that a test's answer has, so that a program reads both alike.
      let message = "Nothing was measured now; this is what is known."
      let answer = FeedbackAnswer(message: message, feedback: try session.report(by: client))
      return try show(answer, text(answer))
    }
    if clear {
      if let client { try client.ask(FeedbackMethods.Clear()) } else { try session.file.clear() }
      let answer = FeedbackAnswer.cleared(try session.report(by: client))
      return try show(answer, answer.message)
    }
    let answer = try session.measured(by: client)
    return try show(answer, answer.message + "\n" + text(answer))
  }

  private func text(_ answer: FeedbackAnswer) -> String {
    FeedbackText(answer.feedback, style: options.form.style).text
  }

  private var session: FeedbackSession {
    FeedbackSession(
      kind: .path, ear: ear, socket: options.socket, configuration: configuration, isQuiet: isForPrograms)
  }

  /// Greatest part of the prescription's gain that the measurement takes in a band, dB, where no daemon runs.
  func greatestLoss() throws -> Double {
    let report = try session.report(by: nil)
    return [report.left, report.right].flatMap { $0.path?.held ?? [] }.map(\.heldBackDB).max() ?? 0
  }
}

extension Ear: ExpressibleByArgument {}

/// `auricle fit`: measurements on the ear with the earpieces worn.
struct Fit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Measure on the ear with the earpieces worn.", subcommands: [FitFeedback.self])
}
