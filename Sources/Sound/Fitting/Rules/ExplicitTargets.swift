public import Acoustics

/// Gain by a table of numbers, as another tool computed them or the audiologist typed them.
///
/// Decided here:
/// * The gain for speech at 50, 65 and 80 dB SPL holds at the band's own level in such speech
///   (``LongTermAverageSpeechSpectrum``); between, it is linear in dB over dB.
/// * Between frequencies gains are linear in dB over log frequency; below the first they fall to 0 dB at
///   50 Hz; above the last they are held.
/// * Below soft speech the gain is held, for a table says nothing of it, until 12 dB below the band level
///   of speech at 40 dB SPL; from there what gain there is falls by half a dB per dB to 0 dB, as in
///   ``NALRPCompressive``.
/// * Above loud speech gain that falls from 65 to 80 dB goes on falling, at most 1 dB per dB, to 0 dB;
///   other gain is held.
/// * Numbers below 0 dB are kept: the table says so.
/// * A band without speech power (entirely outside 56 Hz–17.8 kHz) keeps the gain for ordinary speech.
public struct ExplicitTargets: FittingRule, Hashable {
  /// Gain lost per dB below the expansion knee, dB: expansion ratio 1.5.
  static let expansion = 0.5

  /// Targets of the ear.
  public let table: TargetTable
  /// Source of the numbers, "NAL-NL2" for instance.
  public let source: String

  /// A rule that returns the targets of a table.
  public init(_ table: TargetTable, source: String) {
    self.table = table
    self.source = source
  }

  public var name: String { "\(source), targets as given" }

  /// One curve per band; the audiogram plays no part, it has played it where the numbers were made.
  public func curves(
    for audiogram: Audiogram, bands: BandLayout
  ) throws(FittingError) -> [GainCurve] {
    bands.centres.indices.map { band in
      let gains = insertionGains(at: bands.centres[band])
      let speech = bands.speechLevel(inBand: band, overall: SpeechLevel.ordinary.level)
      guard speech.decibels.isFinite else { return GainCurve(unchangingGain: gains.ordinary) }
      return Self.curve(gains, speech: speech.decibels)
    }
  }

  /// The table at any frequency, dB.
  public func insertionGains(at frequency: Double) -> SpeechLevels<Double> {
    var gains = SpeechLevels(all: 0.0)
    for level in SpeechLevel.allCases {
      let column = LogFrequencyTable(
        [NALFrequencies.lowestFrequency] + table.points.map(\.frequency),
        [0] + table.points.map { $0.gains[level] })
      gains[level] = column.held(at: frequency)
    }
    return gains
  }

  /// The curve of one band whose level in ordinary speech is `speech`, dB SPL.
  static func curve(_ gains: SpeechLevels<Double>, speech: Double) -> GainCurve {
    let level = { (wanted: SpeechLevel) in speech + (wanted.level - SpeechLevel.ordinary.level) }
    var knots = SpeechLevel.allCases.map {
      GainCurve.Knot(level: SoundPressureLevel(level($0)), gain: gains[$0])
    }
    if gains.soft > 0 {
      let knee =
        speech - (SpeechLevel.ordinary.level - NALRPCompressive.kneeSpeechLevel)
        - NALRPCompressive.standard.expansionDepth
      knots.insert(.init(level: SoundPressureLevel(knee), gain: gains.soft), at: 0)
      knots.insert(.init(level: SoundPressureLevel(knee - gains.soft / expansion), gain: 0), at: 0)
    }
    let slope = max(-1, (gains.loud - gains.ordinary) / (level(.loud) - level(.ordinary)))
    if gains.loud > 0, slope < 0 {
      knots.append(.init(level: SoundPressureLevel(level(.loud) - gains.loud / slope), gain: 0))
    }
    return GainCurve(checked: knots)
  }
}
