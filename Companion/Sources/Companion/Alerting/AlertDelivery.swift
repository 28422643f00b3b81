import Almanac
import Base
import Records
import Studies

/// Tells a study's contact of answers that must not wait, and its investigator where the contact does not answer in time.
///
/// A message names the study and the part, and neither an answer nor a person.
public struct AlertDelivery: Sendable {
  let own: OwnParts
  let messenger: any Messenger

  public init(_ own: OwnParts, _ messenger: any Messenger = Sendmail()) {
    (self.own, self.messenger) = (own, messenger)
  }

  /// An alert with its study, as it stands.
  public struct Standing: Sendable {
    public let alert: Alert
    public let part: Part
    /// True when nobody has taken care of it in the stated time.
    public let isOverdue: Bool
  }

  /// All alerts of the person's studies.
  public func standing() throws(Failure) -> [Standing] {
    let parts = try own.all()
    let now = own.surroundings.now()
    let alerts = try Failure.participating("alerts") { () throws(ParticipationError) in
      try Alerts(own.database).all(own.session)
    }
    return alerts.compactMap { alert in
      parts.first { $0.enrolment.id == alert.enrolment }.map { part in
        let hours = part.study.contact?.answersWithin
        let isLate = hours.map { Double(now - alert.raised) > $0 * 3600 } ?? false
        return Standing(alert: alert, part: part, isOverdue: isLate && alert.acknowledged == nil)
      }
    }
  }

  /// Tells whoever is to be told and was not.
  ///
  /// - Returns: Each alert as it stands afterwards.
  public func deliver() throws(Failure) -> [Standing] {
    for standing in try standing() where standing.alert.acknowledged == nil {
      if standing.alert.delivered == nil, let contact = standing.part.study.contact?.person {
        try tell(contact, of: standing)
      }
      if standing.isOverdue, standing.alert.escalated == nil,
        let investigator = standing.part.study.investigator
      {
        try escalate(to: investigator, standing)
      }
    }
    return try standing()
  }

  private func tell(_ contact: Person, of standing: Standing) throws(Failure) {
    var failure: String?
    if let address = contact.email {
      do throws(MessageFailure) { try messenger.send(message(to: address, standing, isLate: false)) } catch
      {
        failure = error.description
      }
    } else {
      failure = "the study names no address of \(contact.name)"
    }
    try Failure.participating("alerts") { [failure] () throws(ParticipationError) in
      try Alerts(own.database).attempted(standing.alert, failure: failure, own.session)
    }
  }

  private func escalate(to investigator: Person, _ standing: Standing) throws(Failure) {
    guard let address = investigator.email else { return }
    // Tried again at the next occasion.
    do throws(MessageFailure) { try messenger.send(message(to: address, standing, isLate: true)) } catch {
      return
    }
    try Failure.participating("alerts") { () throws(ParticipationError) in
      try Alerts(own.database).escalated(standing.alert, own.session)
    }
  }

  private func message(to address: String, _ standing: Standing, isLate: Bool) -> Message {
    let study = standing.part.study
    // A header is one line.
    let title = study.title.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let lead =
      isLate
      ? "Nobody has taken care of an answer that must not wait, in the time that the study states."
      : "An answer in a study must not wait: please get in touch with the person."
    return Message(
      to: address, subject: "\(isLate ? "Overdue: " : "")an answer in \(title) needs attention",
      text: """
        \(lead)

        Study: \(study.id), version \(study.version)
        Part:  \(standing.part.enrolment.id)
        Given: \(standing.alert.raised)

        When you have taken care of it: auricle study acknowledge \(standing.alert.response) --by YOUR-NAME
        """)
  }
}
