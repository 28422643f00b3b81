/// How quickly gain follows level, and how far the two ears act as one.
///
/// - Threads: `any`.
public struct Dynamics: Sendable, Equatable {
  /// Attack time by the standard's step, s: from the step 55 → 90 dB SPL until the output stays within 3
  /// dB of its steady value (ANSI/ASA S3.22; the 3 dB from memory).
  public var attack: Double
  /// Release time by the standard's step, s: from the step 90 → 55 dB SPL until the output stays within 4
  /// dB of its steady value (ANSI/ASA S3.22; the 4 dB from memory).
  public var release: Double
  /// Share of the level difference between the ears that is taken out before gain is computed, 0...1: at 1
  /// both ears follow the louder one, so that compression leaves the difference between the ears as it is.
  public var binauralLink: Double

  /// Fastest attack that the level windows allow at every supported rate, and slowest that is any use, s.
  public static let attackRange = 0.005...2.0
  /// Release times accepted, s: shorter than 20 ms follows the waveform of low tones.
  public static let releaseRange = 0.02...10.0

  public init(attack: Double = 0.005, release: Double = 0.1, binauralLink: Double = 0) {
    self.attack = attack
    self.release = release
    self.binauralLink = binauralLink
  }
}
