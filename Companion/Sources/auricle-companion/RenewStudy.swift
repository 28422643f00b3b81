import ArgumentParser
import Base
import Companion
import Records
import Studies

/// `auricle study renew`.
struct RenewStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew",
    abstract: "Take a later edition of a study, keep the one that you have, or end your part.",
    discussion: """
      You keep the version that you began until you take another. Where something that you agreed to has changed, you read what, and are asked for your \
      consent again. What you have answered stays with the version under which you answered it. Without a path: the edition that was offered before.
      """)

  @Argument(help: "Folder or bundle of the later edition.") var path: String?
  @ArgumentParser.Option(help: "The study's name; it may be left out where there is one.") var study:
    String?
  @Flag(help: "For scripts: take an edition that asks for no consent.") var take = false
  @Flag(help: "Keep the version that you have; you are not reminded again.") var refuse = false
  @Flag(help: "Keep to nothing of it: end your part in the study.") var end = false
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var common: CommonOptions

  /// Decision of a person.
  private enum Decision { case take(Agreement?), keep, end, later }

  func run() throws {
    guard [take, refuse, end, consent.agree != nil].count(where: { $0 }) <= 1 else {
      throw Failure(
        "auricle study renew", found: "several decisions",
        expected: "one of --agree, --take, --refuse and --end", exit: .usage)
    }
    let own = try common.open()
    let (part, offer) = try offered(own)
    let words = OfferWords.words(offer, of: part, in: own.surroundings.language)
    // Beside a report only somebody at the terminal reads it.
    if !common.json || common.terminal.isPresent { common.terminal.say(words) }
    switch try decision(on: offer, of: part, own) {
    case .take(let agreement):
      let moved = try own.take(offer, of: part, under: agreement)
      show(moved, offer, "taken", "You take part in version \(moved.study.version) from now on.\n")
    case .keep:
      try own.refuse(offer, of: part, ending: false)
      show(part, offer, "refused", "You keep version \(part.study.version).\n")
    case .end:
      try own.refuse(offer, of: part, ending: true)
      show(
        part, offer, "ended",
        "Ended. What you have answered is kept; auricle q export writes it to files.\n")
    case .later:
      show(
        part, offer, "offered",
        "Nothing was decided: you keep version \(part.study.version), and are reminded. Go on with: auricle study renew\n"
      )
    }
  }

  private func show(_ part: Part, _ offer: EditionOffer, _ outcome: String, _ words: String) {
    common.show(
      [
        "schema": 100, "study": .text(part.study.id), "version": .text(part.study.version),
        "offered": .text(offer.bundle.study.version), "outcome": .text(outcome),
        "changes": .array(offer.material.map { .text($0) }),
      ], words)
  }

  // MARK: - The edition

  private func offered(_ own: OwnParts) throws(Failure) -> (Part, EditionOffer) {
    guard let path else {
      let part = try own.chosen(study, among: own.running().filter { $0.offer != nil })
      guard let offer = part.offer else {
        throw Failure(part.study.id, inWords: "No later edition was offered", exit: .no)
      }
      return (part, offer)
    }
    let (version, bundle) = try StudyIntake.version(
      at: path, trust: common.sites(), isKept: own.keeps)
    let part = try own.chosen(bundle.study.id, among: own.running())
    let errors = try CheckStudy.findings(
      in: bundle, isPublished: StudyIntake.isBundle(path), own.surroundings, commercial: false
    ).filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw Failure(
        path, found: "\(errors.count) errors", expected: "a study without",
        remedy: "See: auricle study check \(path)", exit: .badData)
    }
    return (part, try own.offer(version, bundle, to: part))
  }

  // MARK: - The decision

  private func decision(
    on offer: EditionOffer, of part: Part, _ own: OwnParts
  ) throws(Failure) -> Decision {
    if refuse { return .keep }
    if end { return .end }
    // Before anybody is asked for a consent to what cannot be taken.
    try own.refuseUnfit(offer, of: part)
    let language = own.surroundings.language
    if offer.asksForConsent {
      guard let form = offer.bundle.consentForm(in: language) else { return .later }
      guard !take else {
        throw Failure(
          "--take", inWords: "This edition asks for your consent",
          remedy: "For scripts: --agree \(form.sha256.prefix(ConsentForm.shortestName)) --give KIND",
          exit: .usage)
      }
      guard consent.agree != nil || common.terminal.isPresent else { return .later }
      let agreement = try consent.agreement(
        to: form, of: offer.bundle.study, in: language, person: common.terminal)
      if let agreement { return .take(agreement) }
      return try refusal()
    }
    guard consent.agree == nil else {
      throw Failure(
        "--agree", inWords: "This edition asks for no consent", remedy: "Take it: --take", exit: .usage)
    }
    if take { return .take(nil) }
    guard common.terminal.isPresent else { return .later }
    let line = try common.terminal.ask("\nDo you take it? [yes or no] > ")
    if line.flatMap({ AnswerText.yes($0) }) == true { return .take(nil) }
    return try refusal()
  }

  /// Asked of somebody at a terminal who has not taken it.
  private func refusal() throws(Failure) -> Decision {
    let line = try common.terminal.ask(
      "\nkeep: you go on with the version that you have; end: you take no part any longer, for good; Enter: decide later. > "
    )
    switch line?.lowercased() {
    case "keep": return .keep
    case "end": return .end
    default: return .later
    }
  }
}

/// An edition that was offered, in words and as JSON.
enum OfferWords {
  static func words(_ offer: EditionOffer, of part: Part, in language: String) -> String {
    let study = offer.bundle.study
    let changes = MaterialChanges.words(offer.bundle, since: part.bundle, in: language)
    let lead =
      "\(study.title.text(in: language)): there is version \(study.version); you take part in \(part.study.version)."
    guard !changes.isEmpty else {
      return lead + "\nNothing of what you agreed to has changed.\n"
    }
    return lead + (offer.asksForConsent ? " It asks for your consent again:\n" : " It changes:\n")
      + changes.map { "  \($0)\n" }.joined()
  }

  /// For lists, with what to type.
  static func reminder(_ part: Part, in language: String) -> String {
    part.offer.map { words($0, of: part, in: language) + "Decide: auricle study renew\n" } ?? ""
  }

  static func report(_ part: Part, in language: String) -> JSONValue? {
    part.offer.map { offer in
      [
        "version": .text(offer.bundle.study.version), "sha256": .text(offer.version),
        "asks_for_consent": .boolean(offer.asksForConsent),
        "changes": .array(offer.material.map { .text($0) }),
        "words": .array(
          MaterialChanges.words(offer.bundle, since: part.bundle, in: language).map { .text($0) }),
      ]
    }
  }
}
