import Almanac
import Base
import Records
import Studies

/// Tells a study's contact of answers that must not wait, and its investigator where the contact does not answer in time.
///
/// A message names the study and the part, and neither an answer nor a person. Of an own study nobody is written to: it sends nothing.
/// Nor is anybody of a study that ``OwnParts/sites`` do not know.
public struct AlertDelivery: Sendable {
  let own: OwnParts
  let messenger: any Messenger

  public init(_ own: OwnParts, _ messenger: any Messenger = Sendmail()) {
    (self.own, self.messenger) = (own, messenger)
  }

  /// An alert with its study, as it stands.
  public struct Standing: Sendable {
    public let alert: Alert
    public let study: Study
    /// True when nobody has taken care of it in the stated time, or as long as its moment is more than five minutes
    /// ahead (``isAhead``); and once the investigator was told, until somebody has. Never of an own study, whose
    /// contact is not told.
    public let isOverdue: Bool
    /// True when it was raised by a clock that was ahead, so that nobody knows since when it waits.
    public let isAhead: Bool
    /// ``StudyVersion/sha256`` of the part's version.
    let version: String
    /// Reason why the investigator, who was to be told by now, was not; nil: was told, or need not be.
    public internal(set) var escalationFailure: String?

    /// True for a site's study; an own one sends nothing, and its alerts wait for nobody.
    public var isSent: Bool { study.kind == .site }
  }

  /// Commands that show whether a note was saved, to staff as well.
  private static let commands = "auricle study alerts"

  /// Difference up to which two clocks count as the same, s (own choice): whoever is told within it is told in time.
  private static let clockDifference = 300

  /// All alerts that the database shows: of a person's studies, and of everybody's for a site's people.
  public func standing() throws(Failure) -> [Standing] {
    let now = own.surroundings.now()
    let (alerts, visible) = try Failure.participating("alerts") { () throws(ParticipationError) in
      (try Alerts(own.database).all(own.session), try Enrolments(own.database).visible(own.session))
    }
    // An alert of a part that cannot be read is told as any other.
    let versions = Dictionary(
      visible.enrolments.map { ($0.id, $0.studyVersion) }
        + visible.unreadable.map { ($0.id, $0.studyVersion ?? "") }
    ) { first, _ in first }
    var studies: [String: Study] = [:]
    var standing: [Standing] = []
    for alert in alerts {
      guard let version = versions[alert.enrolment] else { continue }
      let study = studies[version] ?? study(version)
      studies[version] = study
      let isAhead = alert.raised > now + Self.clockDifference
      let isLate =
        study.contact?.answersWithin.map {
          isAhead || alert.escalated != nil || Double(now - alert.raised) > $0 * 3600
        } ?? false
      standing.append(
        Standing(
          alert: alert, study: study,
          isOverdue: isLate && alert.acknowledged == nil && study.kind == .site, isAhead: isAhead,
          version: version))
    }
    return standing
  }

  /// Parts that the database shows and whose rows cannot be read, by their names. Their alerts are told by
  /// the version of their study.
  public func unreadableParts() throws(Failure) -> [String] {
    try Failure.participating("alerts") { () throws(ParticipationError) in
      try Enrolments(own.database).visible(own.session).unreadable.map(\.id)
    }
  }

  /// One that cannot be read keeps nobody else's alerts from being told.
  private func study(_ version: String) -> Study {
    (try? own.bundle(version, own.session).study)
      ?? Study(
        id: "version \(version.prefix(12))", version: "?", kind: .site, languages: ["en"],
        title: "A study that cannot be read")
  }

  /// Tells whoever is to be told and was not.
  ///
  /// - Returns: Each alert as it stands afterwards.
  public func deliver() throws(Failure) -> [Standing] {
    var (known, failures) = ([String: Bool](), [[String]: String]())
    for standing in try standing() where standing.alert.acknowledged == nil && standing.isSent {
      let contact = standing.alert.delivered == nil ? standing.study.contact?.person : nil
      let isWaiting = standing.isOverdue && standing.alert.escalated == nil
      let investigator = isWaiting ? standing.study.investigator : nil
      // The bundle is unpacked for it: only where there is something to send.
      guard contact != nil || investigator != nil else { continue }
      let isKnown = known[standing.version] ?? isSigned(standing.version)
      known[standing.version] = isKnown
      if let contact { try tell(contact, of: standing, ifSigned: isKnown) }
      if let investigator {
        failures[standing.alert.key] = try escalate(to: investigator, standing, ifSigned: isKnown)
      }
    }
    return try standing().map { standing in
      var standing = standing
      standing.escalationFailure = failures[standing.alert.key]
      return standing
    }
  }

  /// True where one of ``OwnParts/sites`` has signed a version, and always where these are nil.
  private func isSigned(_ version: String) -> Bool {
    guard let sites = own.sites else { return true }
    guard let kept = try? own.kept(version, own.session) else { return false }
    return (try? SignedBundle.signer(ofKept: kept.content, trust: sites)) != nil
  }

  /// Reason why nobody of a study is written to. It has no words of the study, which may be anybody's.
  static let unsigned =
    "no site that is trusted here has signed the study; compare the site's fingerprint, then: auricle study trust CARD"

  private func tell(_ contact: Person, of standing: Standing, ifSigned isSigned: Bool) throws(Failure) {
    var failure: String?
    if !isSigned {
      failure = Self.unsigned
    } else if let address = contact.email {
      do throws(MessageFailure) { try messenger.send(message(to: address, standing, isLate: false)) } catch
      {
        failure = error.description
      }
    } else {
      failure = "the study names no address of \(contact.name)"
    }
    try Failure.participating("alerts", seeing: Self.commands) { [failure] () throws(ParticipationError) in
      try Alerts(own.database).attempted(standing.alert, failure: failure, own.session)
    }
  }

  /// - Returns: Reason why the investigator was not told, which is tried again at the next occasion.
  private func escalate(
    to investigator: Person, _ standing: Standing, ifSigned isSigned: Bool
  ) throws(Failure) -> String? {
    guard isSigned else { return Self.unsigned }
    guard let address = investigator.email else {
      return "the study names no address of \(investigator.name)"
    }
    do throws(MessageFailure) { try messenger.send(message(to: address, standing, isLate: true)) } catch {
      return error.description
    }
    try Failure.participating("alerts", seeing: Self.commands) { () throws(ParticipationError) in
      try Alerts(own.database).escalated(standing.alert, own.session)
    }
    return nil
  }

  // MARK: - Taken care of

  /// Notes that somebody has taken care of the alert that a response raised at a moment.
  ///
  /// One that was raised again since is another: the answer may be a worse one, of which whoever was told of the
  /// former knows nothing.
  ///
  /// - Throws: ``Failure``; nothing is noted then.
  public func acknowledge(
    _ response: String, raised moment: Instant, by name: String
  ) throws(Failure) {
    let all = try standing().map(\.alert).filter { $0.response == response }
    guard let last = all.max(by: { $0.raised < $1.raised }) else {
      throw Failure(
        response, inWords: "There is no such alert", remedy: "See: auricle study alerts", exit: .noInput)
    }
    // As it is told: what lies beyond the years that can be written is told as the nearer end of them.
    let found = all.filter { "\($0.raised)" == "\(moment)" }
    guard !found.isEmpty else {
      throw Failure(
        response, inWords: "It was raised at \(last.raised), and not at \(moment)",
        remedy: "Take care of that answer, and name its moment: --raised \(last.raised)", exit: .no)
    }
    if let other = found.compactMap(\.acknowledgedBy).first {
      throw Failure(response, inWords: "\(other) has taken care of it already", exit: .no)
    }
    let noted = try Failure.participating("alerts", seeing: Self.commands) {
      () throws(ParticipationError) -> Int in
      var count = 0
      for alert in found {
        let isNoted = try Alerts(own.database).acknowledge(alert, by: name, own.session)
        count += isNoted ? 1 : 0
      }
      return count
    }
    guard noted == found.count else {
      throw Failure(
        response, inWords: "It has changed meanwhile, and this was not noted",
        remedy: "See: auricle study alerts", exit: .no)
    }
  }

  private func message(to address: String, _ standing: Standing, isLate: Bool) -> Message {
    let study = standing.study
    // A header is one line.
    let title = study.title.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let lead =
      if !isLate {
        "An answer in a study must not wait: please get in touch with the person."
      } else if standing.isAhead {
        "An answer must not wait, and nobody has taken care of it yet. It was raised by a clock that is ahead of this "
          + "one, so nobody knows for how long it has waited."
      } else {
        "Nobody has taken care of an answer that must not wait, in the time that the study states."
      }
    return Message(
      to: address, subject: "\(isLate ? "Overdue: " : "")an answer in \(title) needs attention",
      text: """
        \(lead)

        Study: \(study.id), version \(study.version)
        Part:  \(standing.alert.enrolment)
        Given: \(standing.alert.raised)

        When you have taken care of it:
        auricle study acknowledge \(standing.alert.response) --raised \(standing.alert.raised) --by YOUR-NAME
        """)
  }
}

extension Alert {
  /// The same for an answer that is raised anew.
  fileprivate var key: [String] { [response, item] }
}
