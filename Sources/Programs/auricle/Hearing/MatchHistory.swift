import Acoustics
import ArgumentParser
import Base
import Control
import Glibc
import Paper
import Prescriptions
import Procedures
import Service

/// `auricle match history`: every match and hearing test, and how well matches agree with each other.
struct MatchHistoryCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List matches and hearing tests, and how well they agree.",
    discussion: "EXAMPLE: auricle match history --picture matches.png")

  @Option(help: .file("Draw the loudness matches over time: .png, .svg or .pdf."), completion: .file())
  var picture: String?

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let records = try options.socket.client().ask(ProcedureMethods.List()).records
    let report = MatchHistoryReport(records)
    if let picture {
      try Failure.saying(picture, exit: .cannotCreate) {
        try MatchHistoryPage(report.loudness).picture().write(to: picture)
      }
    }
    return try show(report, report.text)
  }
}

/// Matches of one kind with their agreement.
struct MatchAgreement: Encodable {
  let ear: Ear
  let frequencyHz: Double?
  let count: Int
  let meanDBHL: Double?
  let retestDeviationDB: Double?
  let withinDayDB: Double?
  let betweenDaysDB: Double?

  init(_ ear: Ear, _ frequency: Double?, _ series: MatchSeries) {
    (self.ear, frequencyHz, count) = (ear, frequency, series.sessions.count)
    (meanDBHL, retestDeviationDB) = (series.mean, series.retestDeviation)
    (withinDayDB, betweenDaysDB) = (series.withinDay, series.betweenDays)
  }
}

struct MatchHistoryReport: Encodable {
  private let schema = 100
  let records: [ProcedureList.Entry]
  let agreement: [MatchAgreement]
  /// Matches of each ear and frequency.
  let loudness: [(ear: Ear, frequency: Double, series: MatchSeries)]

  private enum CodingKeys: CodingKey { case schema, records, agreement }

  init(_ records: [ProcedureList.Entry]) {
    self.records = records
    let matches = records.compactMap { entry in
      entry.result?.loudness.map { ($0, entry.endedUnixSeconds ?? entry.beganUnixSeconds) }
    }
    var all: [(ear: Ear, frequency: Double, series: MatchSeries)] = []
    for ear in [Ear.right, .left] {
      for frequency in Set(matches.filter { $0.0.ear == ear }.map(\.0.frequency)).sorted() {
        let own = matches.filter { $0.0.ear == ear && $0.0.frequency == frequency }
        all.append(
          (
            ear, frequency,
            MatchSeries(own.map { MatchSeries.Session(time: $0.1, value: $0.0.level.decibels) })
          ))
      }
    }
    loudness = all
    agreement = all.map { MatchAgreement($0.ear, $0.frequency, $0.series) }
  }

  var text: String {
    guard !records.isEmpty else {
      return "No matches and no hearing tests yet. Begin with: auricle hearing-test\n"
    }
    var table = TextTable([.leading, .leading, .leading, .leading])
    for entry in records {
      table.append([
        Instant(seconds: Int(entry.beganUnixSeconds)).localText, entry.name.rawValue, Self.words(entry),
        entry.record,
      ])
    }
    var text = table.text
    for own in agreement where own.count > 1 {
      text +=
        "\nLoudness at \((own.frequencyHz ?? 0).shortText) Hz, \(own.ear.rawValue) ear: \(own.count) matches"
        + (own.meanDBHL.map { ", mean \(NumberText.fixed($0, 1)) dB HL" } ?? "")
        + (own.retestDeviationDB.map { ", test–retest standard deviation \(NumberText.fixed($0, 1)) dB" }
          ?? "")
        + (own.withinDayDB.map { ", within a day \(NumberText.fixed($0, 1)) dB" } ?? "")
        + (own.betweenDaysDB.map { ", between days \(NumberText.fixed($0, 1)) dB" } ?? "") + "."
    }
    return text
      + (agreement.contains { $0.count > 2 }
        ? "\nThe first match of each does not count: people learn from it.\n" : "\n")
  }

  private static func words(_ entry: ProcedureList.Entry) -> String {
    guard let result = entry.result else { return "left; go on with: --resume \(entry.record)" }
    if let test = result.hearingTest {
      let count = Set(test.thresholds.map { "\($0.ear) \($0.frequency)" }).count
      return "\(count) \(count == 1 ? "threshold" : "thresholds")"
        + (test.doubts.isEmpty ? "" : ", in doubt")
    }
    if let loudness = result.loudness {
      return
        "\(loudness.frequency.shortText) Hz \(loudness.ear.rawValue): \(loudness.level.decibels.shortText) dB HL, "
        + "\(loudness.sensationLevel.decibels.shortText) dB SL"
    }
    if let pitch = result.pitch {
      return "\(pitch.frequency.rounded().shortText) Hz"
        + (pitch.isOctaveConfused ? ", octave in doubt" : "")
    }
    if let likeness = result.likeness {
      return likeness.pitch.map { "\($0.rounded().shortText) Hz by likeness" } ?? "no pitch by likeness"
    }
    if let bandwidth = result.bandwidth { return bandwidth.sound?.rawValue ?? "tied" }
    if let masking = result.masking {
      return masking.level.map { "masked by \($0.decibels.shortText) dB HL" } ?? "not masked"
    }
    return result.inhibition.map { "inhibition \($0.kind.rawValue)" } ?? ""
  }
}
