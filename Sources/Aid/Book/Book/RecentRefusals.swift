import Prescriptions

/// Refusals that the trail holds from the last day, so that nobody can fill the disk with them.
struct RecentRefusals {
  /// Greatest number noted within each time, s: enough to see that somebody tries, and about 20 kB a day at most. Own choice.
  private static let limits = [(count: 20, seconds: 600), (count: 60, seconds: 86_400)]

  private var moments: [Instant] = []
  /// Moment of the last event.
  private var latest: Instant?

  /// Counts an event that is a refusal, and forgets what no limit asks for.
  mutating func take(_ event: BookEvent) {
    if event.change == .clockCorrected { correctClock(to: event.moment) }
    latest = event.moment
    guard event.change.isRefusal else { return }
    moments.removeAll { moment in Self.limits.allSatisfy { event.moment - moment >= $0.seconds } }
    moments.append(event.moment)
  }

  /// Refusals keep their age, as trials keep the rest of their time: they would lie ahead otherwise, and count until then.
  private mutating func correctClock(to corrected: Instant) {
    guard let latest else { return }
    moments = moments.map { $0 + (corrected - latest) }
  }

  /// True when one more may be noted.
  func hasRoom(at now: Instant) -> Bool {
    Self.limits.allSatisfy { limit in moments.count { now - $0 < limit.seconds } < limit.count }
  }
}

extension BookChange {
  fileprivate var isRefusal: Bool {
    switch self {
    case .refused, .noted(.callRefused, _): true
    default: false
    }
  }
}
