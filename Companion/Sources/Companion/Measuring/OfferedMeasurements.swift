import Studies

/// Measurements of all parts that were offered in a sitting, and are not offered again.
public struct OfferedMeasurements: Sendable {
  /// Two studies may have tasks of one name, so that the name of an occurrence does not say whose it is.
  private struct Place: Hashable {
    let enrolment: String
    let occurrence: String

    init(_ due: Course.Due, _ part: Part) {
      (enrolment, occurrence) = (part.enrolment.id, due.occurrence.id)
    }
  }

  private var offered: Set<Place> = []
  private var declined: Set<Place> = []

  public init() {}

  public func contains(_ due: Course.Due, of part: Part) -> Bool { offered.contains(Place(due, part)) }

  /// Notes one that the person takes, with whatever result.
  public mutating func take(_ due: Course.Due, of part: Part) { offered.insert(Place(due, part)) }

  /// Notes one that the person does not want now.
  public mutating func decline(_ due: Course.Due, of part: Part) {
    offered.insert(Place(due, part))
    declined.insert(Place(due, part))
  }

  /// Forgets all but those that were declined. One that failed may have needed another one, which was not offered
  /// yet.
  public mutating func keepDeclined() { offered = declined }
}
