/// Time on the wall minus UTC, as it is in force for a while.
public struct ZoneOffset: Sendable, Hashable {
  /// s, positive east of Greenwich.
  public let seconds: Int
  /// True while clocks are set forward.
  public let isDaylightSaving: Bool
  /// Such as "CEST", or "+1345" where there is none.
  public let abbreviation: String

  public init(seconds: Int, isDaylightSaving: Bool, abbreviation: String) {
    (self.seconds, self.isDaylightSaving, self.abbreviation) = (seconds, isDaylightSaving, abbreviation)
  }
}

/// A moment from which an offset is in force.
struct ZoneTransition: Sendable, Hashable {
  /// s since 1970-01-01T00:00:00Z.
  let seconds: Int
  let offset: ZoneOffset
}
