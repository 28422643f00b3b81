/// How quickly gain follows level, and how far the two ears act as one.
///
/// - Threads: `any`.
public struct Dynamics: Sendable, Equatable {
  /// Attack time by the standard's step, s: from the step 55 → 90 dB SPL until the output stays within 3
  /// dB of its steady value (ANSI/ASA S3.22; the 3 dB from memory).
  public var attack: Double
  /// Release time by the standard's step, s: from the step 90 → 55 dB SPL until the output stays within 4
  /// dB of its steady value (ANSI/ASA S3.22; the 4 dB from memory). With an ``average``: after a sound too short
  /// to move that; after a long one ``SlowAverage/release`` counts.
  public var release: Double
  /// The slow average that sets gain while the momentary level does not exceed it by much; nil: ``attack`` and
  /// ``release`` alone.
  public var average: SlowAverage?
  /// Share of the level difference between the ears that is taken out before gain is computed, 0...1: at 1
  /// both ears follow the louder one, so that compression leaves the difference between the ears as it is.
  public var binauralLink: Double

  /// Fastest attack that the level windows allow at every supported rate, and slowest that is any use, s.
  public static let attackRange = 0.005...2.0
  /// Release times accepted, s: shorter than 20 ms follows the waveform of low tones.
  public static let releaseRange = 0.02...10.0

  /// Two speeds, for speech: fast 5 and 80 ms, slow 325 ms and 1 s, 8 dB between them (dual front-end AGC, see
  /// ``SlowAverage``).
  public static let speech = Dynamics(attack: 0.005, release: 0.08, average: SlowAverage())

  /// Two speeds, for music: slow 1 s and 3 s (an app's choice for music is 3 s), and the fast half only where a
  /// beat stands 12 dB above the average, own choice.
  public static let music = Dynamics(
    attack: 0.01, release: 0.15, average: SlowAverage(attack: 1, release: 3, threshold: 12))

  public init(
    attack: Double = 0.005, release: Double = 0.1, average: SlowAverage? = nil, binauralLink: Double = 0
  ) {
    self.attack = attack
    self.release = release
    self.average = average
    self.binauralLink = binauralLink
  }

  /// Release that a measurement by the standard finds, s: its 90 dB SPL last long enough to move the average.
  public var standardRelease: Double { average?.release ?? release }

  /// Refuses what the chain cannot reach.
  func check() throws(ChainError) {
    guard Self.attackRange.contains(attack) else {
      throw .timeOutOfRange(name: "attack", found: attack, range: Self.attackRange)
    }
    guard Self.releaseRange.contains(release) else {
      throw .timeOutOfRange(name: "release", found: release, range: Self.releaseRange)
    }
    guard (0...1).contains(binauralLink) else {
      throw .shareOutOfRange(name: "binaural link", found: binauralLink)
    }
    try average?.check(against: self)
  }
}
