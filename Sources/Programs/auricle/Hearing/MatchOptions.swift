import Acoustics
import ArgumentParser
import Base
import Control
import Glibc
import Paper
import Procedures
import Service

/// Options of every match.
struct MatchOptions: ParsableArguments {
  @Option(
    name: .customLong("tinnitus"),
    help: .init("Side on which you hear it: left, right, both or head.", valueName: "side"))
  var side: ProcedureOrder.TinnitusSide?

  @Option(
    help: .init("Ear that hears the tones, instead of the one opposite the tinnitus.", valueName: "ear"))
  var ear: Ear?

  @OptionGroup var room: RoomOption

  @Option(help: .init("Go on with one that was left; last: the newest.", valueName: "record"))
  var resume: String?

  /// - Throws: ``Failure`` where it is not said on which side the tinnitus is, and there is nobody to ask.
  func order(_ name: ProcedureOrder.Name) throws(Failure) -> ProcedureOrder {
    var order = ProcedureOrder(name)
    let side = if let side { side } else { try Self.askSide() }
    order.tinnitusSide = side
    switch (ear, side) {
    case (let ear?, _): order.ear = ear
    case (nil, .left): order.ear = .right
    case (nil, .right): order.ear = .left
    case (nil, .both), (nil, .head):
      throw Failure(
        "--ear", inWords: "With a tinnitus on both sides the ear that hears the tones must be said",
        remedy: "The one that hears better: --ear left or --ear right", exit: .usage)
    }
    order.room = room.rule
    return order
  }

  /// Options that a match which is gone on with has from its beginning.
  var given: [String] {
    GivenOptions.names((side != nil, "--tinnitus"), (ear != nil, "--ear")) + room.given
  }

  private static func askSide() throws(Failure) -> ProcedureOrder.TinnitusSide {
    let words = ProcedureOrder.TinnitusSide.allCases.map(\.rawValue)
    let line = TerminalLine(of: "--tinnitus", remedy: "Say it: --tinnitus left, right, both or head")
    while true {
      let answer = try line.ask(
        "On which side do you hear your tinnitus (\(English.list(words, "or")))? ", isShown: true)
      if let side = ProcedureOrder.TinnitusSide(rawValue: answer.lowercased().filter { $0 != " " }) {
        return side
      }
    }
  }
}

extension ProcedureOrder.TinnitusSide: ExpressibleByArgument {}

extension ProcedureMethods.Start {
  /// - Throws: ``Failure`` (``ExitStatus/usage``) of numbers that the daemon would refuse.
  init(checked order: ProcedureOrder) throws(Failure) {
    do throws(ControlFailure) { try order.check() } catch {
      let words = error.message.hasPrefix("order: ") ? String(error.message.dropFirst(7)) : error.message
      throw Failure(
        order.name.rawValue, inWords: words.prefix(1).uppercased() + words.dropFirst(), exit: .usage)
    }
    self.init(order)
  }
}

/// Files that are written once a procedure has ended: they are tried before it begins.
enum OutputPlace {
  /// - Throws: ``Failure`` of a folder that is missing or cannot be written, and of one that has the file's name.
  static func check(_ path: String?) throws(Failure) {
    guard let path else { return }
    let folder = FilePath.folder(of: path)
    guard access(folder, W_OK | X_OK) == 0 else {
      throw Failure.writing(path, SystemError(call: "access", code: errno))
    }
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      throw Failure.writing(path, SystemError(code: EISDIR))
    }
  }

  /// The same of a recording, which takes its name once it is whole: it would take that of a pipe or device away.
  static func check(whole path: String) throws(Failure) {
    try check(path)
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(
        path,
        inWords:
          "This is a pipe or a device, and a recording is a file, which has its name once it is whole",
        remedy: "Give a name that is free.", exit: .cannotCreate)
    }
  }

  /// The same of a picture, whose name tells its format.
  static func check(picture path: String?) throws(Failure) {
    guard let path else { return }
    guard PictureFormat(path: path) != nil else {
      throw Failure(path, found: "no format of a picture", expected: ".png, .svg or .pdf", exit: .usage)
    }
    try check(path)
  }
}

/// The threshold that levels of a match stand above, where no hearing test by these earphones has it.
struct ThresholdOption: ParsableArguments {
  @Option(
    name: .customLong("threshold"),
    parsing: .unconditional,
    help: .init(
      "Your threshold of this sound, dB HL, of another audiogram, instead of the last hearing test's.",
      valueName: "level"))
  var level: Double?
}

/// The sound that masks.
struct NoiseOptions: ParsableArguments {
  @Option(
    help: .init("Middle of narrow noise, or frequency of a tone, Hz. Default: 1000.", valueName: "hz"))
  var frequency: Double?

  @Option(help: .init("broad-noise, narrow-noise or tone. Default: broad-noise.", valueName: "name"))
  var signal: Stimulus.Signal?

  func validate() throws {
    guard frequency == nil || (signal ?? .broadNoise) != .broadNoise else {
      throw ValidationError(
        "Broad noise has no middle: give --signal narrow-noise with --frequency, or leave it out.")
    }
  }

  var given: [String] {
    GivenOptions.names((frequency != nil, "--frequency"), (signal != nil, "--signal"))
  }
}

/// Options that a procedure which is gone on with has from its beginning, so that they would have no effect.
enum GivenOptions {
  /// Names of those that were given.
  static func names(_ options: (isGiven: Bool, name: String)...) -> [String] {
    options.filter(\.isGiven).map(\.name)
  }

  /// - Throws: ``Failure`` (``ExitStatus/usage``) where there is one.
  static func refuse(_ names: [String]) throws(Failure) {
    guard !names.isEmpty else { return }
    throw Failure(
      "--resume", found: "it with \(English.list(names, "and"))", expected: "it alone",
      remedy: "What was left goes on as it was begun: leave out \(English.list(names, "and")).",
      exit: .usage)
  }
}

/// A match as a command.
protocol MatchVerb: Verb {
  static var name: ProcedureOrder.Name { get }
  static var title: String { get }
  var match: MatchOptions { get }
  var options: ClientOptions { get }
  func order() throws(Failure) -> ProcedureOrder
  /// Name of the procedure with the options given.
  var procedureName: ProcedureOrder.Name { get }
  /// Options given that only the beginning of a match takes, but for those of every match.
  var fixed: [String] { get }
  /// Refuses files that cannot be written, before the match begins.
  func checkPlaces() throws(Failure)
  /// Draws the result, where that was asked for.
  ///
  /// - Parameter began: s since 1970-01-01 UTC.
  func draw(_ result: ProcedureResult?, at began: Double) throws(Failure)
}

extension MatchVerb {
  var fixed: [String] { [] }

  func checkPlaces() {}

  func draw(_ result: ProcedureResult?, at began: Double) {}

  var procedureName: ProcedureOrder.Name { Self.name }

  func answer() throws -> ExitStatus {
    if match.resume != nil { try GivenOptions.refuse(match.given + fixed) }
    try checkPlaces()
    let client = try options.socket.client()
    let start: ProcedureMethods.Start
    if let left = match.resume {
      start = ProcedureMethods.Start(
        resuming: try LeftRecord.named(left, procedureName, client), withoutRoom: match.room.isOff)
    } else {
      start = try ProcedureMethods.Start(checked: try order())
    }
    var dialogue = ProcedureDialogue(client, title: Self.title)
    let notice = try dialogue.carryOut(start)
    let (report, began) = report(notice, client)
    let status = try show(report, report.text)
    try draw(notice.result, at: began)
    return status
  }

  /// The result with everything that its record tells of it. The result is here already: a record that cannot be had keeps nothing back.
  ///
  /// - Returns: And its beginning, s since 1970-01-01 UTC.
  private func report(_ notice: ProcedureNotice, _ client: ControlClient) -> (MatchReport, began: Double) {
    do throws(Failure) {
      let beginning = try client.ask(ProcedureMethods.Show(notice.record)).beginning
      return (MatchReport(beginning, notice.result), beginning.at)
    } catch {
      StandardError.write(
        "auricle: caution: neither the tinnitus' side nor the threshold's source is shown. \(error.message)\n"
      )
      let (calibration, began) = KeptRecords.beginning(of: notice.record, client)
      return (MatchReport(notice.record, calibration, notice.result), began)
    }
  }
}
