public import Acoustics
import Base

/// Insertion gain and maximum output of one ear as numbers, from a tool whose rule is not public (NAL-NL2,
/// DSL v5) or by the audiologist's own hand.
public struct TargetTable: Sendable, Hashable {
  /// Targets at one frequency.
  public struct Point: Sendable, Hashable {
    /// Hz, 125…16000.
    public var frequency: Double
    /// Insertion gain for speech at ``SpeechLevel``, dB.
    public var gains: SpeechLevels<Double>
    /// Greatest output, dB SPL; nil: that of the stated rule.
    public var maximumOutput: SoundPressureLevel?

    /// Targets at one frequency.
    public init(frequency: Double, gains: SpeechLevels<Double>, maximumOutput: SoundPressureLevel? = nil) {
      (self.frequency, self.gains, self.maximumOutput) = (frequency, gains, maximumOutput)
    }
  }

  /// Frequencies accepted, Hz.
  public static let frequencies = Audiogram.frequencies
  /// Gains accepted, dB: more than 75 dB is beyond every aid, and an aid that attenuates by more than 20 dB
  /// is an ear plug.
  public static let gains = -20.0...75.0
  /// Greatest outputs accepted, dB SPL.
  public static let maximumOutputs = MaximumOutput.ceilings
  /// Most points a table may have.
  public static let greatestCount = 20

  /// One to twenty points, strictly increasing in frequency; none in ``none``.
  public let points: [Point]

  /// Table of an ear for which there are no targets, and which gets no gain but that of its fine tuning.
  public static let none = TargetTable(checked: [])

  private init(checked points: [Point]) { self.points = points }

  /// Creates a table.
  ///
  /// - Throws: ``FittingError`` naming a bad point.
  public init(points: [Point]) throws(FittingError) {
    guard 1...Self.greatestCount ~= points.count else {
      throw .notAccepted(
        "\(points.count) frequencies in a table of targets", expected: "1 to \(Self.greatestCount)")
    }
    try FittingError.check(points.map(\.frequency), of: "target")
    for point in points {
      let place = "at \(point.frequency.shortText) Hz"
      for level in SpeechLevel.allCases where !Self.gains.contains(point.gains[level]) {
        throw .notAccepted(
          "gain of \(point.gains[level].shortText) dB \(place) for speech at \(level.rawValue) dB SPL",
          expected: "-20 to 75 dB")
      }
      if let output = point.maximumOutput, !Self.maximumOutputs.contains(output) {
        throw .notAccepted(
          "maximum output of \(output.decibels.shortText) dB SPL \(place)", expected: "60 to 120 dB SPL")
      }
    }
    self.points = points
  }
}

/// Overall level of the speech that a target is for: soft, ordinary, loud. The three at which targets are
/// shown and verified (ANSI S3.46 and IEC 61669 measurements are usually made at them; from memory).
public enum SpeechLevel: Int, Sendable, CaseIterable {
  case soft = 50
  case ordinary = 65
  case loud = 80

  /// Long-term level of the speech.
  public var level: SoundPressureLevel { SoundPressureLevel(Double(rawValue)) }
}

/// One value for each speech level.
public struct SpeechLevels<Value: Sendable & Hashable>: Sendable, Hashable {
  /// Value for speech at 50 dB SPL.
  public var soft: Value
  /// Value for speech at 65 dB SPL.
  public var ordinary: Value
  /// Value for speech at 80 dB SPL.
  public var loud: Value

  /// A value for each speech level.
  public init(soft: Value, ordinary: Value, loud: Value) {
    (self.soft, self.ordinary, self.loud) = (soft, ordinary, loud)
  }

  /// The same value for all.
  public init(all value: Value) { self.init { _ in value } }

  /// Makes the value of each speech level.
  public init(_ make: (SpeechLevel) -> Value) {
    self.init(soft: make(.soft), ordinary: make(.ordinary), loud: make(.loud))
  }

  /// Value for one speech level.
  public subscript(level: SpeechLevel) -> Value {
    switch level {
    case .soft: soft
    case .ordinary: ordinary
    case .loud: loud
    }
  }
}

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
struct ExplicitTargets: FittingRule, Hashable {
  /// Gain lost per dB below the expansion knee, dB: expansion ratio 1.5.
  static let expansion = 0.5

  /// Targets of the ear.
  let table: TargetTable
  /// Source of the numbers, "NAL-NL2" for instance.
  let source: String

  var name: String { "\(source), targets as given" }

  /// One curve per band; the audiogram plays no part, it has played it where the numbers were made.
  func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
    bands.centres.indices.map { band in
      let gains = insertionGains(at: bands.centres[band])
      let speech = bands.speechLevel(inBand: band, overall: SpeechLevel.ordinary.level)
      guard speech.decibels.isFinite else { return GainCurve(unchangingGain: gains.ordinary) }
      return Self.curve(gains, speech: speech.decibels)
    }
  }

  /// The table at any frequency, dB.
  func insertionGains(at frequency: Double) -> SpeechLevels<Double> {
    SpeechLevels { level in
      LogFrequencyTable(
        [NALR.lowestFrequency] + table.points.map(\.frequency), [0] + table.points.map { $0.gains[level] }
      ).held(at: frequency)
    }
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
