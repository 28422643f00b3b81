import Almanac
import Base
import Records

extension OwnParts {
  /// The parts of everybody whom the database shows, the first begun first: all of a site's as auricle_export, one's own otherwise.
  ///
  /// Each is read under the name of whoever takes part, by the steps by which they read it themselves.
  public func everybody() throws(Failure) -> [Part] {
    let session = session
    let enrolments = try Failure.participating("studies") { () throws(ParticipationError) in
      try Enrolments(database).visible(session)
    }
    var parts: [Part] = []
    for enrolment in enrolments {
      parts.append(try part(enrolment, Session(subject: enrolment.subject, at: session.now)))
    }
    return parts
  }
}
