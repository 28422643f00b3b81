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
  private let bundles = KeptBundles()

  public init(_ database: any Database, _ surroundings: Surroundings) {
    (self.database, self.surroundings) = (database, surroundings)
  }

  public var session: Session { Session(subject: Self.subject, at: surroundings.now()) }

  /// All parts, the first begun first. Where the person is in another zone than before, that is noted.
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
    guard enrolment.ended == nil, enrolment.stays.last?.zone != surroundings.zone else { return enrolment }
    let zone = try presentZone()
    return try Failure.participating("studies") { () throws(ParticipationError) in
      try enrolments.move(enrolment, to: zone.name, session)
      return try enrolments.all(session).first { $0.id == enrolment.id } ?? enrolment
    }
  }

  /// The zone in which the person is.
  private func presentZone() throws(Failure) -> Zone {
    do throws(ZoneError) { return try surroundings.zones.zone(surroundings.zone) } catch {
      throw Failure(surroundings.zone, inWords: "\(error)", exit: .configuration)
    }
  }

  func part(_ enrolment: Enrolment, _ session: Session) throws(Failure) -> Part {
    try Part(enrolment, self, session)
  }

  /// A version that is kept, by its SHA-256.
  func bundle(_ version: String, _ session: Session) throws(Failure) -> StudyBundle {
    try bundles.bundle(version) { () throws(Failure) in
      try Failure.participating("studies") { () throws(ParticipationError) in
        try StudyVersions(database).version(version, session)
      }
    }
  }

  /// Begins a study: keeps its version, and the person's part together with their consent.
  ///
  /// - Parameters:
  ///   - firstDate: Day 1; nil: today.
  ///   - agreement: Nil for a study that asks for no consent.
  /// - Throws: ``Failure``; without the consent that the study asks for nobody takes part.
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
    let zone = try presentZone()
    let enrolment = try Failure.participating(version.study) { () throws(ParticipationError) in
      try StudyVersions(database).keep(version, session)
      return try Enrolments(database).begin(
        surroundings.newID(), version: version.sha256, on: firstDate ?? zone.local(at: session.now).date,
        in: zone.name, seed: UInt64.random(in: 0...UInt64.max), under: agreement, session)
    }
    return try part(enrolment, session)
  }
}
