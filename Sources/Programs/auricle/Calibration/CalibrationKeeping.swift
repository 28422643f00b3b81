import Acoustics
import AuricleClient
import Base
import Control
import Engine
import Glibc
import Service

/// Writes a calibration file, and names it in the configuration.
struct CalibrationKeeping {
  let end: Configuration.End
  let options: MeasurementOptions

  /// Day of the measurement: the one that was stated, or today.
  var date: CalendarDate? { options.date ?? CalendarDate(Timestamp(SystemTime.wall).day) }

  /// Refuses a name for the file that is taken, and a folder where it cannot lie, before anybody measures.
  func check() throws(Failure) {
    if options.configuration.file == nil { try DeviceGuard().refuse(.configuration) }
    if let output = options.output {
      if access(output, F_OK) == 0 { throw Self.isThere(output) }
    } else if let place = ConfigurationSearch(explicit: options.configuration.file).place {
      let folder = FilePath.folder(of: try AbsolutePath.of(place))
      guard access(folder, F_OK) != 0 || access(folder, W_OK) == 0 else {
        throw Failure(
          folder, inWords: "You may not write into \(folder), where the calibration would lie",
          remedy: "Run this as its owner, or name a file of yours with -o.", exit: .noPermission)
      }
    }
  }

  /// Keeps a calibration.
  ///
  /// - Parameters:
  ///   - calibration: Written as JSON.
  ///   - summary: Sentences on what was measured.
  ///   - interview: Asked whether to use it; nil: nobody is there, and the option decides.
  ///   - left: Readings of the run, which are no longer needed once the file is written.
  func keep(
    _ calibration: some Encodable, _ summary: [String], asking interview: (any Interview)? = nil,
    after left: LeftCalibrationFile? = nil
  ) throws -> DoneReport {
    var file = try ConfigurationFile(ConfigurationSearch(explicit: options.configuration.file))
    let text = try JSON.text(calibration) + "\n"
    let path = try options.output.map { path in try AbsolutePath.of(path) } ?? newFile(beside: file)
    let former = try? hearing(file)
    do throws(SystemError) {
      try WholeFile.write([UInt8](text.utf8), to: path, mode: file.newMode, replacing: false)
    } catch { throw error.code == EEXIST ? Self.isThere(path) : Failure.writing(path, error) }
    left?.remove()
    let commands = file.commands(toName: path, of: end, in: options.configuration.file)
    do {
      try name(path, in: &file)
      let rise = try former.flatMap { OutputRoom.rise(from: $0, to: try hearing(file)) }
      var notes = summary + [rise.map { "\($0)." }].compactMap(\.self)
      if let interview {
        for note in notes { interview.say(note) }
        notes = []
      }
      guard try isToBeUsed(in: file.path, usual: rise == nil, interview) else {
        return DoneReport(
          message: "Written: \(path). The configuration is as it was; to use it: \(commands)", notes: notes,
          file: path)
      }
      try file.save()
      return DoneReport(
        message:
          "Written: \(path), and named in \(file.path). A running aid follows after: auricle reload.",
        notes: notes, file: path)
    } catch {
      // A measurement is kept, whatever is wrong with the configuration.
      StandardError.write("auricle: written: \(path); it is not named in the configuration.\n")
      throw error
    }
  }

  /// The answer to the last question. A person who leaves at it says no: the measurement is done.
  private func isToBeUsed(
    in configuration: String, usual: Bool, _ interview: (any Interview)?
  ) throws(Failure) -> Bool {
    guard let interview, !options.use else { return options.use }
    do throws(Failure) {
      return try interview.confirms("Use it from now on (\(configuration))?", usual: usual)
    } catch {
      guard LeftCalibration.isEnd(error) else { throw error }
      // Ends the question's line.
      interview.say("")
      return false
    }
  }

  /// Names the file instead of everything that was stated.
  private func name(_ path: String, in file: inout ConfigurationFile) throws {
    try file.unsetCalibration(of: end)
    try file.set(
      "calibration.\(end.rawValue).file", to: TOMLParser.literal(path), from: nil, subject: "calibration")
  }

  private func hearing(_ file: ConfigurationFile) throws(ConfigurationFailures) -> HearingSettings {
    let loaded = try file.loaded()
    return try AidSettings(loaded).hearing.calibrated(for: loaded)
  }

  /// A name that no file has, in the folder of the configuration.
  private func newFile(beside configuration: ConfigurationFile) throws(Failure) -> String {
    let folder = FilePath.folder(of: try AbsolutePath.of(configuration.path))
    do throws(SystemError) { try configuration.makeFolder() } catch { throw .writing(folder, error) }
    let name = [end.rawValue, date.map { "\($0)" }].compactMap(\.self).joined(separator: "-")
    let names = ["\(name).json"] + (2...1000).map { "\(name)-\($0).json" }
    let path = names.map { name -> String in "\(folder)/\(name)" }.first { access($0, F_OK) != 0 }
    guard let path else {
      throw Failure(
        folder, found: "a thousand calibrations of one day", expected: "fewer", exit: .cannotCreate)
    }
    return path
  }

  private static func isThere(_ path: String) -> Failure {
    Failure(
      path, inWords: "There is a file of this name", remedy: "Give another name with -o, or move it away.",
      exit: .cannotCreate)
  }

  /// Refuses text that is empty or acts on a terminal.
  static func plain(_ text: String, _ option: String) throws(Failure) -> String {
    let plain = text.trimmed
    guard !plain.isEmpty, plain.count <= 200, PrintableText.isPlain(plain) else {
      throw Failure(
        option, found: "\"\(LogLine.printable(plain))\"", expected: "text on one line", exit: .usage)
    }
    return plain
  }
}

extension DeviceCalibration {
  /// A sentence on the device that it holds for.
  var identityNote: String {
    identity.map { "It holds on \($0) alone: with another model it does not count." }
      ?? "The model of the device is not known here, so nothing tells when another one is in use."
  }
}

/// Text of a file that a person named.
enum NamedText {
  /// - Throws: ``Failure`` when it cannot be read or is no text.
  static func of(_ path: String, _ expected: String) throws(Failure) -> String {
    let bytes = try FileContent.bytes(of: path, limit: 1 << 20)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(path, found: "bytes that are not text", expected: expected, exit: .badData)
    }
    return text
  }

  /// The value that `read` makes of it.
  static func reading<Value>(
    _ path: String, _ expected: String, _ read: (String) throws(AcousticsError) -> Value
  ) throws(Failure) -> Value {
    let text = try of(path, expected)
    do throws(AcousticsError) { return try read(text) } catch {
      throw Failure(error.line.map { "\(path):\($0)" } ?? path, saying: error.reason, exit: .badData)
    }
  }
}
