import ArgumentParser
import Base
import Control
import Service

/// `auricle match export`: loudness matches as a table.
struct MatchExport: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write loudness matches as CSV, with the columns of tinnitus studies.",
    discussion: """
      To standard output, or to a file of yours alone. --study-code leaves out instants, names and the device that played; the calibration stays.
      EXAMPLE: auricle match export --output matches.csv --dictionary columns.csv
      """)

  @Option(help: .file("File for the table."), completion: .file()) var output: String?
  @Option(help: .file("File for the data dictionary: every column with its unit."), completion: .file())
  var dictionary: String?
  @Option(
    help: .init("Stands for you in a table without instants and the device that played.", valueName: "code")
  )
  var studyCode: String?

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let files = [output, dictionary].compactMap(\.self)
    try RenderingFailures.checkDistinct(read: [], written: files)
    for path in files { try overwriting.check(path) }
    let client = try options.socket.client()
    var details: [ProcedureDetails] = []
    let records = try KeptRecords(client)
    records.tellUnreadable()
    for entry in records.entries where entry.result?.loudness != nil {
      do throws(Failure) { details.append(try client.ask(ProcedureMethods.Show(entry.record))) } catch {
        // One that is damaged does not keep the others back.
        guard error.exitStatus == .badData else { throw error }
        StandardError.write("auricle: left out: \(error.message)\n")
      }
    }
    let table = LoudnessTable(details, studyCode: studyCode)
    if let output { try overwriting.write(table.text, to: output) }
    if let dictionary { try overwriting.write(table.dictionary, to: dictionary) }
    let report = MatchExportReport(table, files: files)
    return try show(report, files.isEmpty ? table.text : report.message + "\n")
  }
}

/// Files that were written, and the table itself.
struct MatchExportReport: Encodable {
  private let schema = 100
  /// A sentence.
  let message: String
  /// Files that were written.
  let files: [String]
  let columns: [String]
  /// Cells of each match as the file has them, by column; what is not known is empty.
  let rows: [[String]]

  init(_ table: LoudnessTable, files: [String]) {
    let count = "\(table.count) \(table.count == 1 ? "match" : "matches")"
    message = count + (files.isEmpty ? "." : " written: \(files.joined(separator: ", ")).")
    (self.files, columns, rows) = (files, table.columns.map(\.name), table.cells)
  }
}
