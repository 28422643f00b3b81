import Almanac
import Base
import Records
import Studies

/// Somebody's part in a study, with everything that was answered: what is due follows from it.
public struct Part: Sendable {
  public let enrolment: Enrolment
  public let bundle: StudyBundle
  public let course: Course
  /// Everything begun, the first first.
  public let responses: [Response]
  /// Measurements begun, the first first.
  public let measurements: [GivenMeasurement]

  public var content: StudyContent { course.content }
  public var study: Study { course.content.study }

  public var given: [GivenAnswers] { responses.map(\.given) }

  /// Everything due on the study's day, and from the day before as far as it is open still.
  public func due(at now: Instant) -> [Course.Due] {
    let today = course.day(at: now)
    return course.due(
      given, measured: measurements.measured, on: max(1, today - 1)...max(1, today), at: now
    )
    .filter { $0.day == today || $0.occurrence.isOpen(at: now) }
  }
}

extension Part {
  /// - Throws: ``Failure`` where a zone in which the person was is not known here, and those of the database.
  public init(
    _ enrolment: Enrolment, _ bundle: StudyBundle, _ database: any Database, _ surroundings: Surroundings,
    _ session: Session
  ) throws(Failure) {
    let content: StudyContent
    do throws(BundleError) {
      content = try StudyContent(StudyEdition(bundle, BundleUse(on: enrolment.firstDate)))
    } catch {
      throw Failure(bundle.study.id, inWords: "\(error)", exit: .badData)
    }
    var zones: ZoneHistory?
    for stay in enrolment.stays {
      let zone: Zone
      do throws(ZoneError) { zone = try surroundings.zones.zone(stay.zone) } catch {
        throw Failure(stay.zone, inWords: "\(error)", exit: .configuration)
      }
      if zones == nil { zones = ZoneHistory(zone) } else { zones?.move(to: zone, at: stay.since) }
    }
    guard let zones else {
      throw Failure(content.study.id, inWords: "It was begun in no zone", exit: .software)
    }
    let responses = try Failure.participating(content.study.id) { () throws(ParticipationError) in
      try Responses(database).all(of: enrolment.id, session) { content.outline(url: $0) }
    }
    let measurements = try Failure.participating(content.study.id) { () throws(ParticipationError) in
      try TaskRuns(database).all(of: enrolment.id, session)
    }
    self.init(
      enrolment: enrolment, bundle: bundle,
      course: Course(content, from: enrolment.firstDate, seed: enrolment.seed, in: zones),
      responses: responses, measurements: measurements)
  }
}

extension Failure {
  /// Runs a body whose refusals become a failure.
  public static func participating<Outcome>(
    _ subject: String, _ body: () throws(ParticipationError) -> Outcome
  ) throws(Failure) -> Outcome {
    do throws(ParticipationError) { return try body() } catch {
      throw Failure(subject, inWords: "\(error)", exit: error.exitStatus)
    }
  }
}

extension ParticipationError {
  /// Status with which a command ends that met it.
  public var exitStatus: ExitStatus {
    switch self {
    case .answer, .incomplete, .pastVersion, .otherContent: .badData
    case .outsideWindow: .temporary
    case .completed, .ended, .measured, .over: .no
    case .unknown: .noInput
    case .unreadable: .badData
    case .storage(let error): error.exitStatus
    }
  }
}
