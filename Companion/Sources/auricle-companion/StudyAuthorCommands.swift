import Almanac
import ArgumentParser
import Base
import Companion
import Exchange
import Glibc
import Records
import Rehearsals
import SQLiteRecords
import Studies

/// `auricle study check`.
struct CheckStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Look for everything that would keep people from answering a study.",
    discussion: "Each finding has its file, its place and what to do. Exits with 1 where there is an error."
  )

  @Argument(help: "Folder of the study, or a bundle.") var path: String
  @Flag(help: "For a site that asks licensed instruments for money.") var commercial = false
  @ArgumentParser.Option(
    help: "Day of use, such as 2026-03-29: licences end and clocks change by it. The default is today.")
  var on: String?
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let bundle = try StudyIntake.author(at: path)
    let day = try day()
    let findings = try Self.findings(
      in: bundle, isPublished: StudyIntake.isBundle(path), on: day, commercial: commercial)
    let errors = findings.count { $0.severity == .error }
    if json {
      let report: JSONValue = [
        "schema": 100, "study": .text(bundle.study.id), "version": .text(bundle.study.version),
        "errors": .number(Double(errors)), "findings": .array(findings.map(\.report)),
      ]
      print(report.minified)
    } else {
      for finding in findings { Terminal().say("\(finding)\n") }
      Terminal().say("\(bundle.study.title.text): \(errors) errors, \(findings.count - errors) warnings.\n")
    }
    if errors > 0 { throw ExitCode(ExitStatus.no.rawValue) }
  }
}

extension CheckStudy {
  private func day() throws(Failure) -> CalendarDate {
    if let on { return try CalendarDate(on, ofOption: "--on") }
    return try Self.today(Surroundings.system(ProcessEnvironment.variables))
  }

  private static func today(_ surroundings: Surroundings) throws(Failure) -> CalendarDate {
    try surroundings.presentZone().local(at: surroundings.now()).date
  }

  /// Everything that is found today.
  static func findings(
    in bundle: StudyBundle, isPublished: Bool, _ surroundings: Surroundings, commercial: Bool
  ) throws(Failure) -> [StudyFinding] {
    try findings(in: bundle, isPublished: isPublished, on: today(surroundings), commercial: commercial)
  }

  /// Everything that is found on a day.
  ///
  /// - Parameter isPublished: As of ``StudyCheck``.
  static func findings(
    in bundle: StudyBundle, isPublished: Bool, on day: CalendarDate, commercial: Bool
  ) throws(Failure) -> [StudyFinding] {
    let use = BundleUse(on: day, isCommercial: commercial)
    do throws(ZoneError) {
      return try StudyCheck(use, isPublished: isPublished).findings(in: bundle)
    } catch { throw Failure("time zones", inWords: "\(error)", exit: .configuration) }
  }
}

extension StudyFinding {
  fileprivate var report: JSONValue {
    [
      "severity": .text(severity.rawValue), "kind": .text(kind.rawValue), "file": .text(file),
      "place": .text(place),
      "found": .text(found), "remedy": .text(remedy),
    ]
  }
}

/// `auricle study rehearse`.
struct RehearseStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse", abstract: "Let simulated people take part in a study, before anybody does.",
    discussion: """
      The whole study in simulated time, by the steps by which people take part: who may, what they do, how long a day takes, \
      which gateways open, and the data set with its dictionary. Two runs with one seed are equal to the byte.
      """)

  @Argument(help: "Folder of the study, or a bundle.") var path: String
  @ArgumentParser.Option(help: "Number of people, 1 to 10000.") var people = 200
  @ArgumentParser.Option(help: "Seed of everything that is drawn.") var seed: UInt64 = 1
  @ArgumentParser.Option(help: "Day on which the first begins.") var from = "2026-03-16"
  @ArgumentParser.Option(name: [.customShort("o"), .long], help: "Folder for the data set, which is made.")
  var output: String?
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    guard 1...10_000 ~= people else {
      throw Failure("--people", found: "\(people)", expected: "1 to 10000", exit: .usage)
    }
    let first = try CalendarDate(from, ofOption: "--from")
    let bundle = try StudyIntake.author(at: path)
    try refuse(bundle, on: first)
    let outcome = try rehearsed(bundle, first)
    if let output { try DataSetFiles.write(outcome.dataSet, to: output) }
    guard !json else { return print(outcome.report.json.minified) }
    Terminal().say(outcome.report.text + (output.map { "\nData set: \($0)\n" } ?? ""))
  }

  /// Refuses a study with errors on the first day of the rehearsal, as nobody could begin it.
  private func refuse(_ bundle: StudyBundle, on first: CalendarDate) throws(Failure) {
    let errors = try CheckStudy.findings(
      in: bundle, isPublished: StudyIntake.isBundle(path), on: first, commercial: false
    ).filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw Failure(
        path, found: "\(errors.count) errors on \(first)", expected: "a study without",
        remedy: remedy(on: first), exit: .badData)
    }
  }

  /// The check of the rehearsal's own day: today other licences may hold.
  private func remedy(on first: CalendarDate) -> String {
    "See: auricle study check \(path) --on \(first)"
  }

  private func rehearsed(_ bundle: StudyBundle, _ first: CalendarDate) throws(Failure) -> Rehearsal.Outcome
  {
    let scratch = try ScratchFolder()
    defer { withExtendedLifetime(scratch) {} }
    let rehearsal: Rehearsal
    do throws(BundleError) {
      let version = StudyVersion(
        study: bundle.study.id, version: bundle.study.version, signer: "nobody",
        content: try bundle.archive())
      rehearsal = Rehearsal(
        try StudyContent(StudyEdition(bundle, BundleUse(on: first))), version, people: people, seed: seed,
        from: first)
    } catch { throw failure(error, on: first) }
    let isShown = isatty(STDERR_FILENO) == 1
    defer { if isShown { StandardError.write("\r\u{1B}[K") } }
    let database = try Self.database(in: scratch)
    do throws(Rehearsal.Fault) {
      return try rehearsal.run(on: database) { done in
        if isShown { StandardError.write("\r\(done) of \(people) people") }
      }
    } catch {
      switch error {
      case .zone(let error): throw Failure("time zones", inWords: "\(error)", exit: .configuration)
      case .record(.storage(let error)): throw Self.failure(error, in: scratch)
      case .record:
        let fault = BundleError(
          Study.file, found: "\(error)", expected: "a study that can be rehearsed",
          remedy: "correct the study")
        throw failure(fault, on: first)
      }
    }
  }

  private func failure(_ error: BundleError, on first: CalendarDate) -> Failure {
    Failure(path, inWords: "\(error)", remedy: remedy(on: first), exit: .badData)
  }

  private static func database(in scratch: ScratchFolder) throws(Failure) -> SQLiteDatabase {
    do throws(StorageError) {
      let database = try SQLiteDatabase(path: scratch.path + "/rehearsal.db", isScratch: true)
      try database.migrate(to: .tables(for: .sqlite), at: Session(subject: nil, at: .init(seconds: 0)))
      return database
    } catch { throw failure(error, in: scratch) }
  }

  /// The folder is no fault of the study's.
  private static func failure(_ error: StorageError, in scratch: ScratchFolder) -> Failure {
    Failure(
      scratch.path, inWords: "\(error)", remedy: "TMPDIR can name another folder.", exit: error.exitStatus)
  }
}

/// A folder that is gone with its value.
final class ScratchFolder: Sendable {
  let path: String

  init() throws(Failure) {
    var template =
      Array((ProcessEnvironment.variables["TMPDIR"] ?? "/tmp").utf8) + Array("/auricle-study-XXXXXX".utf8)
      + [0]
    let made = template.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.flatMap { mkdtemp($0.assumingMemoryBound(to: CChar.self)) }.map {
        String(cString: $0)
      }
    }
    guard let made else { throw Failure.writing("temporary folder", SystemError(code: errno)) }
    path = made
  }

  deinit {
    for name in Folder.names(in: path) { unlink(path + "/" + name) }
    rmdir(path)
  }
}

/// A data set as files.
enum DataSetFiles {
  /// Writes each file whole or not at all; one that is there stays.
  ///
  /// - Returns: Their names.
  @discardableResult
  static func write(_ dataSet: DataSet, to folder: String) throws(Failure) -> [String] {
    guard !folder.isEmpty else {
      throw Failure("--output", found: "nothing", expected: "a folder", exit: .usage)
    }
    do throws(SystemError) { try Folder.make(folder) } catch { throw Failure.writing(folder + "/", error) }
    let files = dataSet.files
    let there = Set(Folder.names(in: folder))
    if let name = files.map(\.name).first(where: there.contains) {
      throw Failure(
        folder + "/" + name, inWords: "This file is there already", remedy: "Name another folder.",
        exit: .cannotCreate)
    }
    var written: [String] = []
    do throws(Failure) {
      for (name, text) in files {
        try NewFile.write(text, to: folder + "/" + name, mode: 0o600)
        written.append(folder + "/" + name)
      }
    } catch {
      // All or none.
      for path in written { unlink(path) }
      throw error
    }
    return files.map(\.name)
  }
}
