import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle route`: the devices between which sound goes, shown and chosen while it flows.
struct Route: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route", abstract: "Show or choose the devices between which sound goes.",
    discussion: """
      Other devices are tried live: the former ones come back by themselves unless you keep the new ones within \
      10 s of their first sound, and at once when they cannot be used.
      EXAMPLE: auricle route use --output hw:CARD=Headset
      """, subcommands: [Show.self, Use.self, Keep.self, Back.self], defaultSubcommand: Show.self)

  struct Show: Verb {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the devices in use.")

    @OptionGroup var socket: SocketOption
    @OptionGroup var form: JSONOption

    func answer() throws -> ExitStatus {
      let route = try socket.client().ask(RouteMethods.Show())
      return try show(route, RouteText(route).text)
    }
  }

  struct Use: Verb {
    static let configuration = CommandConfiguration(
      commandName: "use", abstract: "Try other devices; the former ones come back unless you keep them.",
      discussion: """
        Put earphones that you have not heard by yet on the table first: their loudness is not known. Asks on a \
        terminal; otherwise `auricle route keep` keeps them. Kept devices are written into the configuration. \
        Names: auricle devices
        """)

    @Option(help: .init("The microphone's device.", valueName: "device")) var input: String?
    @Option(help: .init("The earphones' device.", valueName: "device")) var output: String?
    @Flag(help: "Keep them as soon as they sound, without a question.") var keep = false

    @OptionGroup var socket: SocketOption
    @OptionGroup var form: JSONOption

    func validate() throws {
      if input == nil, output == nil { throw ValidationError("Name a device: --input, --output or both.") }
      do throws(ControlFailure) { try RouteMethods.Try(capture: input, playback: output).check() } catch {
        throw ValidationError(error.message)
      }
    }

    func answer() throws -> ExitStatus {
      let client = try socket.client()
      let route = try client.ask(RouteMethods.Try(capture: input, playback: output))
      guard route.isOnTrial, route.trialLeftSeconds != nil else {
        let reason = route.ended.map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
        throw Failure(
          "route", inWords: reason ?? "The devices do not sound yet",
          remedy: route.isOnTrial
            ? "Look with: auricle route"
            : RouteText(route).formerAgain,
          exit: .unavailable)
      }
      if keep { return try Route.keep(client, route.trial, by: self) }
      guard !isForPrograms, isatty(STDIN_FILENO) == 1 else {
        return try show(route, RouteText(route).text)
      }
      print(RouteText(route).text)
      return try ask(client, route)
    }

    private func ask(_ client: ControlClient, _ route: RouteReport) throws -> ExitStatus {
      let time = route.timeLeft ?? 0
      StandardError.write("Do you hear well by them? Type y and Enter within \(Int(time)) s to keep them: ")
      guard let reply = TimedReply.line(within: time) else {
        StandardError.write("\n")
        return try show(DoneReport(message: "Nobody answered: the former devices come back."), exit: .no)
      }
      if ["y", "yes"].contains(reply.lowercased()) { return try Route.keep(client, route.trial, by: self) }
      return try Route.back(client, route.trial, by: self, saying: "Not kept. ")
    }
  }

  struct Keep: Verb {
    static let configuration = CommandConfiguration(
      commandName: "keep", abstract: "Keep the devices on trial, and write them into the configuration.")

    @OptionGroup var socket: SocketOption
    @OptionGroup var form: JSONOption

    func answer() throws -> ExitStatus { try Route.keep(socket.client(), nil, by: self) }
  }

  struct Back: Verb {
    static let configuration = CommandConfiguration(
      commandName: "back", abstract: "Go back to the devices before the trial.")

    @OptionGroup var socket: SocketOption
    @OptionGroup var form: JSONOption

    func answer() throws -> ExitStatus { try Route.back(socket.client(), nil, by: self) }
  }

  // MARK: - The end of a trial

  /// - Parameter trial: Its number; nil: whichever is under way.
  private static func keep(_ client: ControlClient, _ trial: Int?, by verb: some Verb) throws -> ExitStatus
  {
    let route = try client.ask(RouteMethods.Keep(trial: trial))
    var done = DoneReport(message: RouteText(route).kept, notes: RouteText(route).notes, state: route.state)
    let search = ConfigurationSearch(explicit: route.configurationFile)
    do {
      // Where this user may not change the daemon's file, another would be written, which it does not read.
      guard let place = search.place, route.configurationFile.map({ $0 == place }) ?? true else {
        throw refusal(route.configurationFile ?? "configuration")
      }
      var file = try ConfigurationFile(search)
      guard !file.isNew || route.configurationFile == nil else {
        throw isGone(place) ? missing(place) : refusal(place)
      }
      try file.keep(route)
      try file.save()
      done.file = file.path
      done.notes.append("They stand in \(file.path).")
    } catch {
      done.notes.append(unwritten(route, in: search, because: error))
    }
    return try verb.show(done)
  }

  private static func refusal(_ file: String) -> Failure {
    Failure(file, found: "that you may not change it", exit: .noPermission)
  }

  /// True where no file has that name; false also of one in a folder that this user may not look into.
  private static func isGone(_ file: String) -> Bool {
    access(file, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// The configuration that the daemon has read is gone. One that begins anew would not have the limit that somebody chose to
  /// be safe.
  private static func missing(_ file: String) -> Failure {
    Failure(
      file, found: "no such file any more", expected: "the one that the daemon has read",
      remedy: "Put it back: it has what was chosen to be safe, and a new one has not.", exit: .noInput)
  }

  /// Note on devices that were kept and are not in the configuration, with the command that writes them into the file
  /// that the daemon reads: into another one it would bring the former devices back. It binds the calibrations as
  /// ``ConfigurationFile/keep(_:)`` does.
  ///
  /// - Parameter search: Finds that file.
  static func unwritten(
    _ route: RouteReport, in search: ConfigurationSearch, because error: any Error
  ) -> String {
    let failure = (error as? ConfigurationFailures)?.failures.first ?? error as? Failure
    let words = "They are not in the configuration and stay until the daemon ends or reads it again: "
    if let path = route.configurationFile, isGone(path) { return words + missing(path).message }
    let reason = words + (failure?.message ?? "\(error)")
    // Written without the bindings, a calibration of the former devices would count for these.
    guard let file = try? ConfigurationFile(search), !file.isNew || route.configurationFile == nil,
      file.hasReadableCalibrations
    else {
      return reason
        + " The devices that its calibrations were made with cannot be told from here, and have to stand"
        + " there before other devices do: try them again as a user who can read and change it."
    }
    let command = ConfigCommand.setting(
      file.settings(of: route).map { "\($0.key)=\($0.value)" }, in: route.configurationFile,
      asRoot: failure?.exitStatus == .noPermission)
    return reason + " To write them there: \(command)"
  }

  private static func back(
    _ client: ControlClient, _ trial: Int?, by verb: some Verb, saying words: String = ""
  ) throws -> ExitStatus {
    let route = try client.ask(RouteMethods.Back(trial: trial))
    return try verb.show(DoneReport(message: words + RouteText(route).text, state: route.state))
  }
}

/// The devices in words.
struct RouteText {
  let route: RouteReport

  init(_ route: RouteReport) { self.route = route }

  /// Lines for people.
  var text: String { ([line] + trial + notes).joined(separator: "\n") }

  var kept: String { "Kept. \(line)" }

  private var line: String {
    let sound = StateText.sentence(route.state)
    let end = sound.last.map { ".!?".contains($0) } == true ? "" : "."
    return
      "\(sound)\(end) From \(route.devices.capture ?? "no microphone") to \(route.devices.playback ?? "no earphones")."
  }

  private var trial: [String] {
    guard let left = route.timeLeft else { return [] }
    let former = [route.former?.capture, route.former?.playback].compactMap(\.self).joined(
      separator: " and ")
    return [
      "On trial for \(Int(left.rounded(.up))) s more, then \(former) come back, unless: auricle route keep"
    ]
  }

  /// After devices that could not be used: whether the former ones can be heard.
  var formerAgain: String {
    [.running, .muted, .starting].contains(route.state.name)
      ? "The former ones are in use again. auricle devices lists what there is."
      : "The former ones cannot be used either: "
        + StateText.sentence(route.state).split(separator: "\n").joined(separator: " ")
  }

  /// One sentence each.
  var notes: [String] {
    route.notes
      + route.uncalibratedEnds.map {
        "The calibration of the \($0) was made with another device and does not count: gain is held, and levels are estimates."
      }
  }
}

extension RouteReport {
  /// Time that the trial lasts, s, at most an hour whatever another program tells; nil: none is under way.
  fileprivate var timeLeft: Double? { trialLeftSeconds.map { min(max($0, 0), 3600) } }
}

/// A line that a person may type until a time.
enum TimedReply {
  /// - Parameter time: s.
  /// - Returns: Nil when nothing was typed in time, or the input has ended.
  static func line(within time: Double) -> String? {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let end = SystemTime.monotonic + time
    while true {
      let left = end - SystemTime.monotonic
      guard left > 0 else { return nil }
      let count = poll(&input, 1, Int32((left * 1000).rounded(.up)))
      if count > 0 { return readLine() }
      if count < 0, errno != EINTR { return nil }
    }
  }
}
