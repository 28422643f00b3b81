import Base

/// The zones in which a person was and is, since when.
///
/// A time on the wall means the zone in which the person is when it comes. Where a journey makes it come twice, the first one counts; where
/// a journey leaves it out, it comes with the change of zones.
///
/// - Threads: any.
public struct ZoneHistory: Sendable, Hashable {
  /// A stay in a zone, up to the next.
  private struct Stay: Sendable, Hashable {
    let zone: Zone
    /// Nil: always.
    let from: Instant?
  }

  private var stays: [Stay]

  /// - Parameter zone: The zone up to the first change.
  public init(_ zone: Zone) { stays = [Stay(zone: zone, from: nil)] }

  /// Adds a change; one that is not after the last is left out, and so is one into the same zone.
  public mutating func move(to zone: Zone, at moment: Instant) {
    guard let last = stays.last, last.zone.name != zone.name, last.from.map({ $0 < moment }) ?? true else {
      return
    }
    stays.append(Stay(zone: zone, from: moment))
  }

  /// The zone at a moment.
  public func zone(at moment: Instant) -> Zone {
    (stays.last { $0.from.map { $0 <= moment } ?? true } ?? stays[0]).zone
  }

  /// The person's day at a moment.
  public func date(at moment: Instant) -> CalendarDate { zone(at: moment).local(at: moment).date }

  /// A time on the wall as it came.
  struct Coming: Hashable {
    let moment: Instant
    let zone: Zone
    let remark: Occurrence.Remark?
  }

  func coming(of local: LocalMoment) -> Coming {
    for (index, stay) in stays.enumerated() {
      let meaning = stay.zone.meaning(of: local)
      let (moment, remark): (Instant, Occurrence.Remark?) =
        switch meaning {
        case .one(let instant), .two(let instant, _): (instant, nil)
        case .none(let instant): (instant, .clocksSetForward)
        }
      let isReached = index + 1 == stays.count || stays[index + 1].from.map { moment < $0 } ?? true
      guard isReached else { continue }
      if let from = stay.from, moment < from {
        return Coming(moment: from, zone: stay.zone, remark: .zoneChanged)
      }
      return Coming(moment: moment, zone: stay.zone, remark: remark)
    }
    preconditionFailure("the last stay reaches every time")
  }
}
