import ArgumentParser
import Base
import Companion
import Exchange
import Studies

/// `auricle study dataset`.
struct WriteDataSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset",
    abstract:
      "Write everybody's answers in a study to files: tables, their dictionary, and as FHIR has them.",
    discussion: """
      From a site's database, as auricle_export: user=auricle_export in the address. People have codes, in every data set the same for \
      the same part; names are not in the database. Moments and dates are those that staff and an alert's mail have too: by them whoever has both \
      finds a part.
      """)

  @Argument(
    help:
      "The study's name, with |VERSION where several were taken part in; it may be left out where there is one."
  )
  var study: String?
  @ArgumentParser.Option(
    name: [.customShort("o"), .long], help: "Folder, which is made; files in it are not replaced.")
  var output: String
  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let (parts, unreadable) = try own.everybody()
    // A version is its content's hash: a name is what a content gives itself.
    var found: [String: String] = [:]
    for part in parts where study == nil || study == part.fullName || study == part.study.id {
      found[part.enrolment.studyVersion] = part.fullName
    }
    guard let chosen = found.first else {
      if let failure = leftOut(unreadable) { throw failure }
      throw Failure(
        study ?? "studies", inWords: "Nobody takes part in such a study, of those whom this login sees",
        remedy: "A site's data sets are written as auricle_export.", exit: .noInput)
    }
    guard found.count == 1 else {
      throw Failure(
        "studies", found: "\(found.count)",
        expected: "the name of one: \(found.values.sorted().joined(separator: ", "))", exit: .usage)
    }
    let people = parts.filter { $0.enrolment.studyVersion == chosen.key }
    let participants = people.map { $0.participant(code: $0.codes.person) }
    let files = try DataSetFiles.write(
      DataSet(people[0].content, participants, made: own.surroundings.now()), to: output)
    common.show(
      [
        "schema": 101, "study": .text(chosen.value), "people": .number(Double(people.count)),
        "folder": .text(output),
        "files": .array(files.map { .text($0) }),
        "left_out": .array(unreadable.map { .text($0.part) }),
      ], "Wrote \(files.joined(separator: ", ")) of \(people.count) people to \(output).\n")
    if let failure = leftOut(unreadable) { throw failure }
  }

  /// The failure that names parts that cannot be read; nil for none.
  private func leftOut(_ unreadable: [(part: String, failure: Failure)]) -> Failure? {
    guard let first = unreadable.first else { return nil }
    return Failure(
      "studies",
      inWords: unreadable.count == 1
        ? "The part \(first.part) is left out: \(first.failure.message)"
        : "\(unreadable.count) parts are left out: \(unreadable.map { $0.part }.joined(separator: ", ")). "
          + "The first one: \(first.failure.message)",
      exit: .badData)
  }
}
