import Almanac
import Base
import Instruments
import Questionnaires
import Studies

/// Everything that people gave in a study, as a researcher takes it: tables, their dictionary, and the answers as FHIR has them.
public struct DataSet: Sendable {
  /// One person with all that they have given.
  public struct Participant: Sendable {
    /// Code in the data set, never a name.
    public let code: String
    public let course: Course
    /// Beginning of the part; nil: before day 1.
    public let begun: Instant?
    /// Versions of the study that the part had before that of ``course``, the first first.
    public let former: [FormerVersion]
    public let ended: Instant?
    public let ending: String?
    public let responses: [GivenResponse]
    /// None where the study asks for no consent.
    public let consents: [GivenConsent]
    public let measurements: [GivenMeasurement]
    /// Kind of data of each measurement in the version under which it was begun; that of the present version stands for one that is not here.
    public let measuredKinds: [String: String]

    public init(
      code: String, course: Course, ended: Instant?, ending: String?, responses: [GivenResponse],
      consents: [GivenConsent] = [], measurements: [GivenMeasurement] = [],
      measuredKinds: [String: String] = [:], begun: Instant? = nil, former: [FormerVersion] = []
    ) {
      (self.measuredKinds, self.begun, self.former) = (measuredKinds, begun, former)
      (self.code, self.course, self.ended, self.ending) = (code, course, ended, ending)
      (self.responses, self.consents, self.measurements) = (responses, consents, measurements)
    }
  }

  /// Answers to one questionnaire with their times.
  public struct GivenResponse: Sendable {
    public let id: String
    public let given: GivenAnswers
    public let zone: String
    public let begun: Instant
    public let completed: Instant?
    /// Version of the study under which it was begun; nil: the data set's.
    public let version: String?
    /// ``DataType/id`` that its task had in that version; nil: that of the data set's.
    public let kind: String?
    /// End of the window in which it was begun, whatever window a later version has; nil: that of its occurrence.
    public let closes: Instant?

    public init(
      id: String, given: GivenAnswers, zone: String, begun: Instant, completed: Instant?,
      version: String? = nil, kind: String? = nil, closes: Instant? = nil
    ) {
      (self.id, self.given, self.zone, self.begun, self.completed) = (id, given, zone, begun, completed)
      (self.version, self.kind, self.closes) = (version, kind, closes)
    }
  }

  public let content: StudyContent
  public let people: [Participant]
  /// The same people in the same order with all that they have given, by which due and done are counted: answers
  /// that are kept back call for modules too. In no other table.
  private let unfiltered: [Participant]
  /// Moment at which it was made.
  public let made: Instant

  /// True when it has kinds of data as well that people do not give: for the person themselves alone.
  public let hasEverything: Bool

  /// - Parameter everything: ``hasEverything``; by default kinds of data that somebody does not give do not leave.
  public init(_ content: StudyContent, _ people: [Participant], made: Instant, everything: Bool = false) {
    (self.content, self.made, hasEverything) = (content, made, everything)
    self.people = everything ? people : people.map { $0.withoutKeptBack(content.study) }
    unfiltered = people
  }

  /// Files by their names, the same for the same data.
  public var files: [(name: String, text: String)] {
    let tables =
      [peopleTable, consentTable, answerTable] + derivedTables + [scoreTable] + measurementTables
    return tables.map { ($0.name + ".csv", $0.csv) } + [
      ("responses.ndjson", fhirLines), ("datapackage.json", package(tables).minified + "\n"),
    ]
  }

  // MARK: - Tables

  private var peopleTable: Table {
    var table = Table(
      "people",
      [
        .init("participant", .string, "code of the person"),
        .init("first_date", .date, "day 1, where the person was"),
        .init("day", .integer, "day of the study at which the data set was made"),
        .init(
          "due", .integer,
          "questionnaires and measurements that were due and are over, also modules that were called for and never begun"
        ),
        .init("done", .integer, "of these, done"),
        .init(
          "ending", .string,
          "completed: ended after the study's days with nothing open; withdrawn: before; missing: goes on"),
        .init("ended", .datetime, "moment of the ending"),
      ])
    for (person, all) in zip(people, unfiltered) {
      let compliance = Compliance(all, at: person.ended ?? made)
      table.append([
        .text(person.code), .text("\(person.course.firstDate)"),
        .whole(min(person.course.day(at: person.ended ?? made), content.study.dayCount)),
        .whole(compliance.due), .whole(compliance.done), .text(person.ending),
        .text(person.ended.map { "\($0)" }),
      ])
    }
    return table
  }

  // MARK: - FHIR

  private var fhirLines: String {
    people.flatMap { person in
      person.responses.compactMap { response -> String? in
        guard let outline = response.given.outline(in: content) else { return nil }
        return Display(outline, response.given.sheet)
          .fhirResponse(
            id: response.id, of: person.code, at: response.given.occurrence, begun: response.begun,
            completed: response.completed
          ).minified + "\n"
      }
    }.joined()
  }
}
