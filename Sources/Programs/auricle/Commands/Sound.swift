import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle mute`: silence for a while.
struct Mute: Verb {
  static let configuration = CommandConfiguration(
    commandName: "mute", abstract: "Fade to silence, until unmuted.",
    discussion: """
      The devices stay open. The daemon keeps it through stop, start, reload and loss of the device, until \
      `auricle unmute` or until the daemon ends; a new one begins unmuted.
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let answer = try socket.client().ask(SoundMethods.Mute())
    return try show(DoneReport(StateText.sentence(answer.state), answer))
  }
}

/// `auricle unmute`: sound again.
struct Unmute: Verb {
  static let configuration = CommandConfiguration(
    commandName: "unmute", abstract: "End the mute: sound returns now, or at the next start.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let answer = try socket.client().ask(SoundMethods.Unmute())
    return try show(DoneReport(StateText.unmuted(answer.state), answer))
  }
}

/// `auricle stop`: silence.
struct Stop: Verb {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "End the sound.",
    discussion: """
      The sound fades out and the devices are free for others. A daemon that `auricle start` began ends too; \
      a service stays, silent. --daemon ends any. \
      A mute is kept by a daemon that stays; a new one begins unmuted.
      """)

  @Flag(help: "End the daemon too, whoever started it.") var daemon = false

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  /// Longest that a daemon on its way is given to end, s.
  private static let patience = 3.0

  func answer() throws -> ExitStatus { try show(stopped()) }

  private func stopped() throws(Failure) -> DoneReport {
    switch try socket.look() {
    case .found(let client): try stopped(client)
    case .absent(let failure): try ended(unless: failure)
    }
  }

  /// Ends a daemon that is being started again, where none listens.
  private func ended(unless failure: Failure) throws(Failure) -> DoneReport {
    if let guardian = DaemonGuardian(ofSocket: socket.path) {
      guard guardian.end(within: Self.patience) else {
        throw Failure(
          "auricle stop",
          inWords: "The daemon (PID \(guardian.processID)) is being started again and did not end within "
            + "\(Int(Self.patience)) s", remedy: "Try again: auricle stop", exit: .temporary)
      }
      return DoneReport(
        message: "Sound is off. The daemon was being started again after a crash; it has ended.",
        notes: forgetKept())
    }
    guard socket.socket == nil else { throw failure }
    let left = forgetKept()
    var report = notFound
    report.notes += left
    return report
  }

  /// The answer where no daemon listens: where a variable named the socket, or a socket was left, another daemon may still play.
  private var notFound: DoneReport {
    let path = socket.path
    let place = socket.named == nil ? path : "\(path), which AURICLE_SOCKET names"
    if let other = socket.otherAid {
      let command = "auricle stop --socket \(other.shellWord)"
      return DoneReport(
        message: "No daemon runs on \(place).",
        notes: ["An aid on \(other) may play all the same: \(command)"])
    }
    var notes: [String] = []
    if socket.isElsewhere { notes.append("One on another socket would play on.") }
    // One that does not answer may not be asked whether it plays.
    if StandardPaths.systemsIsClosed {
      notes.append(
        "The system's hearing aid may play all the same: it answers root and members of group auricle alone."
      )
    }
    let message =
      socket.isElsewhere
      ? "No daemon runs on \(place), nor in the usual places." : "Sound is off: no daemon runs."
    return DoneReport(message: message, notes: notes)
  }

  /// After a stop the next start begins anew.
  ///
  /// - Returns: A note where it does not.
  private func forgetKept() -> [String] {
    do throws(Failure) {
      try KeptState.forget(
        besideSocket: socket.path, standard: StandardPaths.current.socket, isNamed: socket.named != nil,
        configuration: ConfigurationSearch(explicit: nil).file())
      return []
    } catch { return [error.message] }
  }

  private func stopped(_ client: ControlClient) throws(Failure) -> DoneReport {
    let state =
      try daemon ? client.ask(SoundMethods.Shutdown()).state : client.ask(SoundMethods.Stop()).state
    // Half a second is longer than an end usually takes.
    let hasEnded = client.hangsUp(within: state.isMuted ? 1.5 : 0.5) || daemon
    let note =
      hasEnded
      ? "The mute ends with the daemon: auricle start begins unmuted."
      : "Still muted: after auricle start it stays silent until: auricle unmute"
    return DoneReport(
      message: state.name == .stopped ? "Sound is off." : StateText.sentence(state),
      notes: state.isMuted ? [note] : [], state: state)
  }
}

extension ControlClient {
  /// True when the daemon ends, which closes the connection.
  ///
  /// - Parameter time: Longest that it is waited for, s.
  fileprivate func hangsUp(within time: Double) -> Bool {
    do throws(Failure) { _ = try nextNotification(timeout: time) } catch { return true }
    return false
  }
}

/// `auricle start`: sound, by the daemon that runs or by a new one.
struct Start: Verb {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start the sound.",
    discussion: """
      Asks the daemon; when none runs, starts one in the background that ends with `auricle stop`. Where the \
      system's service is set up and you have no prescription of your own, that one is to be started instead; \
      --config or --socket begins another. \
      Exits with 0 when sound flows, 1 when it is muted, \
      75 while it waits for the device, 78 when something has to be corrected first.
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var file: ConfigurationOption
  @OptionGroup var form: JSONOption

  /// Longest that a device may take to open before the answer is "starting", s.
  private static let patience = 8.0
  /// Longest that the end of a daemon is waited for, s: it gives itself at most 1.4 s.
  private static let longestEnd = 2.0

  func answer() throws -> ExitStatus {
    let answer = try begun()
    let done = DoneReport(StateText.sentence(answer.state), answer)
    return try show(done, exit: StateText.exitStatus(answer.state))
  }

  private func begun() throws(Failure) -> StateAnswer {
    switch try socket.look() {
    case .absent(let failure): return try launched(after: failure)
    case .found(let client):
      let first: StateAnswer
      do throws(Failure) {
        try file.check(against: client, whichOne: "runs")
        first = try client.ask(SoundMethods.Start())
      } catch {
        // It was on its way to its end when it was asked: it has hung up, or will.
        guard error.exitStatus == .unavailable else { throw error }
        _ = client.hangsUp(within: Self.longestEnd)
        return try launched(after: error)
      }
      // One that ends from now on was stopped since: nothing begins after a stop.
      return try settled(first, of: client)
    }
  }

  /// Answer of a daemon, followed until sound flows or it is known why not.
  private func settled(_ first: StateAnswer, of client: ControlClient) throws(Failure) -> StateAnswer {
    var answer = first
    for _ in 0..<Int(Self.patience / 0.05) where [.starting, .stopped].contains(answer.state.name) {
      usleep(50_000)
      answer = try status(of: client)
    }
    return answer
  }

  /// A new daemon, in the background.
  ///
  /// - Parameter failure: Of the call to the one that runs.
  private func launched(after failure: Failure) throws(Failure) -> StateAnswer {
    try refuseSystems(after: failure)
    let client = try BackgroundDaemon(socket: socket.named, configurationFile: file.file).started()
    return try settled(try status(of: client), of: client)
  }

  /// Refuses where the system's aid is set up: a person's own would play beside it without the prescription, and root's would lie in that
  /// one's folders, which belong to its user.
  private func refuseSystems(after failure: Failure) throws(Failure) {
    let advice = StartAdvice.current(asking: socket.path)
    // A clinic's device refuses it by itself, and notes that.
    guard advice.isSystems, socket.named == nil, DeviceStanding.current.clinicName == nil, !isAnother
    else { return }
    // One that hangs is not off.
    guard DaemonTrace(ofSocket: DeviceGuard.socket) == .absent else { throw failure }
    let purpose = "To begin another on purpose: auricle start --config FILE, or with a --socket of its own."
    throw Failure(
      "auricle start", found: "the system's aid, which is off", expected: "its service to start it",
      remedy: geteuid() == 0 ? advice.sentence : "\(advice.sentence) \(purpose)", exit: .unavailable)
  }

  /// True for an aid beside the system's that is begun on purpose; root's in a folder of its own.
  private var isAnother: Bool {
    geteuid() == 0
      ? StandardPaths.current.socket != DeviceGuard.socket
      : ConfigurationSearch(explicit: file.file).isNamed
  }

  private func status(of client: ControlClient) throws(Failure) -> StateAnswer {
    let report = try client.ask(ReportMethods.Status())
    return StateAnswer(cautioned: report)
  }
}

/// `auricle run`: the daemon in the foreground, as `auricled`.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run the daemon in the foreground, until Ctrl-C.",
    discussion: "The same as auricled(8). Messages go to standard error.")

  @OptionGroup var file: ConfigurationOption
  @OptionGroup var socket: SocketOption

  func validate() throws {
    if socket.role != nil {
      throw ValidationError("--as is for commands that ask a daemon: this one is it.")
    }
  }

  func run() throws {
    let options = DaemonOptions(configurationFile: file.file, socket: socket.socket)
    let status = DaemonProcess.run(options, program: "auricle")
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
