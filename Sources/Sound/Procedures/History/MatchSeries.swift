/// Matches of one kind in one ear at one frequency, one after another, and how well they agree.
///
/// - Threads: any.
public struct MatchSeries: Sendable, Hashable, Codable {
  /// A match of the series.
  public struct Session: Sendable, Hashable, Codable {
    /// Its end, s since 1970-01-01 UTC.
    public let time: Double
    /// dB HL; octaves above 1 kHz for pitch; per cent of the usual loudness for inhibition.
    public let value: Double

    /// - Parameter value: Pitches in octaves, by which they differ, not in Hz.
    public init(time: Double, value: Double) { (self.time, self.value) = (time, value) }
  }

  /// In the order of time.
  public let sessions: [Session]

  /// - Parameter sessions: In any order.
  public init(_ sessions: [Session]) { self.sessions = sessions.sorted { $0.time < $1.time } }

  /// Standard deviation of a match about the person's own value, from the differences of matches that follow each other: the root of half
  /// their mean square (Bland & Altman 1996, BMJ 312:1654, from memory). Nil of one match.
  ///
  /// The first match is left out where there are three or more: people learn from it (Hoare et al. 2014, PLoS ONE 9:e114553).
  public var retestDeviation: Double? { Self.deviation(of: counted) }

  /// The same of matches that follow each other on one day of UTC; nil where no day has two.
  public var withinDay: Double? {
    let squares = days.flatMap { day in
      zip(day, day.dropFirst()).map { ($0.value - $1.value) * ($0.value - $1.value) }
    }
    return squares.isEmpty ? nil : (squares.reduce(0, +) / Double(squares.count) / 2).squareRoot()
  }

  /// The same of the days' means, one after another; nil of one day.
  public var betweenDays: Double? {
    Self.deviation(
      of: days.map { day in
        Session(time: day[0].time, value: day.reduce(0) { $0 + $1.value } / Double(day.count))
      })
  }

  /// Mean of the matches that count.
  public var mean: Double? {
    counted.isEmpty ? nil : counted.reduce(0) { $0 + $1.value } / Double(counted.count)
  }

  private var counted: [Session] { sessions.count > 2 ? Array(sessions.dropFirst()) : sessions }

  /// By days of UTC.
  private var days: [[Session]] {
    var days: [[Session]] = []
    for session in counted {
      if let last = days.last?.last,
        (last.time / 86_400).rounded(.down) == (session.time / 86_400).rounded(.down)
      {
        days[days.count - 1].append(session)
      } else {
        days.append([session])
      }
    }
    return days
  }

  private static func deviation(of sessions: [Session]) -> Double? {
    guard sessions.count > 1 else { return nil }
    let squares = zip(sessions, sessions.dropFirst()).map { ($0.value - $1.value) * ($0.value - $1.value) }
    return (squares.reduce(0, +) / Double(squares.count) / 2).squareRoot()
  }
}
