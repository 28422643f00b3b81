public import Acoustics

/// Octave-band levels of a room at which a hearing test finds thresholds down to 0 dB HL: maximum permissible ambient noise
/// levels (ANSI S3.1-1999, whose abstract lets them lift a threshold by 2 dB at most; docs/sources.md).
///
/// A test that need not go below X dB HL may be done in a room that is X dB louder. A microphone's own noise hides what is softer; there
/// nothing can be promised, and that is said.
///
/// - Threads: any.
public struct PermissibleAmbientLevels: Sendable, Hashable {
  /// Cover between the room and the ear.
  public enum Cover: Sendable, Hashable, Codable {
    /// Nothing, as with a loudspeaker or an open earphone.
    case uncovered
    /// An earphone on the ear.
    case supraAural
    /// An earphone in the ear canal.
    case insert
    /// An earphone of known attenuation in octave bands, dB by their middle, Hz. A band that it lacks counts as not attenuated.
    case attenuation([Double: Double])
  }

  let cover: Cover

  /// Levels of uncovered ears for tests from 250 to 8000 Hz, dB SPL by ``OctaveBandFilter/nominalCentres``
  /// (ANSI S3.1-1999, by TabSINT's source, docs/sources.md).
  private static let uncovered = [35.0, 21, 16, 13, 14, 11, 14]
  /// Of ears below supra-aural earphones, tests from 250 to 8000 Hz (from memory: the row above and the earphone's mean attenuation).
  private static let supraAural = [39.0, 25, 21, 26, 34, 37, 37]
  /// Lowest tone of the tests that the two rows above are for, Hz.
  public static let lowestTone = 250.0
  /// Levels of the band about 125 Hz for tests that have lower tones, dB SPL: of uncovered ears and of those below supra-aural earphones
  /// (ANSI S3.1-1999, tests from 125 to 8000 Hz, from memory). The bands above stay as they are.
  private static let lowTones = (uncovered: 29.0, supraAural: 35.0)
  /// Of ears with insert earphones, tests from 125 to 8000 Hz (from memory).
  private static let insert = [59.0, 53, 50, 47, 49, 50, 56]
  /// Distance above the microphone's own noise, dB, from which a level is the room's: both together are then 3 dB louder than the noise.
  static let margin = 3.0

  /// Limits of a room for ears that are covered like this.
  public init(_ cover: Cover) { self.cover = cover }

  /// Status of the figures for tests from 250 Hz up: provisional where they are from memory or from an attenuation that was not measured on
  /// this head. Those for lower tones are from memory.
  public var status: CalibrationStatus { cover == .uncovered ? .verified : .provisional }

  /// Greatest level of an octave band, dB SPL.
  ///
  /// - Parameters:
  ///   - centre: Middle of the band by its name, one of ``OctaveBandFilter/nominalCentres``, Hz.
  ///   - lowest: Lowest level that is to be tested.
  ///   - tone: Lowest tone that is to be tested, Hz.
  /// - Returns: Nil for another band.
  public func limit(
    ofBand centre: Double, testingDownTo lowest: HearingLevel = HearingLevel(0),
    tonesFrom tone: Double = lowestTone
  ) -> SoundPressureLevel? {
    guard let index = OctaveBandFilter.nominalCentres.firstIndex(of: centre) else { return nil }
    let isLow = tone < Self.lowestTone && centre < Self.lowestTone
    let uncovered = isLow ? Self.lowTones.uncovered : Self.uncovered[index]
    let limit =
      switch cover {
      case .uncovered: uncovered
      case .supraAural: isLow ? Self.lowTones.supraAural : Self.supraAural[index]
      case .insert: Self.insert[index]
      case .attenuation(let bands): uncovered + max(0, bands[centre] ?? 0)
      }
    return SoundPressureLevel(limit + lowest.decibels)
  }

  // MARK: - Judging a room

  /// Octave bands of a room as a microphone shows them.
  public struct Room: Sendable, Hashable, Codable {
    /// Levels, dB SPL by middle, Hz.
    public var levels: [Double: SoundPressureLevel]
    /// The microphone's own noise in the same bands; a band that it lacks cannot be told from noise.
    public var microphoneNoise: [Double: SoundPressureLevel]

    /// The verdict is unknown for a band without a level, unverifiable for one without the noise.
    public init(levels: [Double: SoundPressureLevel], microphoneNoise: [Double: SoundPressureLevel]) {
      (self.levels, self.microphoneNoise) = (levels, microphoneNoise)
    }
  }

  /// Thresholds at a frequency that a room lets a test find.
  public enum Verdict: Sendable, Hashable, Codable {
    /// Down to this level.
    case valid(downTo: HearingLevel)
    /// Down to this level; the microphone's own noise hides whether lower ones are valid, too.
    case unverifiable(below: HearingLevel)
    /// The band was not measured, or no limit is known of it.
    case unknown

    /// The level from which thresholds are valid; nil: none.
    public var lowest: HearingLevel? {
      switch self {
      case .valid(let level), .unverifiable(let level): level
      case .unknown: nil
      }
    }
  }

  /// Judges a room for tones of a frequency: by the octave band that has its name, or between two by the worse of both, which is what the
  /// louder one does to a tone at its edge (own choice).
  ///
  /// - Parameter frequency: Hz.
  public func verdict(at frequency: Double, in room: Room) -> Verdict {
    let centres = OctaveBandFilter.nominalCentres
    guard let below = centres.last(where: { $0 <= frequency }),
      let above = centres.first(where: { $0 >= frequency })
    else { return .unknown }
    let verdicts = Set([below, above]).map { verdict(ofBand: $0, for: frequency, in: room) }
    guard verdicts.count > 1 else { return verdicts[0] }
    guard let first = verdicts[0].lowest, let second = verdicts[1].lowest else { return .unknown }
    if first == second {
      // A level that one band hides is hidden.
      return verdicts.first { if case .unverifiable = $0 { true } else { false } } ?? verdicts[0]
    }
    return first > second ? verdicts[0] : verdicts[1]
  }

  /// True where thresholds at this frequency can be found down to a level.
  public func permits(_ frequency: Double, downTo lowest: HearingLevel, in room: Room) -> Bool {
    verdict(at: frequency, in: room).lowest.map { $0 <= lowest } ?? false
  }

  private func verdict(ofBand centre: Double, for tone: Double, in room: Room) -> Verdict {
    guard let limit = limit(ofBand: centre, tonesFrom: tone), let level = room.levels[centre],
      level.decibels.isFinite
    else { return .unknown }
    let lowest = HearingLevel(max(level - limit, Audiogram.levels.lowerBound.decibels))
    guard let noise = room.microphoneNoise[centre], level - noise >= Self.margin else {
      return .unverifiable(below: lowest)
    }
    return .valid(downTo: lowest)
  }
}
