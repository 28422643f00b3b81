import Almanac
import Base
import Records
import Studies

/// Somebody's part in a study, with everything that was answered: what is due follows from it.
public struct Part: Sendable {
  public let enrolment: Enrolment
  public let bundle: StudyBundle
  public let course: Course
  /// Everything begun, the first first, each with its questionnaire in the version under which it was begun.
  public let responses: [Response]
  /// Measurements begun, the first first.
  public let measurements: [GivenMeasurement]
  /// The first first; none for a study that asks for no consent.
  public let consents: [Consent]
  /// A newer edition on which the person has not decided yet.
  public let offer: EditionOffer?
  /// Versions that the part has had before, by their SHA-256.
  let former: [String: StudyContent]
  /// The same in their order, each with its end.
  public let formerVersions: [FormerVersion]

  public var content: StudyContent { course.content }
  public var study: Study { course.content.study }

  public var given: [GivenAnswers] { responses.map { answers(of: $0) } }

  /// Answers of a response, with their questionnaire's id in the version under which they were begun:
  /// whatever its URL is by now, they belong to it.
  public func answers(of response: Response) -> GivenAnswers {
    let content = former[response.studyVersion] ?? content
    return response.answers(to: content.file(url: response.outline.questionnaire.url))
  }

  /// Study in the version of a kept SHA-256: the present one where the part has not had that.
  public func study(version: String) -> Study { former[version]?.study ?? study }

  /// Everything due on the study's day, and from the days around it as far as it is open.
  ///
  /// After a journey west the person is on an earlier date again, and what has opened on the next one stays open.
  public func due(at now: Instant) -> [Course.Due] {
    let today = course.day(at: now)
    // A questionnaire that was begun under a former version is open for as long as it was there.
    let daysBack = course.daysBack(of: study.tasks + former.values.flatMap(\.study.tasks))
    return course.due(
      given, measured: measurements.measured, on: max(1, today - daysBack)...max(1, today + 1), at: now
    )
    .filter { due in
      due.day == today || due.occurrence.isOpen(at: now)
        || due.parts.contains { window(of: $0, in: due).isOpen(at: now) }
    }
  }

  /// The answers to a questionnaire of an occurrence; nil where nobody has begun them.
  public func response(to piece: Course.Part, of due: Course.Due) -> Response? {
    responses.first {
      $0.occurrence == due.occurrence.id
        && $0.outline.questionnaire.url == piece.outline.questionnaire.url
    }
  }
}

extension [Part] {
  /// The part after whose end a version is not begun any more: it had this one or a later one. Nil: none.
  ///
  /// Nobody takes part again under what a later edition has replaced, such as its consent.
  public func endedPart(notBefore study: Study) -> Part? {
    filter { $0.enrolment.ended != nil && $0.study.id == study.id && !study.isLater(than: $0.study) }
      .max { $1.study.isLater(than: $0.study) }
  }
}

/// A newer edition of a study, with what it changes for a person who takes part in an older one.
public struct EditionOffer: Sendable {
  /// ``StudyVersion/sha256``.
  public let version: String
  public let bundle: StudyBundle
  /// Members whose change asks for consent again; none: nothing of what was agreed to has changed.
  public let material: [String]

  public init(_ version: String, _ bundle: StudyBundle, since former: StudyBundle) {
    (self.version, self.bundle) = (version, bundle)
    material = bundle.materialChanges(since: former)
  }

  /// True when it asks for consent: something that was agreed to has changed, and the study has a text to agree to.
  public var asksForConsent: Bool { !material.isEmpty && bundle.study.asksForConsent }
}

extension Part {
  /// - Throws: ``Failure`` where no zone in which the person was is known here, and those of the database.
  init(_ enrolment: Enrolment, _ own: OwnParts, _ session: Session) throws(Failure) {
    let bundle = try own.bundle(enrolment.studyVersion, session)
    let content = try Self.content(of: bundle, enrolment)
    guard let seed = enrolment.seed else {
      throw Failure(
        content.study.id, inWords: "What is drawn for a part is not shown to this login",
        exit: .noPermission)
    }
    let (steps, consents) = try Failure.participating(content.study.id) {
      () throws(ParticipationError) in
      (
        try Editions(own.database).all(of: enrolment.id, session),
        try Consents(own.database).all(of: enrolment.id, session)
      )
    }
    var former: [String: StudyContent] = [:]
    let taken = steps.filter { $0.kind == .taken }
    for step in taken where step.studyVersion != enrolment.studyVersion {
      former[step.studyVersion] = try Self.content(of: own.bundle(step.studyVersion, session), enrolment)
    }
    let formerVersions = zip(taken, taken.dropFirst()).map { [former] step, next in
      FormerVersion(former[step.studyVersion] ?? content, until: next.moment)
    }
    var offer: EditionOffer?
    if let last = steps.last, last.kind == .offered, enrolment.ended == nil {
      offer = EditionOffer(last.studyVersion, try own.bundle(last.studyVersion, session), since: bundle)
    }
    let zones = try Self.zones(of: enrolment, content.study, own.surroundings, at: session.now)
    let responses = try Failure.participating(content.study.id) {
      [former] () throws(ParticipationError) in
      try Responses(own.database).all(of: enrolment.id, session) { url, version in
        (former[version] ?? content).outline(url: url)
      }
    }
    let measurements = try Failure.participating(content.study.id) { () throws(ParticipationError) in
      try TaskRuns(own.database).all(of: enrolment.id, session)
    }
    // Kinds that were not given stay so, also where a later edition asks for no consent.
    let kinds = consents.last?.givenKinds ?? (content.study.asksForConsent ? [] : nil)
    self.init(
      enrolment: enrolment, bundle: bundle,
      course: Course(
        content, from: enrolment.firstDate, seed: seed, in: zones, giving: kinds),
      responses: responses, measurements: measurements, consents: consents, offer: offer, former: former,
      formerVersions: formerVersions)
  }

  private static func content(
    of bundle: StudyBundle, _ enrolment: Enrolment
  ) throws(Failure) -> StudyContent {
    try content(of: bundle, on: enrolment.firstDate)
  }

  /// - Parameter date: Day 1.
  static func content(of bundle: StudyBundle, on date: CalendarDate) throws(Failure) -> StudyContent {
    do throws(BundleError) {
      return try StudyContent(StudyEdition(bundle, BundleUse(on: date)))
    } catch {
      throw Failure(bundle.study.id, inWords: "\(error)", exit: .badData)
    }
  }

  /// A stay in a zone that is not known here is passed over: the zone before it goes on. So is one that has not
  /// begun, which a clock noted that was ahead.
  private static func zones(
    of enrolment: Enrolment, _ study: Study, _ surroundings: Surroundings, at now: Instant
  ) throws(Failure) -> ZoneHistory {
    var zones: ZoneHistory?
    var unknown: (name: String, reason: ZoneError)?
    for stay in enrolment.stays where stay.since <= now || stay == enrolment.stays.first {
      do throws(ZoneError) {
        let zone = try surroundings.zones.zone(stay.zone)
        if zones == nil { zones = ZoneHistory(zone) } else { zones?.move(to: zone, at: stay.since) }
      } catch {
        if unknown == nil { unknown = (stay.zone, error) }
      }
    }
    if let zones { return zones }
    guard let unknown else { throw Failure(study.id, inWords: "It was begun in no zone", exit: .software) }
    throw Failure(unknown.name, inWords: "\(unknown.reason)", exit: .configuration)
  }
}
