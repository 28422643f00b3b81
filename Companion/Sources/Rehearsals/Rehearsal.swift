import Almanac
import Base
import Exchange
import Questionnaires
import Records
import SimulatedListeners
import Studies

/// A whole study in simulated time, by the same steps by which people take part in it: the course, the verbs of the records, the data set.
///
/// The same study, number of people and seed give the same data set to the byte.
public struct Rehearsal: Sendable {
  let content: StudyContent
  let version: StudyVersion
  let seed: UInt64
  let people: Int
  let zones: any ZoneSource
  /// Day on which the first person begins; one more begins on each of the days that follow, by turns over two weeks.
  let firstDate: CalendarDate

  public init(
    _ content: StudyContent, _ version: StudyVersion, people: Int, seed: UInt64,
    from firstDate: CalendarDate,
    zones: any ZoneSource = ZoneFolder()
  ) {
    (self.content, self.version, self.people) = (content, version, people)
    (self.seed, self.firstDate, self.zones) = (seed, firstDate, zones)
  }

  /// Reason why a rehearsal does not come to its end.
  public enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
    case zone(ZoneError)
    case record(ParticipationError)

    public var description: String {
      switch self {
      case .zone(let error): "\(error)"
      case .record(let error): "a step that the study calls for was not taken: \(error)"
      }
    }
  }

  /// Everything that came of it.
  public struct Outcome: Sendable {
    public let report: RehearsalReport
    public let dataSet: DataSet
  }

  /// Something of which the database has said that it is kept.
  public enum Acknowledged: Sendable, Hashable {
    case answer(response: String, item: String, isAlarming: Bool)
    /// The end of ``GivenMeasurement/id``.
    case measurement(String)
  }

  /// Runs it on a database without anybody in it.
  ///
  /// - Parameters:
  ///   - progress: Called with the number of people that are done.
  ///   - acknowledged: Called for each answer and each end of a measurement once it is kept.
  public func run(
    on database: any Database, progress: (Int) -> Void = { _ in },
    acknowledged: @escaping (Acknowledged) -> Void = { _ in }
  ) throws(Fault) -> Outcome {
    let beginning = Instant(seconds: (firstDate.dayNumber - 1) * 86_400)
    try Self.recording { () throws(ParticipationError) in
      try StudyVersions(database).keep(version, Session(subject: nil, at: beginning))
    }
    var courses: [PersonCourse.Outcome] = []
    for number in 0..<people {
      courses.append(try person(number, on: database, acknowledged))
      progress(number + 1)
    }
    let end = Instant(
      seconds: (firstDate.dayNumber + content.study.dayCount + Self.recruitmentDays + 2) * 86_400)
    let dataSet = DataSet(content, courses.compactMap(\.participant), made: end)
    return Outcome(report: RehearsalReport(content.study, courses), dataSet: dataSet)
  }

  /// Days over which people begin. Own choice.
  static let recruitmentDays = 14

  private func person(
    _ number: Int, on database: any Database, _ acknowledged: @escaping (Acknowledged) -> Void
  ) throws(Fault) -> PersonCourse.Outcome {
    let start = firstDate.adding(days: number % Self.recruitmentDays) ?? firstDate
    let home = Self.homes[number % Self.homes.count]
    var course = PersonCourse(
      number, content, version.sha256, from: start, at: try zone(home.name), away: try zone(home.away),
      PersonNumbers(seed: seed, person: number),
      // The four kinds of listeners come by turns within each kind of people.
      SimulatedMatcher(number / PersonKind.allCases.count, seed: PersonNumbers.listenerSeed(seed, number)),
      database, acknowledged)
    return try Self.recording { () throws(ParticipationError) in try course.run() }
  }

  /// Homes of people, by turns: zones with and without summer time, of whole, half and quarter hours. Of each, where
  /// its travellers go: nine hours away or more, whatever the clocks do.
  static let homes: [(name: String, away: String)] = [
    ("Europe/Berlin", "Pacific/Chatham"), ("America/New_York", "Asia/Kolkata"),
    ("Asia/Kolkata", "America/New_York"), ("Pacific/Chatham", "Europe/Berlin"),
    ("Australia/Lord_Howe", "America/New_York"),
  ]

  private func zone(_ name: String) throws(Fault) -> Zone {
    do throws(ZoneError) { return try zones.zone(name) } catch { throw .zone(error) }
  }

  private static func recording<Value>(
    _ body: () throws(ParticipationError) -> Value
  ) throws(Fault) -> Value {
    do throws(ParticipationError) { return try body() } catch { throw .record(error) }
  }
}
