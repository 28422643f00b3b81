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

  public init(_ database: any Database, _ surroundings: Surroundings) {
    (self.database, self.surroundings) = (database, surroundings)
  }

  public var session: Session { Session(subject: Self.subject, at: surroundings.now()) }

  /// All parts, the first begun first. Where the person is in another zone than before, that is noted.
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
    return try Failure.participating("studies") { () throws(ParticipationError) in
      try enrolments.move(enrolment, to: surroundings.zone, session)
      return try enrolments.all(session).first { $0.id == enrolment.id } ?? enrolment
    }
  }

  func part(_ enrolment: Enrolment, _ session: Session) throws(Failure) -> Part {
    try Part(enrolment, bundle(enrolment.studyVersion, session), database, surroundings, session)
  }

  /// A version that is kept, by its SHA-256.
  func bundle(_ version: String, _ session: Session) throws(Failure) -> StudyBundle {
    let kept = try Failure.participating("studies") { () throws(ParticipationError) in
      try StudyVersions(database).version(version, session)
    }
    return try bundle(kept)
  }

  func bundle(_ version: StudyVersion) throws(Failure) -> StudyBundle {
    do throws(BundleError) { return try StudyBundle(kept: version.content) } catch {
      throw Failure(version.study, inWords: "What is kept cannot be read: \(error)", exit: .badData)
    }
  }

  /// Begins a study: keeps its version and the person's part.
  ///
  /// - Parameter firstDate: Day 1; nil: today.
  public func begin(_ version: StudyVersion, on firstDate: CalendarDate? = nil) throws(Failure) -> Part {
    let bundle = try bundle(version)
    let session = session
    let zone: Zone
    do throws(ZoneError) { zone = try surroundings.zones.zone(surroundings.zone) } catch {
      throw Failure(surroundings.zone, inWords: "\(error)", exit: .configuration)
    }
    let enrolment = try Failure.participating(version.study) { () throws(ParticipationError) in
      try StudyVersions(database).keep(version, session)
      return try Enrolments(database).begin(
        surroundings.newID(), version: version.sha256, on: firstDate ?? zone.local(at: session.now).date,
        in: zone.name, seed: UInt64.random(in: 0...UInt64.max), session)
    }
    return try Part(enrolment, bundle, database, surroundings, session)
  }
}
