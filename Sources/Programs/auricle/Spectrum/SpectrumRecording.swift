import Base
import Control
import Engine
import Glibc
import HearingDSP
import Prescriptions
import Service

/// A recording of spectra: a line that says what it is, then one spectrum a line, as `auricle spectrum --json`
/// prints them. It is read line by line, however long it is.
///
/// It holds somebody's prescription, so its file is its owner's alone, whole or not there.
///
/// - Threads: one at a time.
final class SpectrumRecording {
  /// First line.
  struct Header: Codable {
    /// Version of the form: another one cannot be read.
    var auricleSpectrum = 1
    /// Of the program that wrote it.
    var version = Version.number
    /// Moment of its beginning, with its zone.
    var begun = Instant.now.localText
  }

  /// "1 spectrum", "142 spectra".
  static func words(_ count: Int) -> String { count == 1 ? "1 spectrum" : "\(count) spectra" }

  /// Ends of names of files that hold numbers.
  static let endings = ["jsonl", "csv"]
  /// Most bytes of a line; own choice: one of a spectrum has some ten thousand, and JSON with more than 20,000 values is not read.
  private static let longestLine = 1 << 20
  /// Bytes read at once; own choice: a few lines.
  private static let piece = 1 << 16
  /// Most bytes of a pipe, which is read as a whole; own choice: half an hour.
  private static let greatestPipe = 1 << 30

  private let path: String
  /// The open file; -1 for a pipe that has been read.
  private let descriptor: Int32
  private var lines = LineBuffer(limit: SpectrumRecording.longestLine)
  /// True once nothing is left to be read.
  private var isRead = false
  /// The first spectrum, which was read to find out that there is one; nil once it was given.
  private var first: SpectrumReport?
  /// Spectra read.
  private var count = 0
  /// Something worth saying about the file, known once it was read to its end, a sentence; nil: nothing is.
  private(set) var note: String?

  /// Begins to read a recording.
  ///
  /// - Throws: ``Failure``: no file, none of this kind, of a newer version, or without a spectrum.
  init(contentsOf path: String) throws(Failure) {
    self.path = path
    descriptor = Self.opened(path)
    if descriptor < 0 {
      lines.append(try FileContent.bytes(of: path, limit: Self.greatestPipe))
      isRead = true
    }
    try checkHeader()
    first = try next()
    guard first != nil else {
      throw Failure(path, inWords: "There is no whole spectrum in it", exit: .badData)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A descriptor of an ordinary file; -1 for everything else, of which ``FileContent`` reads a pipe and refuses the rest.
  private static func opened(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return -1 }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return descriptor }
    close(descriptor)
    return -1
  }

  private func checkHeader() throws(Failure) {
    let first = try line()
    if let first, first.starts(with: SpectrumTable.beginning.utf8) {
      throw Failure(
        path, inWords: "This is a table of spectra, which is for other programs",
        remedy: "Show a recording: auricle spectrum --record and auricle listen --spectrum make one where"
          + " the name ends in .jsonl.", exit: .badData)
    }
    guard let line = first, let header = try? JSON.value(Header.self, from: line) else {
      throw Failure(
        path, inWords: "This is no recording of spectra",
        remedy: "auricle spectrum --record and auricle listen --spectrum make one.", exit: .badData)
    }
    guard header.auricleSpectrum == Header().auricleSpectrum else {
      throw Failure(
        path, found: "a recording of auricle \(header.version)", expected: "one of this version or older",
        remedy: "Install the newer auricle.", exit: .badData)
    }
  }

  /// The next spectrum; nil at the end, and from the first one on that is damaged.
  ///
  /// - Throws: ``Failure`` when reading fails.
  func next() throws(Failure) -> SpectrumReport? {
    if let report = first {
      first = nil
      return report
    }
    guard note == nil, let line = try line() else { return nil }
    guard let report = try? JSON.value(SpectrumReport.self, from: line), report.isWhole else {
      note = "\(path) is cut off or damaged after spectrum \(count); the rest is left out."
      return nil
    }
    count += 1
    return report
  }

  /// The next line that is not empty, without its end; nil behind the last one. One that is too long has nothing in it, so that it
  /// is damaged.
  private func line() throws(Failure) -> [UInt8]? {
    while true {
      if let next = lines.next() {
        guard case .whole(let line) = next else { return [] }
        if !line.isEmpty { return line }
      } else if isRead {
        // The last line may have no end.
        let rest = lines.remainder()
        return rest.isEmpty ? nil : rest
      } else {
        try readPiece()
      }
    }
  }

  private func readPiece() throws(Failure) {
    var bytes = [UInt8](repeating: 0, count: Self.piece)
    let count = read(descriptor, &bytes, Self.piece)
    if count < 0, errno == EINTR { return }
    guard count >= 0 else {
      throw Failure(path, found: "that reading it fails: \(SystemError.last.words)", exit: .inputOutput)
    }
    isRead = count == 0
    lines.append(bytes[..<count])
  }
}

/// A file of spectra being written: lines of JSON, or a table.
///
/// Nothing is left of it unless ``publish()`` is called, or work within ``keeping(_:others:_:)`` fails.
///
/// - Threads: one at a time.
final class SpectrumFile {
  private let path: String
  private let isTable: Bool
  private let isReplacing: Bool
  /// The file; nil once it has its name.
  private var draft: FileDraft?
  private(set) var count = 0

  /// - Parameter isReplacing: False: a file that has the name when it is published stays.
  /// - Throws: ``Failure`` for a name of another kind, for that of a folder, pipe or device, and when the folder does not take the
  ///   file.
  init(_ path: String, replacing isReplacing: Bool) throws(Failure) {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard SpectrumRecording.endings.contains(ending) else {
      throw Failure(path, inWords: "The name ends neither in .jsonl nor in .csv", exit: .usage)
    }
    try OutputPlace.check(whole: path)
    (self.path, isTable, self.isReplacing) = (path, ending == "csv", isReplacing)
    draft = try Self.begun(path)
    try write(isTable ? SpectrumTable.header + "\n" : try SpectrumRecording.Header().line())
  }

  private static func begun(_ path: String) throws(Failure) -> FileDraft {
    do throws(SystemError) { return try FileDraft(of: path, mode: 0o600) } catch {
      throw .writing(path, error)
    }
  }

  func append(_ report: SpectrumReport) throws(Failure) {
    try write(isTable ? SpectrumTable.rows(report) : try report.line())
    count += 1
  }

  private func write(_ text: String) throws(Failure) {
    do throws(SystemError) { try draft?.write(Array(text.utf8)) } catch { throw .writing(path, error) }
  }

  /// Does the work that fills a file. Where it fails, the spectra until then get the file's name: a recording whose end is cut off
  /// can be read.
  ///
  /// - Parameters:
  ///   - file: Nil: nothing is recorded.
  ///   - others: Keeps what is recorded besides, or gives it up where the disk is full; sentences about it.
  /// - Throws: ``Failure`` of `body`, with what is kept.
  static func keeping<Result: ~Copyable>(
    _ file: SpectrumFile?, others: (_ isFull: Bool) -> [String] = { _ in [] },
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) { return try body() } catch {
      guard let file, file.count > 0 else { throw error }
      let isFull = error.exitStatus == .inputOutput
      // First: sound that is given up makes room.
      let others = others(isFull)
      let isKept = (try? file.publish()) != nil
      let kept = isKept ? file.keptWords : "The recording is lost."
      throw error.withRemedy(
        ([kept] + others).joined(separator: " "),
        isFull ? "Make room, or write to another disk." : error.remedy)
    }
  }

  private var keptWords: String {
    "\(SpectrumRecording.words(count)) until then \(count == 1 ? "is" : "are") kept in \(path)."
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``Failure``, also where a file has the name that is not to be replaced; the spectra are lost then, which it says.
  func publish() throws(Failure) {
    do throws(SystemError) { try draft.take()?.publish(replacing: isReplacing) } catch {
      let failure = error.code == EEXIST ? OverwriteOption.exists(path) : Failure.writing(path, error)
      throw failure.withRemedy("The spectra are lost.", failure.remedy)
    }
  }
}

extension Encodable {
  /// The value as a line of JSON, with its break.
  ///
  /// - Throws: ``Failure`` for a number that JSON does not have.
  func line() throws(Failure) -> String {
    do { return try JSON.text(self) + "\n" } catch {
      throw Failure("report", inWords: "It holds a number that JSON does not have", exit: .software)
    }
  }
}

/// Spectra as a table: one line for each band of each ear.
enum SpectrumTable {
  /// First names of the columns, by which a table is known.
  static let beginning = "time_seconds,ear,band_hz,"
  /// Names of the columns, with their units.
  static let header = beginning + columns.joined(separator: ",")
  private static let columns =
    ["input_db_spl", "output_db_spl", "level_db_spl", "target_db", "applied_db"]
    + GainPart.allCases.map { "\($0.key)_db" } + ["feedback_estimate_db", "debug_mode"]

  /// Lines of one spectrum, with their breaks.
  static func rows(_ report: SpectrumReport) -> String {
    var text = ""
    for (name, ear) in [("left", report.left), ("right", report.right)] {
      for (band, centre) in report.frequencies.bandsHz.enumerated() {
        var cells: [Double?] = [centre, ear.input.bandsDBSPL[band], ear.output.bandsDBSPL[band]]
        let gain = ear.gain
        cells += [gain?.levelDBSPL[band], gain?.targetDB[band], gain?.appliedDB[band]]
        cells += GainPart.allCases.map { gain?.partsDB[$0.key]?[band] }
        cells.append(gain?.feedbackEstimateDB[band])
        cells.append(report.debug == nil ? 0 : 1)
        let numbers = cells.map { $0.map(NumberText.exact) ?? "" }
        text += ([NumberText.exact(report.timeSeconds), name] + numbers).joined(separator: ",") + "\n"
      }
    }
    return text
  }
}
