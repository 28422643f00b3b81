import Almanac
import Base
import Records

extension OwnParts {
  /// The parts of everybody whom the database shows, the first begun first: all of a site's as auricle_export, one's own otherwise.
  ///
  /// Each is read under the name of whoever takes part, by the steps by which they read it themselves.
  ///
  /// - Returns: Beside them those that cannot be read, by the name of the part.
  public func everybody() throws(Failure) -> (parts: [Part], unreadable: [(part: String, failure: Failure)])
  {
    let session = session
    let visible = try Failure.participating("studies") { () throws(ParticipationError) in
      try Enrolments(database).visible(session, withSeeds: true)
    }
    var parts: [Part] = []
    var unreadable = visible.unreadable.map { one -> (part: String, failure: Failure) in
      let error = ParticipationError.unreadable(one.reason)
      return (one.id, Failure("studies", inWords: "\(error)", exit: error.exitStatus))
    }
    for enrolment in visible.enrolments {
      do throws(Failure) {
        parts.append(try part(enrolment, Session(subject: enrolment.subject, at: session.now)))
      } catch {
        // A server that is gone is nobody's fault.
        guard error.exitStatus == .badData || error.exitStatus == .configuration else { throw error }
        unreadable.append((enrolment.id, error))
      }
    }
    return (parts, unreadable)
  }
}
