import Acoustics
import Base

extension HearingTest: Procedure {
  /// Time of a tone, s: three pulses (ISO 8253-1: 1 to 2 s, from memory).
  public static let toneLength = 1.3
  /// Time from the beginning of a gap to that of the noise in the other ear, s (own choice: the output's ramp is open by then).
  public static let noiseDelay = 0.1

  /// The trial as a step: gap, tone or silence, and the noise in the other ear.
  public var nextStep: ProcedureStep? {
    next.map { trial in
      let stimulus = trial.level.map {
        Stimulus(plan.signal, trial.ear, frequency: trial.frequency, level: $0, duration: Self.toneLength)
      }
      let masker = trial.noise.map { noise in
        // Two edges of its own come before the tone.
        Stimulus(
          .narrowNoise, trial.ear.opposite, frequency: trial.frequency,
          level: noise + Stimulus.maskingCorrection(at: trial.frequency),
          duration: Self.toneLength + trial.gap - Self.noiseDelay)
      }
      return ProcedureStep(
        trial.number, [ProcedureStep.Cue(gap: trial.gap, stimulus, masker: masker)], .detection)
    }
  }

  /// Takes heard, not heard and interrupted; a trial that was interrupted is asked for anew.
  public mutating func take(_ answer: ProcedureAnswer) -> Bool {
    guard next != nil else { return false }
    switch answer {
    case .heard(let after): self.answer(.heard(after: after))
    case .notHeard: self.answer(.notHeard)
    case .interrupted: self.answer(.interrupted)
    default: return false
    }
    return true
  }

  /// The summary of a finished test.
  public var result: ProcedureResult? {
    HearingTestResult(self).map { ProcedureResult(hearingTest: HearingTestSummary($0)) }
  }
}

/// A hearing test's result as it is kept and told.
///
/// - Threads: any.
public struct HearingTestSummary: Sendable, Hashable, Codable {
  /// Outcome of one search.
  public struct Threshold: Sendable, Hashable, Codable {
    /// Ear that heard the tones.
    public let ear: Ear
    /// Hz.
    public let frequency: Double
    /// dB HL; nil: the answers contradicted each other.
    public let level: HearingLevel?
    /// False: nothing was heard up to that level.
    public let hasResponse: Bool
    /// True: the softest tone of the test was heard, so that the threshold lies there or below.
    public let isAtFloor: Bool
    /// Tones that were answered, silences aside; those that it took to find the noise count too.
    public let toneCount: Int
    /// Ends of the range that holds the threshold with a probability of 90 %, dB HL; nil: the method tells none.
    public let interval: [Double]?
    /// Effective level of the noise in the other ear, dB HL; nil: none was needed.
    public let noise: HearingLevel?
    /// True: the other ear may have heard the tone in spite of the noise.
    public let isInsufficientlyMasked: Bool
    /// True: a doubt of the test is about it; nil of a test by rules that did not tell it.
    public var isInDoubt: Bool?
    /// True of a search that heard nothing while the plug may have been out, or the earphone silent, by a doubt of the test; otherwise
    /// nil.
    public var isUnheardInDoubt: Bool?
  }

  /// Points of whole dB HL; a frequency whose answers contradict each other is left out.
  public let audiograms: BothEars
  /// Every search, in the order of the test.
  public let thresholds: [Threshold]
  /// Reasons for which the result is not to be relied on, sentences; none: it may be.
  public let doubts: [String]

  /// Audiograms of both ears; one that was not tested has no points.
  public struct BothEars: Sendable, Hashable, Codable {
    /// Of the left ear.
    public let left: Audiogram
    /// Of the right ear.
    public let right: Audiogram
  }

  /// Tells doubts, and frequencies that could not be masked, in sentences.
  public init(_ result: HearingTestResult) {
    audiograms = BothEars(left: result.audiograms.left, right: result.audiograms.right)
    thresholds = result.found.map { found in
      let (hasResponse, isAtFloor) =
        switch found.outcome {
        case .threshold: (true, false)
        case .atFloor: (true, true)
        case .noResponse, .unsettled: (false, false)
        }
      return Threshold(
        ear: found.ear, frequency: found.frequency, level: found.outcome.level, hasResponse: hasResponse,
        isAtFloor: isAtFloor, toneCount: found.toneCount,
        interval: found.interval.map { [$0.lowerBound, $0.upperBound] }, noise: found.noise,
        isInsufficientlyMasked: Self.isInsufficient(found.masking), isInDoubt: result.isInDoubt(found),
        isUnheardInDoubt: result.isUnheardInDoubt(found) ? true : nil)
    }
    let unmasked = Dictionary(grouping: thresholds.filter(\.isInsufficientlyMasked), by: \.ear)
    doubts =
      result.doubts.map(\.description)
      + unmasked.map { ear, found in
        "The other ear may have heard tones of the \(ear.rawValue) ear at "
          + found.map(\.frequency.shortText).joined(separator: ", ")
          + " Hz: no noise that may be played masks it."
      }.sorted()
  }

  private static func isInsufficient(_ masking: FoundThreshold.Masking) -> Bool {
    if case .insufficient = masking { true } else { false }
  }

  /// Reservations about some of its thresholds; nil: none. Of a test that did not tell which ones its doubts are about each doubt counts.
  public func reservation(about found: [Threshold]) -> ThresholdReservation? {
    ThresholdReservation(
      isOrBelow: found.contains(where: \.isAtFloor),
      isInDoubt: found.contains { $0.isInDoubt ?? ($0.isInsufficientlyMasked || !doubts.isEmpty) })
  }
}

extension HearingTestResult.Doubt: CustomStringConvertible {
  /// A sentence for the person who was tested.
  public var description: String {
    switch self {
    case .falseAlarms(let count, let silences):
      "The key was pressed in \(count) of \(silences) silences: thresholds may be higher than found."
    case .retest(let ear, let difference):
      "The \(ear.rawValue) ear's first tone came out \(difference.rounded().shortText) dB elsewhere when it was tested again."
    case .noResponse(let ear):
      "Not one tone was heard in the \(ear.rawValue) ear: look whether the earphone sits and plays."
    case .unsettled(let ear, let frequencies):
      "The answers of the \(ear.rawValue) ear contradict each other at "
        + frequencies.map(\.shortText).joined(separator: ", ") + " Hz."
    case .otherEarUnknown(let ear, let frequencies, let isTested):
      "The \(ear.opposite.rawValue) ear, whose threshold is not known there, may have heard sounds of the "
        + "\(ear.rawValue) ear at " + frequencies.map(\.shortText).joined(separator: ", ")
        + (isTested ? " Hz." : " Hz: test both ears there.")
    case .notMasked(let ear, let frequencies):
      "The \(ear.opposite.rawValue) ear may have heard noise of the \(ear.rawValue) ear at "
        + frequencies.map(\.shortText).joined(separator: ", ")
        + " Hz: a test by noise masks nothing, so test there by tones."
    case .atFloor(let ear, let frequencies, let highest):
      "The \(ear.rawValue) ear heard even the softest tone of this device, up to \(highest.decibels.rounded().shortText) dB HL, at "
        + frequencies.map(\.shortText).joined(separator: ", ")
        + " Hz: it may hear better there, so make no prescription from these thresholds; a device format of 24 bits reaches lower."
    case .unheardBetween(let ear, let frequencies):
      "The \(ear.rawValue) ear heard nothing at " + frequencies.map(\.shortText).joined(separator: ", ")
        + " Hz, and beside that tones more than \(HearingTestResult.greatestStep.shortText) dB softer: was the plug in? Test there again."
    }
  }
}
