public import Acoustics

/// Everything by which an audiogram becomes gain, as the audiologist decided it.
public struct FittingPlan: Sendable, Hashable {
  /// Where targets come from.
  public enum Target: Sendable, Hashable {
    /// A rule, applied to the audiogram.
    case rule(PrescribedRule)
    /// Numbers for each ear, with the name of the tool they come from, "NAL-NL2" for instance.
    case tables(Binaural<TargetTable>, source: String)
  }

  /// Shares of the prescribed gain accepted as adaptation.
  public static let adaptations = 0.5...1.0
  /// Output ceilings accepted, dB SPL.
  public static let outputCeilings = MaximumOutput.ceilings

  public let target: Target
  public let fineTuning: Binaural<FineTuning>
  /// Share of the gain that a new user begins with, 0.5…1; 1 for a user who is used to it. Applies to gain
  /// above 0 dB, after fine tuning.
  public let adaptation: Double
  /// No output above it, dB SPL.
  public let outputCeiling: SoundPressureLevel
  /// Where high sounds are moved to; nil: nowhere.
  public let lowering: Binaural<FrequencyLowering?>
  /// What a person with tinnitus hears beside the world; nil: nothing. No louder than ``outputCeiling``.
  public let tinnitusSound: Binaural<TinnitusSound?>

  /// Creates a plan.
  ///
  /// - Throws: ``FittingPlanError``.
  public init(
    target: Target, fineTuning: Binaural<FineTuning> = Binaural(both: .none), adaptation: Double = 1,
    outputCeiling: SoundPressureLevel = MaximumOutput.standard.ceiling,
    lowering: Binaural<FrequencyLowering?> = Binaural(both: nil),
    tinnitusSound: Binaural<TinnitusSound?> = Binaural(both: nil)
  ) throws(FittingPlanError) {
    if case .rule(let rule) = target, let ratio = rule.compressionRatio {
      guard NALRPCompressive.compressionRatios.contains(ratio) else {
        throw .compressionRatioOutOfRange(ratio)
      }
    }
    guard Self.adaptations.contains(adaptation) else { throw .adaptationOutOfRange(adaptation) }
    guard Self.outputCeilings.contains(outputCeiling) else {
      throw .outputCeilingOutOfRange(outputCeiling.decibels)
    }
    for ear in Ear.allCases {
      if let level = tinnitusSound[ear]?.level, level > outputCeiling {
        throw .tinnitusSoundAboveCeiling(level.decibels, ceiling: outputCeiling.decibels)
      }
    }
    self.target = target
    self.fineTuning = fineTuning
    self.adaptation = adaptation
    self.outputCeiling = outputCeiling
    self.lowering = lowering
    self.tinnitusSound = tinnitusSound
  }
}

/// Why decisions do not make a plan.
public enum FittingPlanError: Error, Equatable {
  /// Outside ``FittingPlan/adaptations``, or not a number.
  case adaptationOutOfRange(Double)
  /// Outside ``FittingPlan/outputCeilings``, or not a number; dB SPL.
  case outputCeilingOutOfRange(Double)
  /// Outside 1…3, or not a number.
  case compressionRatioOutOfRange(Double)
  /// Louder than the plan lets anything be; dB SPL.
  case tinnitusSoundAboveCeiling(Double, ceiling: Double)
}

extension FittingPlanError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .adaptationOutOfRange(let share):
      "adaptation of \(share.shortText): expected a share of 0.5 to 1"
    case .outputCeilingOutOfRange(let ceiling):
      "output ceiling of \(ceiling.shortText) dB SPL: expected 60 to 120 dB SPL"
    case .compressionRatioOutOfRange(let ratio): "compression ratio \(ratio.shortText): expected 1 to 3"
    case .tinnitusSoundAboveCeiling(let level, let ceiling):
      "tinnitus sound of \(level.shortText) dB SPL: expected at most the output ceiling, \(ceiling.shortText) dB SPL"
    }
  }
}
