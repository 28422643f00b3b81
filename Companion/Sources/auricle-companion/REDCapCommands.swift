import ArgumentParser
import Base
import Companion
import Glibc
import Questionnaires
import Studies

/// `auricle study redcap`.
struct WriteREDCap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redcap", abstract: "Write a study's questionnaires as a REDCap data dictionary.",
    discussion: "What REDCap has no place for is listed. The other way: auricle study from-redcap.")

  @Argument(help: "Folder of the study, or a bundle.") var path: String
  @ArgumentParser.Option(name: [.customShort("o"), .long], help: "CSV file, which must not be there yet.")
  var output: String
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let bundle = try StudyIntake.author(at: path)
    let questionnaires = bundle.study.questionnaires.compactMap { bundle.questionnaires[$0.id] }
    let (csv, remarks) = Questionnaire.redcap(questionnaires)
    try NewFile.write(csv, to: output)
    REDCapText.show(remarks, "Wrote \(questionnaires.count) forms to \(output).", json: json)
  }
}

/// `auricle study from-redcap`.
struct ReadREDCap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "from-redcap",
    abstract: "Write the forms of a REDCap data dictionary as FHIR questionnaires.",
    discussion: "What a questionnaire has no place for is listed. The other way: auricle study redcap.")

  @Argument(help: "Data dictionary, CSV.") var file: String
  @ArgumentParser.Option(
    help: "Name of the questionnaires, a URL or URN, to which the form's name is added.") var url: String
  @ArgumentParser.Option(help: "Their version.") var version = "1"
  @ArgumentParser.Option(name: [.customShort("o"), .long], help: "Folder, which is made.") var output:
    String
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    guard url.contains(":") else {
      throw Failure(
        "--url", found: "\"\(url)\"", expected: "a URL or URN such as urn:example:study", exit: .usage)
    }
    let bytes = try FileContent.bytes(of: file, limit: 16 << 20)
    guard let csv = String(validating: bytes, as: UTF8.self) else {
      throw Failure(file, found: "bytes that are not UTF-8", expected: "a text", exit: .badData)
    }
    let dictionary: REDCapDictionary
    do throws(REDCapError) { dictionary = try REDCapDictionary(csv: csv, url: url, version: version) } catch
    {
      throw Failure(file, inWords: "\(error)", exit: .badData)
    }
    guard !output.isEmpty else {
      throw Failure("--output", found: "nothing", expected: "a folder", exit: .usage)
    }
    let names = dictionary.questionnaires.map { $0.url.split(separator: ":").last.map(String.init) ?? "" }
    if let name = names.first(where: { !Self.isFileName($0) }) {
      throw Failure(
        file, found: "a form named \"\(name)\"",
        expected: "letters, digits, '-' and '_', as REDCap writes them", exit: .badData)
    }
    do throws(SystemError) { try Folder.make(output) } catch { throw Failure.writing(output + "/", error) }
    for (name, questionnaire) in zip(names, dictionary.questionnaires) {
      try NewFile.write(questionnaire.fhir.minified + "\n", to: "\(output)/\(name).json")
    }
    REDCapText.show(
      dictionary.remarks, "Wrote \(dictionary.questionnaires.count) questionnaires to \(output).",
      json: json)
  }
}

extension ReadREDCap {
  /// True for a name that is one file's and leads nowhere.
  private static func isFileName(_ name: String) -> Bool {
    1...100 ~= name.utf8.count
      && name.utf8.allSatisfy { byte in
        (65...90).contains(byte) || (97...122).contains(byte) || (48...57).contains(byte)
          || "-_".utf8.contains(byte)
      }
  }
}

/// Remarks on all that one form has and the other has not.
private enum REDCapText {
  static func show(_ remarks: [REDCapRemark], _ words: String, json: Bool) {
    guard !json else {
      let list = remarks.map { remark -> JSONValue in
        ["item": .text(remark.item), "remark": .text(remark.words)]
      }
      let report: JSONValue = ["schema": 100, "message": .text(words), "remarks": .array(list)]
      return print(report.minified)
    }
    Terminal().say(remarks.map { "\($0)\n" }.joined() + words + "\n")
  }
}

/// Files that a person named and that are not there yet.
enum NewFile {
  /// - Throws: ``Failure``; a file that is there stays as it is.
  static func write(_ text: String, to path: String, mode: UInt32 = 0o644) throws(Failure) {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(Failure) {
    do throws(SystemError) { try WholeFile.write(bytes, to: path, mode: mode, replacing: false) } catch {
      guard error.code == EEXIST else { throw Failure.writing(path, error) }
      throw Failure(
        path, inWords: "This file is there already", remedy: "Name another one.", exit: .cannotCreate)
    }
  }
}
