import Acoustics
import ArgumentParser
import Base
import Control
import Engine
import Glibc
import Service
import Synchronization

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
      let answer = FeedbackAnswer(message: message, feedback: try report(by: client))
      return try show(answer, text(answer))
    }
    if clear {
      if let client { try client.ask(FeedbackMethods.Clear()) } else { try file.clear() }
      let answer = FeedbackAnswer.cleared(try report(by: client))
      return try show(answer, answer.message)
    }
    let answer = try measured(by: client)
    return try show(answer, answer.message + "\n" + text(answer))
  }

  private func text(_ answer: FeedbackAnswer) -> String {
    FeedbackText(answer.feedback, style: options.form.style).text
  }

  /// Measurements that are kept, where no daemon runs.
  private var file: FeedbackFile { FeedbackFile(folder: StandardPaths.current.stateDirectory) }

  /// Settings in force where no daemon runs: the configuration, and the prescription.
  private func settings() throws -> AidSettings {
    var settings = try AidSettings(try ConfigurationSearch(explicit: configuration.file).load().get())
    _ = try settings.hearing.followPrescription(by: options.socket)
    return settings
  }

  /// The measurement that is kept.
  private func report(by client: ControlClient?) throws -> StatusReport.Feedback {
    if let report = try client?.ask(ReportMethods.Status()).feedback { return report }
    let (record, problem) = file.read()
    var hearing = try settings().hearing
    hearing.feedback.measurements = record.measurements
    return StatusReport.Feedback(hearing, notes: [problem].compactMap(\.self))
  }

  /// Greatest part of the prescription's gain that the measurement takes in a band, dB, where no daemon runs.
  func greatestLoss() throws -> Double {
    let report = try report(by: nil)
    return [report.left, report.right].flatMap { $0.path?.held ?? [] }.map(\.heldBackDB).max() ?? 0
  }

  /// Measures, and keeps what was measured: the daemon does, or this process where none runs.
  private func measured(by client: ControlClient?) throws -> FeedbackAnswer {
    // A reader that goes away must not end the test between two tones.
    signal(SIGPIPE, SIG_IGN)
    Interruption.watch()
    if let client {
      try checkConfiguration(of: client)
      return try followed(client)
    }
    let record = try measured(with: try settings())
    try file.write(record.over(file.read().record))
    return .kept(try report(by: nil))
  }

  /// Refuses a configuration that the daemon does not measure with.
  private func checkConfiguration(of client: ControlClient) throws(Failure) {
    guard let file = configuration.file else { return }
    let used = try client.ask(ReportMethods.Status()).configurationFile ?? "none"
    guard !FilePath.isSame(file, used) else { return }
    throw Failure(
      "--config", found: file, expected: "\(used), with which the daemon measures",
      remedy: "Leave the option out, or stop the daemon first: auricle stop.", exit: .usage)
  }

  /// Lets the daemon measure, and shows how far it is. The test ends with this process at the latest.
  private func followed(_ client: ControlClient) throws(Failure) -> FeedbackAnswer {
    try client.ask(FeedbackMethods.Measure(ear.map { [$0] }))
    var bar = begun()
    defer { bar?.end() }
    var last = SystemTime.monotonic
    while !Interruption.hasCome {
      if let news = try client.nextNotification(timeout: Self.interval) {
        last = SystemTime.monotonic
        guard let notice = try? JSON.value(FeedbackNotice.self, from: news.content) else { continue }
        if let share = notice.share { bar?.update(share) }
        if let found = notice.onceMore { bar?.say("Once more: found \(found).") }
        if let failure = notice.error { throw failure }
        if let answer = notice.answer { return answer }
      } else if SystemTime.monotonic - last > client.timeout {
        // Fails for a daemon that hangs.
        try client.ask(ReportMethods.Status())
        last = SystemTime.monotonic
      }
    }
    try client.ask(FeedbackMethods.Stop())
    throw Self.interrupted
  }

  /// Measures in this process.
  private func measured(with settings: AidSettings) throws(Failure) -> FeedbackRecord {
    try DeviceGuard().refuse(.sound)
    let claim = try PlaybackClaim.ofCommand(on: settings.playbackName)
    defer { withExtendedLifetime(claim) {} }
    var bar = begun()
    defer { bar?.end() }
    let aid = HearingAid(settings: settings)
    do { try aid.startSilently() } catch { throw Failure(FeedbackFault.system("\(error)")) }
    defer { aid.stop() }
    do throws(FeedbackFault) {
      return FeedbackRecord(
        try aid.measureFeedback(
          ear.map { [$0] } ?? Ear.allCases, at: SystemTime.wall, progress: { bar?.update($0) },
          repeats: { bar?.say("Once more: found \($0).") }, isCancelled: { Interruption.hasCome }))
    } catch { throw error == .cancelled ? Self.interrupted : Failure(error) }
  }

  /// Longest time between two looks at a request to end, s.
  private static let interval = 0.1

  private static var interrupted: Failure {
    Failure("feedback test", saying: "ended before there was a result", exit: Interruption.exitStatus)
  }

  /// Says that sound begins; nil: to a program nothing is said.
  private func begun() -> ProgressBar? {
    guard !isForPrograms else { return nil }
    print("Keep still. Rising tones, softly first, for half a minute or so; Ctrl-C ends them.")
    fflush(nil)
    return ProgressBar("measuring")
  }
}

extension PlaybackClaim {
  /// The playback device as this command's alone.
  ///
  /// - Parameter device: Nil: the first card that is free.
  /// - Throws: ``Failure`` when a daemon plays on it.
  static func ofCommand(on device: String?) throws(Failure) -> PlaybackClaim? {
    guard let device else { return nil }
    let folder = StandardPaths.current.runtimeDirectory
    do throws(Failure) { return try PlaybackClaim(device, in: folder) } catch {
      // A folder for locks that cannot be used keeps nobody from measuring; a daemon that plays does.
      if error.exitStatus == .temporary { throw error }
      return nil
    }
  }
}

extension Ear: ExpressibleByArgument {}

/// `auricle fit`: measurements on the ear with the earpieces worn.
struct Fit: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure on the ear with the earpieces worn.", subcommands: [FitFeedback.self])
}

/// A request to end: SIGINT, SIGTERM or SIGHUP, noted and obeyed later.
///
/// - Threads: any.
enum Interruption {
  private static let signalNumber = Atomic<Int32>(0)

  /// Notes signals from now on; a second one ends the program as usual.
  static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        Interruption.signalNumber.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  /// True once such a signal has arrived.
  static var hasCome: Bool { signalNumber.load(ordering: .relaxed) != 0 }

  /// Exit status of a command that it ended.
  static var exitStatus: ExitStatus {
    signalNumber.load(ordering: .relaxed) == SIGINT ? .interrupted : .terminated
  }
}
