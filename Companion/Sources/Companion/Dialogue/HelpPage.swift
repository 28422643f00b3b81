import Base
import Records
import Studies

/// The page that comes next after an answer that must not wait, before all that is due, until somebody has seen it.
public struct HelpPage: Sendable {
  public let text: String
  /// Alerts of which it was not shown.
  public let alerts: [Alert]

  /// - Parameter alerts: All of the person's.
  /// - Returns: Nil where it was shown for each of them.
  init?(_ text: String, for alerts: [Alert]) {
    let waiting = alerts.filter { $0.helpSeen == nil }
    guard !waiting.isEmpty else { return nil }
    (self.text, self.alerts) = (text, waiting)
  }

  /// Shows it, and keeps that it was shown once the person has gone on from it.
  ///
  /// Nobody goes on from it by what was meant for another question: a line of a file is not read, and what was typed
  /// before the page came is dropped.
  ///
  /// - Parameter onScreen: Runs while the page is there, before the person goes on from it.
  /// - Returns: False where nobody was there to see it: it comes again.
  func show(
    to person: any Asking, _ database: any Database, _ session: () -> Session,
    onScreen: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    person.say("\n" + text + "\n")
    try onScreen()
    guard person.isPresent else {
      person.say("Nobody is at a terminal to go on from this page; it comes again there.\n")
      return false
    }
    person.dropTyped()
    guard try person.ask("Press Enter to go on > ") != nil else { return false }
    try wasShown(database, session())
    return true
  }

  /// Keeps that it was shown.
  func wasShown(_ database: any Database, _ session: Session) throws(Failure) {
    try Failure.participating("not saved") { () throws(ParticipationError) in
      for alert in alerts { try Alerts(database).helpWasShown(alert, session) }
    }
  }

  /// Words for a person whose study brings no page of its own.
  static let standard = """
    You have said that you have thoughts of being better off dead or of hurting yourself.
    You do not have to be alone with that. Please speak to somebody now: a person close to you, your doctor,
    or the emergency number (112 in Europe, 988 in the United States).
    """
}

extension StudyBundle {
  /// The study's own help page in a language, or the program's.
  func helpText(in language: String) -> String {
    study.helpText.flatMap { text($0, in: language) } ?? HelpPage.standard
  }
}

extension Part {
  /// The study's own help page in a language, or the program's.
  public func helpText(in language: String) -> String { bundle.helpText(in: language) }
}

extension OwnParts {
  /// The help page that waits, of whichever part, also of one that has ended; nil where none does.
  public func helpPage() throws(Failure) -> (page: HelpPage, part: Part)? {
    let alerts = try Failure.participating("alerts") { () throws(ParticipationError) in
      try Alerts(database).all(session)
    }
    guard alerts.contains(where: { $0.helpSeen == nil }) else { return nil }
    let parts: [Part]
    do throws(Failure) { parts = try all() } catch {
      guard notesJourneys, error.exitStatus != .unavailable else { throw error }
      parts = try unnoted.all()
    }
    for part in parts {
      let own = alerts.filter { $0.enrolment == part.enrolment.id }
      if let page = HelpPage(part.helpText(in: surroundings.language), for: own) { return (page, part) }
    }
    return nil
  }

  /// Shows the help page that waits, if one does, before anything else.
  ///
  /// - Parameter onScreen: Runs while the page is there, before the person goes on from it.
  /// - Returns: False where nobody was there to see it.
  public func showHelp(
    to person: any Asking, onScreen: () throws(Failure) -> Void = {}
  ) throws(Failure) -> Bool {
    while let (page, _) = try helpPage() {
      guard try page.show(to: person, database, { session }, onScreen: onScreen) else { return false }
    }
    return true
  }
}
