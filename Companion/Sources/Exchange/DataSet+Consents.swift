import Almanac
import Studies

extension DataSet {
  /// Consent as a person gave it.
  public struct GivenConsent: Sendable, Hashable {
    /// From 1 within the part.
    public let number: Int
    /// Study's version that it is to, and its SHA-256.
    public let version: String
    public let versionHash: String
    /// SHA-256 and language tag of the text that was shown.
    public let text: String
    public let language: String
    /// In the order in which they were set.
    public let ticks: [Tick]

    public init(
      number: Int, version: String, versionHash: String, text: String, language: String, ticks: [Tick]
    ) {
      (self.number, self.version, self.versionHash) = (number, version, versionHash)
      (self.text, self.language, self.ticks) = (text, language, ticks)
    }

    /// A kind of data, given or not from a moment on.
    public struct Tick: Sendable, Hashable {
      public let kind: String
      public let isGiven: Bool
      public let since: Instant
      public let zone: String

      public init(kind: String, isGiven: Bool, since: Instant, zone: String) {
        (self.kind, self.isGiven, self.since, self.zone) = (kind, isGiven, since, zone)
      }
    }
  }

  /// Every tick of every consent, also those that another one replaced: a study can be asked for what it was allowed when.
  var consentTable: Table {
    var table = Table(
      "consents",
      [
        .init("participant", .string, "code of the person"),
        .init("consent", .integer, "from 1: another follows when a material change was agreed to"),
        .init("version", .string, "version of the study that was agreed to"),
        .init("version_sha256", .string, "of the version"),
        .init("text_sha256", .string, "of the text that was shown"),
        .init("language", .string, "language of that text"),
        .init("kind", .string, "kind of data"),
        .init("given", .boolean, "true: the person gives it; the last row of a kind stands"),
        .init("since", .datetime, "moment from which on"),
        .init("zone", .string, "time zone where the person was"),
      ])
    for person in people {
      for consent in person.consents {
        for tick in consent.ticks {
          table.append([
            .text(person.code), .whole(consent.number), .words(consent.version),
            .words(consent.versionHash), .words(consent.text), .words(consent.language), .words(tick.kind),
            .flag(tick.isGiven), .text("\(tick.since)"), .words(tick.zone),
          ])
        }
      }
    }
    return table
  }
}

extension DataSet.Participant {
  /// The person without answers and measurements of kinds that they do not give, or give no longer. A task that no version knows any longer counts as not given.
  func withoutKeptBack(_ study: Study) -> DataSet.Participant {
    guard let kinds = course.kinds else { return self }
    let leaving = responses.filter { response in
      let task = OccurrenceName(response.given.occurrence).task
      return (response.kind ?? study.task(task)?.dataType).map(kinds.contains) ?? false
    }
    let measured = measurements.filter { run in
      let task = OccurrenceName(run.occurrence).task
      return (measuredKinds[run.id] ?? study.task(task)?.dataType).map(kinds.contains) ?? false
    }
    return DataSet.Participant(
      code: code, course: course, ended: ended, ending: ending, responses: leaving, consents: consents,
      measurements: measured, measuredKinds: measuredKinds, begun: begun, former: former)
  }
}
