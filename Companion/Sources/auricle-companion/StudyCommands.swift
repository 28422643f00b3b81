import ArgumentParser
import Base
import Companion
import Exchange
import Records
import Studies

/// `auricle study`: what there is to take part in.
struct StudyCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study",
    abstract: "Studies: begin one, see how it goes, end it; check and rehearse your own.",
    subcommands: [
      BeginStudy.self, ListStudies.self, EndStudy.self, CheckStudy.self, RehearseStudy.self,
      ListAlerts.self,
      AcknowledgeAlert.self, TrustSite.self, ListSites.self, PackStudy.self, WriteREDCap.self,
      ReadREDCap.self,
    ])
}

/// `auricle study begin`.
struct BeginStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "begin", abstract: "Begin a study, of a folder or a signed bundle.",
    discussion: "An own study sends nothing and needs no account. A study that was begun goes on as it is.")

  @Argument(help: "Folder of an own study, or a bundle.") var path: String
  @Option(help: "Day 1, such as 2026-03-29; the default is today.") var on: String?
  @OptionGroup var common: CommonOptions

  func run() throws {
    var first: CalendarDate?
    if let on {
      guard let date = CalendarDate(on) else {
        throw Failure("--on", found: "\"\(on)\"", expected: "a date such as 2026-03-29", exit: .usage)
      }
      first = date
    }
    let (version, bundle) = try StudyIntake.version(at: path, trust: common.sites())
    let own = try common.open()
    if try !own.all().contains(where: { $0.enrolment.studyVersion == version.sha256 }) {
      try screen(bundle, own)
    }
    let part = try own.begin(version, on: first)
    let title = part.study.title.text(in: own.surroundings.language)
    common.show(
      [
        "schema": 100, "study": .text(part.study.id), "version": .text(part.study.version),
        "first_date": .text("\(part.enrolment.firstDate)"), "days": .number(Double(part.study.dayCount)),
      ],
      "\(title), version \(part.study.version): day 1 is \(part.enrolment.firstDate), of \(part.study.dayCount).\n"
        + "What is due: auricle q today\n")
  }
}

extension BeginStudy {
  /// Asks whether the person may take part, where the study does.
  private func screen(_ bundle: StudyBundle, _ own: OwnParts) throws(Failure) {
    guard bundle.study.eligibility.questionnaire != nil else { return }
    let language = own.surroundings.language
    Terminal().say("\(bundle.study.title.text(in: language)). Whether you can take part:\n")
    guard let against = try Screening(own.surroundings, person: Terminal()).ask(bundle) else {
      throw Failure(bundle.study.id, inWords: "Stopped, nothing was begun", exit: .no)
    }
    guard against.isEmpty else {
      throw Failure(
        bundle.study.id, inWords: "You cannot take part. \(against.joined(separator: " "))",
        remedy: "Nothing was kept.",
        exit: .no)
    }
  }
}

/// `auricle study list`.
struct ListStudies: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Your studies: day, what was done, how they ended.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let now = own.surroundings.now()
    let parts = try own.all()
    var table = TextTable([.leading, .leading, .leading, .leading])
    table.append(["Study", "Version", "Day", "Done"])
    let reports = parts.map { part -> JSONValue in
      let day = part.course.day(at: part.enrolment.ended ?? now)
      let compliance = Compliance(part.course, part.given, at: part.enrolment.ended ?? now)
      let state = part.enrolment.ending.map { ", \($0.rawValue)" } ?? ""
      table.append([
        part.study.title.text(in: own.surroundings.language), part.study.version,
        "\(min(max(day, 0), part.study.dayCount)) of \(part.study.dayCount)\(state)",
        "\(compliance.done) of \(compliance.due)",
      ])
      return [
        "study": .text(part.study.id), "version": .text(part.study.version), "day": .number(Double(day)),
        "days": .number(Double(part.study.dayCount)), "due": .number(Double(compliance.due)),
        "done": .number(Double(compliance.done)),
        "ending": (part.enrolment.ending?.rawValue).map { .text($0) },
      ]
    }
    common.show(
      ["schema": 100, "studies": .array(reports)],
      parts.isEmpty ? "You take part in no study. Begin one: auricle study begin FOLDER\n" : table.text)
  }
}

/// `auricle study end`.
struct EndStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End your part in a study. What you have answered is kept.")

  @Argument(
    help:
      "The study's name, as `auricle study list --json` gives it; it may be left out where there is one.")
  var study: String?
  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let part = try own.chosen(study, among: own.all().filter { $0.enrolment.ended == nil })
    try Failure.participating(part.study.id) { () throws(ParticipationError) in
      try Enrolments(own.database).end(part.enrolment, .withdrawn, own.session)
    }
    common.show(
      ["schema": 100, "study": .text(part.study.id), "ending": "withdrawn"],
      "Ended. What you have answered is kept; auricle q export writes it to files.\n")
  }
}

extension OwnParts {
  /// One of several parts, by the study's name.
  func chosen(_ name: String?, among parts: [Part]) throws(Failure) -> Part {
    let found = parts.filter { name == nil || $0.study.id == name || $0.enrolment.id == name }
    guard let part = found.last else {
      throw Failure(
        name ?? "studies", inWords: "You take part in no such study",
        remedy: "See: auricle study list --json",
        exit: .noInput)
    }
    guard name != nil || found.count == 1 else {
      throw Failure(
        "studies", found: "\(found.count)",
        expected: "the name of one: \(found.map(\.study.id).joined(separator: ", "))",
        exit: .usage)
    }
    return part
  }
}
