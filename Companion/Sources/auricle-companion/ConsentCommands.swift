import Almanac
import ArgumentParser
import Base
import Companion
import Records
import Studies

/// Agreement on a command line.
struct ConsentOptions: ParsableArguments {
  @ArgumentParser.Option(
    help: ArgumentHelp(
      "For scripts: agree to the text of this SHA-256, of which the first 12 digits are enough.",
      valueName: "sha256"))
  var agree: String?
  @ArgumentParser.Option(
    help: ArgumentHelp(
      "With --agree, a kind of data that you give, needed ones too; again for each.", valueName: "kind"))
  var give: [String] = []

  /// The agreement to a form: as the options name it, or as somebody at a terminal gives it.
  ///
  /// - Parameter person: Whoever is asked, ``CommonOptions/terminal``: beside a report on standard error.
  /// - Returns: Nil where the person does not agree.
  /// - Throws: ``Failure`` where neither is there.
  func agreement(
    to form: ConsentForm, of study: Study, in language: String, person: Terminal
  ) throws(Failure) -> Agreement? {
    if let agree { return try NamedConsent(text: agree, giving: give).agreement(to: form) }
    guard give.isEmpty else {
      throw Failure("--give", inWords: "It names kinds of data without --agree", exit: .usage)
    }
    guard person.isPresent else {
      throw Failure(
        study.id, inWords: "It asks for your consent, and nobody is at a terminal",
        remedy:
          "For scripts: --agree \(form.sha256.prefix(ConsentForm.shortestName)) --give KIND, after reading: auricle study consent --of PATH",
        exit: .no)
    }
    return try ConsentDialogue(person, in: language).ask(form, of: study)
  }
}

/// `auricle study consent`.
struct ShowConsent: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "consent",
    abstract: "Show the text that a study asks you to agree to, or your own consents.")

  @Argument(help: "The study's name; it may be left out where there is one.") var study: String?
  @ArgumentParser.Option(
    help: "Show the text of a study's folder or bundle, in which you take no part yet.")
  var of: String?
  @OptionGroup var common: CommonOptions

  func run() throws {
    if let of { return try show(StudyIntake.author(at: of, isKept: common.keeps)) }
    let own = try common.open()
    let part = try own.chosen(study, among: own.all())
    common.show(
      [
        "schema": 100, "study": .text(part.study.id),
        "consents": .array(part.consents.map { ConsentWords.report($0, part) }),
      ],
      part.consents.isEmpty
        ? "This study asks for no consent, and nothing of it leaves this machine.\n"
        : part.consents.map { ConsentWords.words($0, part, in: own.surroundings.language) }.joined(
          separator: "\n"))
  }

  private func show(_ bundle: StudyBundle) throws {
    let language = try Surroundings.system(ProcessEnvironment.variables).language
    guard let form = bundle.consentForm(in: language) else {
      return common.show(
        ["schema": 100, "study": .text(bundle.study.id), "asks_for_consent": false],
        "This study asks for no consent.\n")
    }
    let kinds = form.kinds.map { kind -> JSONValue in
      [
        "kind": .text(kind.id), "text": .text(kind.text.text(in: language)),
        "needed": .boolean(kind.isRequired),
      ]
    }
    common.show(
      [
        "schema": 100, "study": .text(bundle.study.id), "version": .text(bundle.study.version),
        "asks_for_consent": true, "language": .text(form.language), "sha256": .text(form.sha256),
        "text": .text(form.text), "kinds": .array(kinds),
      ],
      ConsentText.text(form, of: bundle.study, in: language)
        + "\nSHA-256 of the text in \(form.language): \(form.sha256)\n")
  }
}

/// `auricle study give`.
struct GiveKind: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "give", abstract: "Give a kind of data from now on, as your consent allows.")

  @Argument(help: "Kind of data, as `auricle study consent` names it.") var kind: String
  @Argument(help: "The study's name; it may be left out where there is one.") var study: String?
  @OptionGroup var common: CommonOptions

  func run() throws { try KindOfData.set(kind, isGiven: true, study, common) }
}

/// `auricle study withdraw`.
struct WithdrawKind: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw", abstract: "Give a kind of data no longer: nothing of it leaves from now on.",
    discussion: """
      It is not asked for any longer, and what you have answered of it is kept here and leaves in no data set. \
      To take no part any longer: auricle study end
      """)

  @Argument(help: "Kind of data, as `auricle study consent` names it.") var kind: String
  @Argument(help: "The study's name; it may be left out where there is one.") var study: String?
  @OptionGroup var common: CommonOptions

  func run() throws { try KindOfData.set(kind, isGiven: false, study, common) }
}

private enum KindOfData {
  static func set(_ kind: String, isGiven: Bool, _ study: String?, _ common: CommonOptions) throws {
    let own = try common.open()
    let part = try own.chosen(study, among: own.all())
    try own.tick(kind, isGiven: isGiven, in: part)
    common.show(
      ["schema": 100, "study": .text(part.study.id), "kind": .text(kind), "given": .boolean(isGiven)],
      isGiven
        ? "You give \(kind) from now on.\n"
        : "You give \(kind) no longer: it is not asked for, and leaves in no data set.\n")
  }
}

/// A consent in words and as JSON.
enum ConsentWords {
  static func words(_ consent: Consent, _ part: Part, in language: String) -> String {
    let study = part.study(version: consent.studyVersion)
    var text =
      "\(study.title.text(in: language)), version \(study.version): agreed at \(consent.given) (\(consent.zone))\n"
      + "  text in \(consent.language), SHA-256 \(consent.text)\n"
    for tick in consent.ticks {
      let words = study.dataTypes.first { $0.id == tick.kind }?.text.text(in: language) ?? ""
      text += "  \(tick.isGiven ? "given    " : "not given")  \(tick.kind): \(words), since \(tick.since)\n"
    }
    return text
  }

  static func report(_ consent: Consent, _ part: Part) -> JSONValue {
    let ticks = consent.ticks.map { tick -> JSONValue in
      [
        "kind": .text(tick.kind), "given": .boolean(tick.isGiven), "since": .text("\(tick.since)"),
        "zone": .text(tick.zone),
      ]
    }
    return [
      "number": .number(Double(consent.number)),
      "version": .text(part.study(version: consent.studyVersion).version),
      "version_sha256": .text(consent.studyVersion), "text_sha256": .text(consent.text),
      "language": .text(consent.language), "given": .text("\(consent.given)"),
      "zone": .text(consent.zone), "ticks": .array(ticks),
    ]
  }
}
