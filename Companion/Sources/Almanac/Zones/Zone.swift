import Base

/// A place's clocks, past and to come.
///
/// - Threads: any.
public struct Zone: Sendable, Hashable {
  /// Such as `Europe/Berlin`.
  public let name: String
  private let file: ZoneFile

  /// - Parameters:
  ///   - name: Name in the zone database.
  ///   - content: Its TZif file.
  /// - Throws: ``ZoneError/unusable(_:reason:)``.
  public init(name: String, content: [UInt8]) throws(ZoneError) {
    self.name = name
    file = try ZoneFile(content, named: name)
  }

  /// Offset in force at a moment.
  public func offset(at instant: Instant) -> ZoneOffset { offset(at: instant.seconds) }

  /// The wall at a moment, to the second.
  public func local(at instant: Instant) -> LocalMoment {
    LocalMoment(universalSeconds: instant.seconds + offset(at: instant).seconds)
  }

  /// Moments that a time on the wall can be.
  public enum Meaning: Sendable, Hashable {
    case one(Instant)
    /// Clocks were set back over it: it comes twice.
    case two(Instant, Instant)
    /// Clocks were set forward over it: it never comes. The moment that it would be by the offset before.
    case none(Instant)
  }

  /// The moments of a time on the wall.
  public func meaning(of local: LocalMoment) -> Meaning {
    let wall = local.universalSeconds
    // No offset reaches beyond 26 hours (RFC 9636).
    let near = transitions(from: wall - 26 * 3600, to: wall + 26 * 3600)
    var offsets = [offset(at: wall - 26 * 3600)] + near.map(\.offset)
    let moments = Set(offsets.map { wall - $0.seconds }).sorted()
      .filter { offset(at: $0).seconds == wall - $0 }
      .map(Instant.init(seconds:))
    switch moments.count {
    case 0:
      let jump = near.firstIndex { wall < $0.seconds + $0.offset.seconds } ?? 0
      offsets.removeLast(offsets.count - 1 - jump)
      return .none(Instant(seconds: wall - (offsets.last?.seconds ?? 0)))
    case 1: return .one(moments[0])
    default: return .two(moments[0], moments[1])
    }
  }

  /// The moment of a time on the wall: the first of two, and where there is none the one by the offset before, as calendars do
  /// (RFC 5545, 3.3.5).
  public func instant(of local: LocalMoment) -> Instant {
    switch meaning(of: local) {
    case .one(let instant), .two(let instant, _), .none(let instant): instant
    }
  }

  /// Changes of the offset within a time, both ends included; an offset that stays the same counts as well.
  func transitions(from begin: Int, to end: Int) -> [ZoneTransition] {
    let listed = file.transitions.filter { begin...end ~= $0.seconds }
    guard let rule = file.rule else { return listed }
    let last = file.transitions.last?.seconds ?? Int.min
    let years =
      LocalMoment(universalSeconds: begin).date.year - 1...LocalMoment(universalSeconds: end).date.year + 1
    let ruled = years.flatMap { rule.transitions(in: $0) }
    return listed + ruled.filter { begin...end ~= $0.seconds && $0.seconds > last }
  }

  private func offset(at seconds: Int) -> ZoneOffset {
    let transitions = file.transitions
    if let rule = file.rule, seconds >= transitions.last?.seconds ?? Int.min {
      // The rule holds from the last transition on, whose offset it gives.
      return rule.offset(at: seconds)
    }
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].seconds <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? file.first : transitions[low - 1].offset
  }
}
