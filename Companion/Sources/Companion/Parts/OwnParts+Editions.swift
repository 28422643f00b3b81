import Base
import Records
import Studies

extension OwnParts {
  /// Keeps a later edition of a study in which the person takes part, and offers it: they are reminded until they have decided.
  ///
  /// - Throws: ``Failure`` for one that is no later edition of the same study by the same signer, or gives old answers another meaning. Nothing
  ///   is kept then.
  public func offer(
    _ version: StudyVersion, _ bundle: StudyBundle, to part: Part
  ) throws(Failure) -> EditionOffer {
    let session = session
    let study = part.study
    guard bundle.study.isLater(than: study) else {
      throw Failure(
        study.id, found: "version \(bundle.study.version)",
        expected: "a later one than \(study.version), in which you take part", exit: .no)
    }
    let signer = try Failure.participating(study.id) { () throws(ParticipationError) in
      try StudyVersions(database).version(part.enrolment.studyVersion, session).signer
    }
    guard signer == version.signer else {
      throw Failure(
        study.id, found: "version \(bundle.study.version) by signer \(version.signer)",
        expected: "one by \(signer), as the version in which you take part",
        remedy: "Ask whoever gave it to you.", exit: .badData)
    }
    try refuseUnfit(bundle, following: part)
    if let ended = try all().first(where: { $0.enrolment.studyVersion == version.sha256 })?.enrolment.ended
    {
      throw Failure(
        study.id,
        inWords:
          "You ended your part in version \(bundle.study.version) at \(ended), and it is not begun again",
        exit: .no)
    }
    try Failure.participating(study.id) { () throws(ParticipationError) in
      try Editions(database).offer(version, to: part.enrolment, session)
    }
    return EditionOffer(version.sha256, bundle, since: part.bundle)
  }

  /// Refuses an offer that cannot follow the version of the part: one that was kept before that was found.
  ///
  /// - Throws: ``Failure``; nothing is changed then.
  public func refuseUnfit(_ offer: EditionOffer, of part: Part) throws(Failure) {
    let remedy =
      "You keep version \(part.study.version). "
      + "To be reminded of this one no longer: auricle study renew --refuse"
    try refuseUnfit(offer.bundle, following: part, remedy: remedy)
  }

  private func refuseUnfit(
    _ bundle: StudyBundle, following part: Part, remedy: String? = nil
  ) throws(Failure) {
    let former = part.formerVersions.map(\.content.edition.bundle)
    guard let fault = bundle.findings(succeeding: part.bundle, after: former).first else { return }
    throw Failure(
      part.study.id, inWords: "It cannot follow version \(part.study.version): \(fault)", remedy: remedy,
      exit: .badData)
  }

  /// Takes an edition from now on. Answers that were begun before keep the version under which they were.
  ///
  /// - Parameter agreement: Nil for an edition that asks for no consent.
  /// - Throws: ``Failure``, also of ``refuseUnfit(_:of:)``.
  public func take(
    _ offer: EditionOffer, of part: Part, under agreement: Agreement?
  ) throws(Failure) -> Part {
    try refuseUnfit(offer, of: part)
    let isAgreed = offer.asksForConsent ? agreement.map(offer.bundle.isAgreed) ?? false : agreement == nil
    guard isAgreed else {
      throw Failure(
        part.study.id, inWords: "Version \(offer.bundle.study.version) asks for your consent again",
        remedy: "You keep version \(part.study.version). See: auricle study renew --help", exit: .no)
    }
    // It is kept with the consent: one that the system does not know is refused before.
    let zone = try surroundings.presentZone().name
    try Failure.participating(part.study.id) { () throws(ParticipationError) in
      try Editions(database).take(
        offer.version, of: part.enrolment, under: agreement, in: zone, session)
    }
    guard let moved = try all().first(where: { $0.enrolment.id == part.enrolment.id }) else {
      throw Failure(part.study.id, inWords: "You take part in no such study", exit: .noInput)
    }
    return moved
  }

  /// Keeps the version that the part has, or ends the part as ``Part/ending(at:)`` says.
  public func refuse(_ offer: EditionOffer, of part: Part, ending: Bool) throws(Failure) {
    let session = session
    let kind: Enrolment.Ending? = ending ? part.ending(at: session.now) : nil
    try Failure.participating(part.study.id) { () throws(ParticipationError) in
      try Editions(database).refuse(offer.version, of: part.enrolment, ending: kind, session)
    }
  }

  /// Gives a kind of data from now on, or gives it no longer.
  ///
  /// - Throws: ``Failure`` for a kind that the study does not have, for one without which nobody takes part,
  ///   and in a zone that the system does not know, also where the part has ended: it is kept with the row.
  public func tick(_ kind: String, isGiven: Bool, in part: Part) throws(Failure) {
    guard let consent = part.consents.last else {
      throw Failure(
        part.study.id, inWords: "It asks for no consent, and nothing of it leaves this machine",
        exit: .no)
    }
    guard let type = part.study.dataTypes.first(where: { $0.id == kind }) else {
      let known = part.study.dataTypes.map(\.id).joined(separator: ", ")
      throw Failure("kind of data", found: "\"\(kind)\"", expected: known, exit: .usage)
    }
    guard isGiven || !type.isRequired || part.enrolment.ended != nil else {
      throw Failure(
        kind, inWords: "Nobody takes part in this study without giving it",
        remedy: "To take no part any longer: auricle study end \(part.study.id)", exit: .no)
    }
    guard consent.givenKinds.contains(kind) != isGiven else { return }
    let zone = try surroundings.presentZone().name
    try Failure.participating(part.study.id) { () throws(ParticipationError) in
      try Consents(database).tick(kind, isGiven: isGiven, in: consent, at: zone, session)
    }
  }
}
