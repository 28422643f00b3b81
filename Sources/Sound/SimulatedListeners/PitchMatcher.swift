import Glibc

/// Somebody who says which of two tones is closer to their tinnitus, and may hear the whole search an octave off.
///
/// - Threads: any.
package struct PitchMatcher: Sendable {
  /// Pitch of the tinnitus, Hz.
  package let pitch: Double
  /// Pitch that is sought, Hz: another than ``pitch`` of who confuses octaves.
  package let heard: Double
  /// Comparisons after which two tones an octave apart are compared as such: compared directly, most know it.
  private static let searchCount = 7

  package init(pitch: Double, heard: Double? = nil) { (self.pitch, self.heard) = (pitch, heard ?? pitch) }

  /// True when the two are an octave apart, at the end of a search.
  package static func isOctave(_ lower: Double, _ upper: Double, after count: Int) -> Bool {
    abs(upper / lower - 2) < 1e-9 && count >= searchCount
  }

  /// - Parameters:
  ///   - lower: Hz.
  ///   - upper: Hz.
  ///   - count: Comparisons before.
  package func isUpperCloser(_ lower: Double, _ upper: Double, after count: Int) -> Bool {
    let target = Self.isOctave(lower, upper, after: count) ? pitch : heard
    return abs(log2(upper / target)) < abs(log2(lower / target))
  }
}
