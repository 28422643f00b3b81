import Almanac
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
      BeginStudy.self, ListStudies.self, EndStudy.self, ShowConsent.self, GiveKind.self, WithdrawKind.self,
      RenewStudy.self, CheckStudy.self, RehearseStudy.self, ListAlerts.self,
      AcknowledgeAlert.self, TrustSite.self, ListSites.self, PackStudy.self, WriteREDCap.self,
      ReadREDCap.self, WriteDataSet.self, DatabaseCommands.self,
    ])
}

/// `auricle study begin`.
struct BeginStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "begin", abstract: "Begin a study, of a folder or a signed bundle.",
    discussion: """
      An own study sends nothing and needs no account. A study that asks for your consent shows first to what; without it nothing is begun. \
      A study that was begun goes on as it is.
      """)

  @Argument(help: "Folder of an own study, or a bundle.") var path: String
  @Option(
    help: "Day 1, such as 2026-03-29; left out: today, or tomorrow where everything of today has closed.")
  var on: String?
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    var first: CalendarDate?
    if let on { first = try CalendarDate(on, ofOption: "--on") }
    let (version, bundle) = try StudyIntake.version(
      at: path, trust: common.sites(), isKept: common.keeps)
    let own = try common.open()
    let isBegun = try refuse(version, bundle, own, first)
    let agreement = isBegun ? nil : try agreement(to: bundle, own)
    let part = isBegun ? try own.begun(version) : try own.begin(version, on: first, under: agreement)
    let (now, firstDate) = (own.surroundings.now(), part.enrolment.firstDate)
    let isTomorrow = first == nil && !isBegun && part.course.day(at: now) < 1
    let words =
      isBegun
      ? "you take part already, and go on with it: \(part.dayWords(at: now)) (day 1 is \(firstDate)).\n"
      : "day 1 is \(firstDate), of \(part.study.dayCount).\n"
    common.show(
      [
        "schema": 100, "study": .text(part.study.id), "version": .text(part.study.version),
        "first_date": .text("\(firstDate)"), "days": .number(Double(part.study.dayCount)),
        "begun_before": .boolean(isBegun),
      ],
      "\(part.title(in: own.surroundings.language)): \(words)"
        + (isTomorrow ? "Everything of today has closed already, so that it begins tomorrow.\n" : "")
        + "What is due: auricle q today\n")
  }
}

extension BeginStudy {
  /// Asks for the consent that the study needs.
  private func agreement(to bundle: StudyBundle, _ own: OwnParts) throws(Failure) -> Agreement? {
    let language = own.surroundings.language
    guard let form = bundle.consentForm(in: language) else {
      guard consent.agree == nil else {
        throw Failure("--agree", inWords: "This study asks for no consent", exit: .usage)
      }
      return nil
    }
    guard
      let agreement = try consent.agreement(
        to: form, of: bundle.study, in: language, person: common.terminal)
    else {
      throw Failure(bundle.study.id, inWords: "You did not agree, and nothing was begun", exit: .no)
    }
    return agreement
  }

  /// Refuses what cannot be begun, and asks whether the person may take part.
  ///
  /// - Returns: True for a study that was begun before and goes on.
  private func refuse(
    _ version: StudyVersion, _ bundle: StudyBundle, _ own: OwnParts, _ first: CalendarDate?
  ) throws(Failure) -> Bool {
    let former = try own.all().filter { $0.study.id == bundle.study.id }
    if let same = former.first(where: { $0.enrolment.studyVersion == version.sha256 }) {
      if let ended = same.enrolment.ended {
        throw Failure(
          bundle.study.id, inWords: "You ended your part in it at \(ended), and it is not begun again",
          remedy: "To take part once more, \(Self.another(bundle.study)).", exit: .no)
      }
      guard first == nil || first == same.enrolment.firstDate else {
        throw Failure(
          "--on", inWords: "It was begun already: its day 1 is \(same.enrolment.firstDate)",
          remedy: "For another day 1 end it (auricle study end \(bundle.study.id)), then "
            + "\(Self.another(bundle.study)).", exit: .usage)
      }
      return true
    }
    if let other = former.first(where: { $0.enrolment.ended == nil }) {
      throw Failure(
        bundle.study.id, inWords: "You take part in its version \(other.study.version)",
        remedy: "A later edition is taken by: auricle study renew \(path)", exit: .no)
    }
    if let last = former.endedPart(notBefore: bundle.study) {
      throw Failure(
        bundle.study.id, found: "version \(bundle.study.version)",
        expected: "a later one than \(last.study.version), in which you ended your part",
        remedy: "To take part once more, \(Self.another(bundle.study)).", exit: .no)
    }
    // Before anybody is asked for anything; a study that was begun may name its day again.
    if let first { try own.refusePast(first) }
    try refuseErrors(in: bundle, own, on: first)
    try screen(bundle, own)
    return false
  }

  /// The way to a version that can be begun after the part in this one has ended.
  private static func another(_ study: Study) -> String {
    switch study.kind {
    case .own: "copy its folder, give study.json a later version, and begin that"
    case .site: "ask the site for its next edition, and begin that"
    }
  }

  /// Refuses a study with errors on its first day: licences end and clocks change by the day.
  ///
  /// - Parameter first: Nil: today.
  private func refuseErrors(
    in bundle: StudyBundle, _ own: OwnParts, on first: CalendarDate?
  ) throws(Failure) {
    let isPublished = StudyIntake.isBundle(path)
    let findings: [StudyFinding]
    if let first {
      findings = try CheckStudy.findings(
        in: bundle, isPublished: isPublished, on: first, commercial: false)
    } else {
      findings = try CheckStudy.findings(
        in: bundle, isPublished: isPublished, own.surroundings, commercial: false)
    }
    let count = findings.count { $0.severity == .error }
    guard count == 0 else {
      throw Failure(
        path, found: "\(count) errors" + (first.map { " on \($0)" } ?? ""), expected: "a study without",
        remedy: "See: auricle study check \(path)" + (first.map { " --on \($0)" } ?? ""), exit: .badData)
    }
  }

  /// Asks whether the person may take part, where the study does.
  private func screen(_ bundle: StudyBundle, _ own: OwnParts) throws(Failure) {
    guard bundle.study.eligibility.questionnaire != nil else { return }
    let (language, person) = (own.surroundings.language, common.terminal)
    person.say("\(bundle.study.title.text(in: language)). Whether you can take part:\n")
    guard let outcome = try Screening(own.surroundings, person: person).ask(bundle) else {
      throw Failure(bundle.study.id, inWords: "Stopped, nothing was begun", exit: .no)
    }
    guard outcome.against.isEmpty else {
      if outcome.showsHelp, let help = bundle.study.helpText.flatMap({ bundle.text($0, in: language) }) {
        person.say("\n" + help + "\n")
      }
      throw Failure(
        bundle.study.id, inWords: "You cannot take part. \(outcome.against.joined(separator: " "))",
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
      let compliance = Compliance(
        part.participant(code: part.codes.person), at: part.enrolment.ended ?? now)
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
        "offered": OfferWords.report(part, in: own.surroundings.language),
      ]
    }
    let reminders = parts.map { OfferWords.reminder($0, in: own.surroundings.language) }.joined()
    common.show(
      ["schema": 100, "studies": .array(reports)],
      parts.isEmpty
        ? "You take part in no study. Begin one: auricle study begin FOLDER\n"
        : table.text + (reminders.isEmpty ? "" : "\n" + reminders))
  }
}

/// `auricle study end`.
struct EndStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End your part in a study. What you have answered is kept.",
    discussion: "A part that has ended is not begun again; at a terminal you are asked first.")

  @Argument(
    help:
      "The study's name, as `auricle study list --json` gives it; it may be left out where there is one.")
  var study: String?
  @Flag(help: "For scripts: end it without asking.") var yes = false
  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let part = try own.chosen(study, among: own.all().filter { $0.enrolment.ended == nil })
    if !yes { try confirm(part, own) }
    let session = own.session
    let ending = part.ending(at: session.now)
    try Failure.participating(part.study.id) { () throws(ParticipationError) in
      try Enrolments(own.database).end(part.enrolment, ending, session)
    }
    common.show(
      ["schema": 100, "study": .text(part.study.id), "ending": .text(ending.rawValue)],
      "Ended. What you have answered is kept; auricle q export writes it to files.\n")
  }

  /// Asks somebody at a terminal, for there is no way back.
  private func confirm(_ part: Part, _ own: OwnParts) throws(Failure) {
    let person = common.terminal
    guard person.isPresent else {
      throw Failure(
        part.study.id, inWords: "There is no terminal to ask on",
        remedy: "A part that has ended is not begun again: look at auricle study list, then give --yes.",
        exit: .usage)
    }
    person.say(
      "\(part.title(in: own.surroundings.language)): \(part.dayWords(at: own.surroundings.now())).\n"
        + "A part that has ended is not begun again. What you have answered is kept.\n")
    person.dropTyped()
    let line = try person.ask("End it? [yes or no] > ")
    guard line.flatMap({ AnswerText.yes($0.filter { !$0.isWhitespace }) }) == true else {
      throw Failure(part.study.id, inWords: "Not ended, nothing was changed", exit: .no)
    }
  }
}

extension OwnParts {
  /// The part that was begun in a version.
  func begun(_ version: StudyVersion) throws(Failure) -> Part {
    try chosen(nil, among: all().filter { $0.enrolment.studyVersion == version.sha256 })
  }

  /// One of several parts, by the study's name.
  func chosen(_ name: String?, among parts: [Part]) throws(Failure) -> Part {
    let found = parts.filter {
      name == nil || $0.study.id == name || $0.fullName == name || $0.enrolment.id == name
    }
    guard let part = found.last else {
      throw Failure(
        name ?? "studies", inWords: "You take part in no such study",
        remedy: "See: auricle study list --json",
        exit: .noInput)
    }
    guard found.count == 1 else {
      throw Failure(
        "studies", found: "\(found.count)",
        expected: "the name of one: \(found.map(\.fullName).joined(separator: ", "))",
        exit: .usage)
    }
    return part
  }
}

extension Part {
  /// Name with the version, for whoever takes part in several.
  var fullName: String { "\(study.id)|\(study.version)" }

  /// Title with the version.
  func title(in language: String) -> String {
    "\(study.title.text(in: language)), version \(study.version)"
  }

  /// The study's day at a moment.
  func dayWords(at now: Instant) -> String {
    let (day, count) = (course.day(at: now), study.dayCount)
    if day < 1 { return "it begins on \(enrolment.firstDate)" }
    return day > count ? "its \(count) days are over" : "it is day \(day) of \(count)"
  }
}
