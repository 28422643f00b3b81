import Almanac
import Base
import Foundation
import PostgresRecords
import Questionnaires
import Records
import SQLiteRecords
import Studies

/// Ratios within one run: an answer that is kept beside a bare insertion of the same durability, questions that are decided anew beside reading
/// the questionnaire, and the check of a study beside reading it. `Companion/Benchmarks/run` starts it.
///
///     companion-benchmark STUDY     exits with 1 where a ratio is above its limit
@main enum CompanionBenchmark {
  static func main() throws {
    let study = CommandLine.arguments.dropFirst().first ?? "Studies/fifteen-days"
    var rows = [try Evaluation.row(), try Check.row(of: study), try Answers.sqlite()]
    if let address = ProcessInfo.processInfo.environment["COMPANION_POSTGRES"] {
      rows += try Answers.postgres(address)
    } else {
      print("PostgreSQL  skipped: Companion/Tests/cluster starts one")
    }
    var table = TextTable([.leading, .trailing, .trailing, .trailing, .trailing])
    table.append(["What", "ours", "beside", "ratio", "limit"])
    for row in rows { table.append(row.cells) }
    print(table.text, terminator: "")
    if rows.contains(where: { $0.ratio > $0.limit }) { exit(1) }
  }
}

/// One comparison.
struct Row {
  let name: String
  /// Seconds, medians.
  let ours: Double
  let beside: Double
  let limit: Double

  var ratio: Double { ours / beside }
  var cells: [String] {
    [
      name, NumberText.fixed(ours * 1e6, 1) + " µs", NumberText.fixed(beside * 1e6, 1) + " µs",
      NumberText.fixed(ratio, 3),
      NumberText.fixed(limit, 3),
    ]
  }

  /// Median seconds of each of two works, by turns, so that a busy machine disturbs both.
  static func medians(
    _ rounds: Int, _ first: (Int) throws -> Void, _ second: (Int) throws -> Void
  ) rethrows -> (Double, Double) {
    var times: ([Double], [Double]) = ([], [])
    for round in 0..<rounds {
      times.0.append(try seconds { try first(round) })
      times.1.append(try seconds { try second(round) })
    }
    return (median(times.0), median(times.1))
  }

  static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = SystemTime.monotonic
    try work()
    return SystemTime.monotonic - start
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// Deciding which of 300 questions are shown, after one answer.
enum Evaluation {
  static func row() throws -> Row {
    let items = (0..<300).map { number in
      Item(
        "i\(number)", LocalizedText("Question number \(number), as long as questions are?"),
        .single(
          (0..<5).map { Option("\($0)", LocalizedText("Answer number \($0)"), points: Double($0)) },
          other: false),
        when: number % 3 == 2 ? [Condition("i\(number - 1)", .equal, .choice("1"))] : [])
    }
    let questionnaire = Questionnaire(url: "urn:benchmark", version: "1", title: "Q", items: items)
    let text = Array(questionnaire.fhir.minified.utf8)
    let outline = try Outline(questionnaire)
    var sheet = AnswerSheet()
    let (evaluating, parsing) = try Row.medians(41) { round in
      // The mean of many: one takes less than the clock's own time.
      for repeated in 0..<10 {
        sheet.set(
          .choice("\((round + repeated) % 5)"), for: AnswerKey("i1"), at: Instant(milliseconds: round))
        precondition(Display(outline, sheet).shown.count >= 200)
      }
    } _: { _ in
      _ = try Outline(Questionnaire(fhir: JSONValue(text, depth: 64, count: 200_000)))
    }
    return Row(
      name: "300 questions decided anew, beside reading them", ours: evaluating / 10, beside: parsing,
      limit: 1 / 20)
  }
}

/// The check of a study.
enum Check {
  static func row(of path: String) throws -> Row {
    let bundle = try StudyBundle(StudyFolder.content(of: path))
    let texts = bundle.content.paths.filter { $0.hasSuffix(".json") }.compactMap { bundle.content[$0] }
    guard let day = CalendarDate("2026-03-16") else { throw BundleError.wrongSignature }
    let check = try StudyCheck(BundleUse(on: day))
    let (checking, parsing) = try Row.medians(15) { _ in
      precondition(!check.findings(in: bundle).contains { $0.severity == .error })
    } _: { _ in
      for text in texts { _ = try JSONValue(text, depth: 64, count: 200_000) }
    }
    return Row(
      name: "check of the fifteen days, beside reading its JSON", ours: checking, beside: parsing, limit: 2)
  }
}
