import Acoustics
import ArgumentParser
import AudioIO
import Base
import Control
import Engine
import Glibc
import Realtime
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

  @Flag(help: "Show the measurement and the gain that it allows, without measuring.")
  var show = false

  @Flag(help: "Remove the measurement.")
  var clear = false

  @Option(help: ArgumentHelp("Measure one ear alone: left or right.", valueName: "ear"))
  var ear: Ear?

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func validate() throws {
    if [show, clear, ear != nil].filter(\.self).count > 1 {
      throw ValidationError("--show, --clear and --ear exclude each other.")
    }
  }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let door = try one { () throws(Failure) in try FeedbackDoor(configuration, socket) }
    let answer: FeedbackAnswer
    if show {
      // The form that a test's answer has, so that a program reads both alike.
      let message = "Nothing was measured now; this is what is known."
      answer = FeedbackAnswer(message: message, feedback: try door.report())
    } else if clear {
      try one { () throws(Failure) in try door.clear() }
      answer = .cleared(try door.report())
    } else {
      answer = try measured(door)
    }
    if form.json {
      print(try json(answer))
    } else {
      if !show { print(answer.message) }
      if !clear { print(FeedbackText(answer.feedback, style: form.style).text, terminator: "") }
    }
    return .done
  }

  /// Measures, and keeps what was measured: the daemon does, or this process where none runs.
  private func measured(_ door: FeedbackDoor) throws(ConfigurationFailures) -> FeedbackAnswer {
    // A reader that goes away must not end the test between two tones.
    signal(SIGPIPE, SIG_IGN)
    Interruption.watch()
    if let client = door.client {
      return try one { () throws(Failure) in
        try checkConfiguration(of: client)
        return try measured(by: client)
      }
    }
    let settings = try door.settings()
    try one { () throws(Failure) in try door.keep(try measured(with: settings)) }
    return .kept(try door.report())
  }

  /// Refuses a configuration that the daemon does not measure with.
  private func checkConfiguration(of client: ControlClient) throws(Failure) {
    guard let file = configuration.file else { return }
    let used = try client.ask(ReportMethods.Status()).configurationFile ?? "none"
    var (asked, own) = (stat(), stat())
    if stat(file, &asked) == 0, stat(used, &own) == 0, asked.st_dev == own.st_dev,
      asked.st_ino == own.st_ino
    {
      return
    }
    throw Failure(
      "--config", found: file, expected: "\(used), with which the daemon measures",
      remedy: "Leave the option out, or stop the daemon first: auricle stop.", exit: .usage)
  }

  /// Lets the daemon measure, and shows how far it is. The test ends with this process at the latest.
  private func measured(by client: ControlClient) throws(Failure) -> FeedbackAnswer {
    try client.ask(FeedbackMethods.Measure(ear.map { [$0] }))
    var bar = begun()
    defer { bar?.end() }
    var last = SystemTime.monotonic
    while !Interruption.hasCome {
      if let news = try client.nextNotification(timeout: Self.interval) {
        last = SystemTime.monotonic
        guard let notice = try? JSON.value(FeedbackNotice.self, from: news.content) else { continue }
        if let share = notice.share { bar?.update(share) }
        if let found = notice.repeats { bar?.say("Once more: found \(found).") }
        if let failure = notice.failure { throw failure }
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
    let claim = try Self.claim(of: settings.playbackName)
    defer { withExtendedLifetime(claim) {} }
    var bar = begun()
    defer { bar?.end() }
    let aid = HearingAid(settings: settings)
    do throws(SystemError) { try aid.startSilently() } catch {
      throw Failure(FeedbackFault.system("\(error)"))
    }
    defer { aid.stop() }
    do throws(FeedbackFault) {
      return FeedbackRecord(
        try aid.measureFeedback(
          ear.map { [$0] } ?? Ear.allCases, at: SystemTime.wall, progress: { bar?.update($0) },
          repeats: { bar?.say("Once more: found \($0).") }, isCancelled: { Interruption.hasCome }))
    } catch {
      throw error == .cancelled ? Self.interrupted : Failure(error)
    }
  }

  /// The playback device as this command's alone.
  ///
  /// - Throws: ``Failure`` when a daemon plays on it.
  private static func claim(of device: String?) throws(Failure) -> PlaybackClaim? {
    guard let device else { return nil }
    do throws(Failure) {
      return try PlaybackClaim(device, in: StandardPaths.current.runtimeDirectory)
    } catch {
      // A folder for locks that cannot be used keeps nobody from measuring; a daemon that plays does.
      if error.exitStatus == .temporary { throw error }
      return nil
    }
  }

  /// Longest time between two looks at a request to end, s.
  private static let interval = 0.1

  private static var interrupted: Failure {
    Failure("feedback test", saying: "ended before there was a result", exit: Interruption.exitStatus)
  }

  /// Says that sound begins; nil: to a program nothing is said.
  private func begun() -> ProgressBar? {
    guard !form.json else { return nil }
    print("Keep still. Rising tones, softly first, for half a minute or so; Ctrl-C ends them.")
    fflush(nil)
    return ProgressBar("measuring")
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
