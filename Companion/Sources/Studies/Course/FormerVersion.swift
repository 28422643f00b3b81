import Almanac

/// Version of a study that somebody's part had before its present one.
public struct FormerVersion: Sendable {
  public let content: StudyContent
  /// Moment from which on the part has had the next version.
  public let until: Instant

  public init(_ content: StudyContent, until: Instant) { (self.content, self.until) = (content, until) }
}

extension Course {
  /// The same person's course by another version of the study.
  public func following(_ content: StudyContent) -> Course {
    Course(content, from: firstDate, seed: seed, in: zones, giving: kinds)
  }
}
