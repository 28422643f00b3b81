import Almanac
import Base
import Records
import Studies

/// The parts that a person at home takes in studies: one subject, one database.
public struct OwnParts: Sendable {
  /// Subject of a database that is one person's.
  public static let subject = "self"

  public let database: any Database
  public let surroundings: Surroundings
  /// True where another zone than before is kept with the part, as of whoever asks or takes answers; otherwise it
  /// counts for what is read, and nothing is changed by reading.
  public let notesJourneys: Bool
  /// Sites to the people of whose studies mail is sent from here; nil: to those of every site's study, as of a file of
  /// one's own. On a server whoever speaks SQL may add a version that names anybody as its contact.
  public let sites: (any ManifestTrust)?
  private let bundles: KeptBundles

  public init(
    _ database: any Database, _ surroundings: Surroundings, notesJourneys: Bool = true,
    sites: (any ManifestTrust)? = nil
  ) {
    (self.database, self.surroundings, self.notesJourneys) = (database, surroundings, notesJourneys)
    self.sites = sites
    bundles = KeptBundles()
  }

  private init(_ other: OwnParts, notesJourneys: Bool) {
    (database, surroundings, sites) = (other.database, other.surroundings, other.sites)
    (self.notesJourneys, bundles) = (notesJourneys, other.bundles)
  }

  /// The same for whoever reads alone: a journey that cannot be noted, as on a full disk, keeps nobody from it.
  var unnoted: OwnParts { OwnParts(self, notesJourneys: false) }

  public var session: Session { Session(subject: Self.subject, at: surroundings.now()) }

  /// All parts, the first begun first. Where the person is in another zone than before, they are as of the present
  /// one, which is kept where ``notesJourneys`` says so.
  ///
  /// - Throws: ``Failure``, also where that zone is not known here: it is not noted then.
  public func all() throws(Failure) -> [Part] {
    var result: [Part] = []
    let session = session
    let enrolments = Enrolments(database)
    let found = try Failure.participating("studies") { () throws(ParticipationError) in
      try enrolments.all(session)
    }
    for enrolment in found { result.append(try part(moved(enrolment, enrolments, session), session)) }
    return result
  }

  private func moved(
    _ enrolment: Enrolment, _ enrolments: Enrolments, _ session: Session
  ) throws(Failure) -> Enrolment {
    guard enrolment.ended == nil, enrolment.stay(at: session.now)?.zone != surroundings.zone else {
      return enrolment
    }
    let zone = try surroundings.presentZone()
    guard notesJourneys else { return enrolment.moved(to: zone.name, at: session.now) }
    return try Failure.participating("studies") { () throws(ParticipationError) in
      try enrolments.move(enrolment, to: zone.name, session)
      return try enrolments.all(session).first { $0.id == enrolment.id } ?? enrolment
    }
  }

  func part(_ enrolment: Enrolment, _ session: Session) throws(Failure) -> Part {
    try Part(enrolment, self, session)
  }

  /// A version that a part has or is offered, by its SHA-256.
  func bundle(_ version: String, _ session: Session) throws(Failure) -> StudyBundle {
    try bundles.bundle(version) { () throws(Failure) in try kept(version, session) }
  }

  /// The same as it is kept, with its signature where a site has signed it.
  func kept(_ version: String, _ session: Session) throws(Failure) -> StudyVersion {
    try Failure.participating("studies") { () throws(ParticipationError) -> StudyVersion in
      do throws(ParticipationError) {
        return try StudyVersions(database).version(version, session)
      } catch {
        guard case .unknown(let thing) = error else { throw error }
        // The row that names it is at fault, and no other part's.
        throw .unreadable("a part names \(thing), which is not there")
      }
    }
  }

  /// True for a version that the database has already, by its SHA-256, whoever takes part in it.
  public func keeps(_ version: String) throws(Failure) -> Bool {
    let session = session
    return try Failure.participating("studies") { () throws(ParticipationError) -> Bool in
      do throws(ParticipationError) { _ = try StudyVersions(database).version(version, session) } catch {
        guard case .unknown = error else { throw error }
        return false
      }
      return true
    }
  }

  /// Begins a study: keeps its version, and the person's part together with their consent.
  ///
  /// - Parameters:
  ///   - firstDate: Day 1; nil: today, or tomorrow where everything of today has closed.
  ///   - agreement: Nil for a study that asks for no consent.
  /// - Throws: ``Failure``, also for a first day that is over; without the consent that the study asks for
  ///   nobody takes part.
  public func begin(
    _ version: StudyVersion, on firstDate: CalendarDate? = nil, under agreement: Agreement? = nil
  ) throws(Failure) -> Part {
    let bundle = try bundles.bundle(version.sha256) { version }
    guard bundle.mayBegin(under: agreement) else {
      throw Failure(
        version.study, inWords: "Nobody takes part in it without having agreed to its own text",
        remedy: "Nothing was begun. Read it: auricle study consent --of STUDY", exit: .no)
    }
    let session = session
    let (zone, seed) = (try surroundings.presentZone(), UInt64.random(in: 0...UInt64.max))
    let date: CalendarDate
    if let firstDate {
      try refusePast(firstDate)
      date = firstDate
    } else {
      date = try nextFirstDate(of: bundle, under: agreement, seed, zone, at: session.now)
    }
    let enrolment = try Failure.participating(version.study) { () throws(ParticipationError) in
      try StudyVersions(database).keep(version, session)
      return try Enrolments(database).begin(
        surroundings.newID(), version: version.sha256, on: date,
        in: zone.name, seed: seed, under: agreement, session)
    }
    return try part(enrolment, session)
  }

  /// Most days from today to a first day (own choice): one further off is mistyped, and cannot be changed.
  private static let mostDaysAhead = 366

  /// Refuses a first day before today, on which the study would have days that nobody can do, and one that
  /// is further off than anybody plans.
  ///
  /// - Throws: ``Failure`` with what was found and what was expected.
  public func refusePast(_ firstDate: CalendarDate) throws(Failure) {
    let today = try surroundings.presentZone().local(at: surroundings.now()).date
    guard firstDate >= today else {
      throw Failure(
        "--on", found: "\(firstDate)", expected: "today, \(today), or a later day", exit: .usage)
    }
    guard let last = today.adding(days: Self.mostDaysAhead), firstDate > last else { return }
    throw Failure("--on", found: "\(firstDate)", expected: "a day up to \(last)", exit: .usage)
  }

  /// Today, or tomorrow where today has something to do and all of it has closed.
  private func nextFirstDate(
    of bundle: StudyBundle, under agreement: Agreement?, _ seed: UInt64, _ zone: Zone, at now: Instant
  ) throws(Failure) -> CalendarDate {
    let today = zone.local(at: now).date
    let kinds = agreement.map { Set($0.ticks.filter(\.isGiven).map(\.kind)) }
    let course = Course(
      try Part.content(of: bundle, on: today), from: today, seed: seed, in: ZoneHistory(zone), giving: kinds
    )
    let asked = course.due([], on: 1...1, at: now).filter { !$0.parts.isEmpty || $0.isMeasured != nil }
    let isOver = !asked.isEmpty && asked.allSatisfy { $0.occurrence.closes <= now }
    return isOver ? today.adding(days: 1) ?? today : today
  }
}
