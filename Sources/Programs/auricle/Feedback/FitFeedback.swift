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
    let door = try one { () throws(Failure) in try FeedbackDoor(socket) }
    if show {
      let report = try door.report(with: configuration, socket)
      if form.json {
        // The form that a test's answer has, so that a program reads both alike.
        let message = "Nothing was measured now; this is what is known."
        print(try json(FeedbackAnswer(message: message, feedback: report)))
      } else {
        print(FeedbackText(report, style: form.style).text, terminator: "")
      }
      return .done
    }
    let answer: FeedbackAnswer
    if clear {
      answer = try door.change(to: nil, with: configuration, socket)
    } else {
      answer = try measured(door)
    }
    if form.json {
      print(try json(answer))
    } else {
      print(answer.message)
      if !clear { print(FeedbackText(answer.feedback, style: form.style).text, terminator: "") }
    }
    return .done
  }

  /// Measures, keeps what was measured, and gives the devices back.
  private func measured(_ door: FeedbackDoor) throws(ConfigurationFailures) -> FeedbackAnswer {
    let settings = try door.settings(with: configuration, socket)
    // A reader that goes away must not end the test between two tones.
    signal(SIGPIPE, SIG_IGN)
    Interruption.watch()
    let devices = try one { () throws(Failure) in try BorrowedDevices(door.client) }
    let outcome: Result<FeedbackAnswer, ConfigurationFailures>
    do throws(ConfigurationFailures) {
      let record = FeedbackRecord(try one { () throws(Failure) in try test(settings, devices) })
      outcome = .success(try door.change(to: record, with: configuration, socket))
    } catch {
      outcome = .failure(error)
    }
    do throws(Failure) {
      try devices.giveBack()
    } catch {
      // A daemon that stays silent is reported in addition to other failures.
      var failures: [Failure] = []
      if case .failure(let former) = outcome { failures = former.failures }
      throw ConfigurationFailures(failures: failures + [error])
    }
    return try outcome.get()
  }

  private func test(
    _ settings: AidSettings, _ devices: BorrowedDevices
  ) throws(Failure) -> [(ear: Ear, measurement: FeedbackMeasurement)] {
    let claim = try devices.claim(of: settings.playbackName)
    defer { withExtendedLifetime(claim) {} }
    if !form.json {
      print("Keep still. Rising tones, softly first, for half a minute or so; Ctrl-C ends them.")
      fflush(nil)
    }
    var bar = ProgressBar("measuring")
    let aid = HearingAid(settings: settings)
    do throws(SystemError) { try aid.startSilently() } catch {
      throw Failure(FeedbackFault.system("\(error)"))
    }
    defer { aid.stop() }
    do throws(FeedbackFault) {
      let results = try aid.measureFeedback(
        ear.map { [$0] } ?? Ear.allCases, at: SystemTime.wall,
        progress: { if !form.json { bar.update($0) } },
        repeats: { if !form.json { bar.say("Once more: found \($0).") } },
        isCancelled: { Interruption.hasCome || !devices.keep() })
      if !form.json { bar.finish() }
      return results
    } catch {
      if !form.json { bar.end() }
      if let loss = devices.loss { throw loss }
      throw Failure(error)
    }
  }
}

extension Ear: ExpressibleByArgument {}

extension Failure {
  /// Why a feedback test has no result.
  init(_ fault: FeedbackFault) {
    let subject = "feedback test"
    switch fault {
    case .device: self.init(subject, saying: "\(fault)", exit: .temporary)
    case .system: self.init(subject, saying: "\(fault)", exit: .system)
    case .settings: self.init(subject, saying: "\(fault)", exit: .badData)
    case .cancelled:
      self.init(subject, saying: "ended before there was a result", exit: Interruption.exitStatus)
    case .dropOuts, .tooNoisy, .moved, .delayMoved, .muted, .stopped:
      self.init(
        subject, found: "\(fault)", expected: fault.expectation, remedy: fault.remedy, exit: .temporary)
    case .microphoneSilent, .microphoneOverloaded:
      self.init(
        subject, found: "\(fault)", expected: fault.expectation, remedy: fault.remedy, exit: .inputOutput)
    case .limitTooLow:
      self.init(
        subject, found: "\(fault)", expected: fault.expectation, remedy: fault.remedy, exit: .configuration)
    }
  }
}

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
