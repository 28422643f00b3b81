import Acoustics
import ArgumentParser
import Base
import Control
import Paper
import Prescriptions
import Procedures
import Service

/// `auricle match history`: every match and hearing test, and how well matches agree with each other.
struct MatchHistoryCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List matches and hearing tests, and how well they agree.",
    discussion: "EXAMPLE: auricle match history --picture matches.png")

  @Option(
    help: .file("Draw all matches over time, with their figures: .png, .svg or .pdf."), completion: .file())
  var picture: String?

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let file = picture.map { PageFile(path: $0, overwriting: overwriting) }
    try file?.check()
    let records = try KeptRecords(try options.socket.client())
    records.tellUnreadable()
    let report = MatchHistoryReport(records.entries, at: SystemTime.wall)
    if let file {
      MissingLetters.caution(of: report.courses.map(\.title), on: "the pages", whole: "list of records")
      let pages = MatchHistoryPage(report.courses).pages()
      try file.write(pages)
    }
    return try show(report, report.text + (picture.map { "Written: \($0)\n" } ?? ""))
  }
}

struct MatchHistoryReport: Encodable {
  private let schema = 203
  let records: [ProcedureList.Entry]
  let agreement: [MatchAgreement]
  let courses: [MatchCourse]
  private let now: Double?

  private enum CodingKeys: CodingKey { case schema, records, agreement }

  /// - Parameter now: s since 1970-01-01 UTC; nil, by default: what was left is taken for young enough to go on with.
  init(_ records: [ProcedureList.Entry], at now: Double? = nil) {
    (self.records, self.now) = (records, now)
    courses = MatchCourse.all(records)
    agreement = courses.map(\.agreement)
  }

  var text: String {
    guard !records.isEmpty else {
      return "No matches and no hearing tests yet. Begin with: auricle hearing-test\n"
    }
    var table = TextTable([.leading, .leading, .leading, .leading, .leading, .leading])
    table.append(["begun", "kind", "ear", "sound", "result", "record"])
    for entry in records { table.append(cells(entry)) }
    let several = zip(courses.map(\.title), agreement).filter { _, own in
      own.count > 1 && own.retestDeviation != nil
    }
    guard !several.isEmpty else { return table.text }
    return table.text + "\n" + Self.figures(several)
      + (several.contains { $0.1.count > 2 }
        ? "The first match of three or more does not count: people learn from it.\n" : "")
  }

  private func cells(_ entry: ProcedureList.Entry) -> [String] {
    let begun = String(Timestamp(entry.beganUnixSeconds).text.prefix(16))
    let start = [begun, entry.name.rawValue]
    guard let result = entry.result else {
      guard now.map({ $0 - entry.beganUnixSeconds <= ProcedureBeginning.longestBreak * 86_400 }) ?? true
      else {
        return start + [entry.ear?.rawValue ?? "", "", "left too long ago to go on with", entry.record]
      }
      return start + [entry.ear?.rawValue ?? "", "", "left; go on with: --resume \(entry.record)", ""]
    }
    if let test = result.hearingTest {
      let count = Set(test.thresholds.map { "\($0.ear) \($0.frequency)" }).count
      let ears = Set(test.thresholds.map(\.ear))
      return start + [
        ears.count > 1 ? "both" : ears.first?.rawValue ?? "", "",
        English.count(count, "threshold") + (test.doubts.isEmpty ? "" : ", in doubt"), entry.record,
      ]
    }
    guard let course = MatchCourse.all([entry]).first, let match = course.matches.first else {
      return start + ["", "", "", entry.record]
    }
    return start + [course.ear.rawValue, course.sound, match.words, entry.record]
  }

  /// Agreement of matches that were repeated, in columns.
  private static func figures(_ agreement: [(String, MatchAgreement)]) -> String {
    var table = TextTable([.leading, .trailing, .trailing, .trailing, .trailing, .trailing, .leading])
    table.append(["standard deviations", "matches", "mean", "test–retest", "within a day", "between days"])
    for (title, own) in agreement {
      let isPitch = own.unit == "octaves"
      let places = isPitch ? 2 : 1
      func cell(_ value: Double?) -> String { value.map { NumberText.fixed($0, places) } ?? "" }
      let mean = own.mean.map {
        isPitch
          ? "\(NumberText.fixed($0, 0)) Hz"
          : "\(NumberText.fixed($0, 1)) \(own.kind == .inhibition ? "%" : "dB HL")"
      }
      table.append([
        title, String(own.count), mean ?? "", cell(own.retestDeviation), cell(own.withinDay),
        cell(own.betweenDays), own.unit,
      ])
    }
    return table.text
  }
}
