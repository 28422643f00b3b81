public import Acoustics
import Fitting
import HearingDSP

/// Temporary changes of what is heard, for comparison by a developer or an audiologist.
///
/// They stand above the prescription and change nothing in it: output limits and the
/// ranges of volume and tone go on following from the thresholds and plan as prescribed, and the caution without a
/// calibration and the limit below feedback act after them.
///
/// - Threads: `any`.
public struct DebugSettings: Sendable, Hashable {
  /// A stage that can be left out; the raw value is its word.
  public enum Stage: String, Sendable, CaseIterable {
    case noiseReduction = "noise-reduction"
    case impulseSoftening = "impulse-softening"
    case windRelief = "wind-relief"
    /// Below the microphone's own noise.
    case expansion
    /// Without it gain is held to what is stable without it, where feedback was measured.
    case feedbackCanceller = "feedback-canceller"
    case frequencyLowering = "frequency-lowering"
    case tinnitusSound = "tinnitus-sound"
    /// Without it each band has at every level the gain for ordinary speech.
    case compression
    /// Without it attack and release alone follow the level.
    case slowAverage = "slow-average"
    case binauralLink = "binaural-link"
  }

  /// A number that can be set in place of the program's or the plan's; the raw value is its word.
  public enum Quantity: String, Sendable, CaseIterable {
    /// Of the compressor's fast half, s.
    case attack, release
    /// Of a rule that leaves it open.
    case compressionRatio = "compression-ratio"
    /// Greatest attenuation, dB.
    case noiseReduction = "noise-reduction"
    case impulseSoftening = "impulse-softening"
    case windRelief = "wind-relief"
    case expansion
    /// Share of the ears' level difference that is taken out.
    case binauralLink = "binaural-link"

    /// Unit of the number.
    public var unit: ProgramQuantity.Unit {
      switch self {
      case .attack, .release: .seconds
      case .compressionRatio, .binauralLink: .share
      case .noiseReduction, .impulseSoftening, .windRelief, .expansion: .decibels
      }
    }

    /// Numbers accepted.
    public var range: ClosedRange<Double> {
      switch self {
      case .attack: Dynamics.attackRange
      case .release: Dynamics.releaseRange
      case .compressionRatio: NALRPCompressive.compressionRatios
      case .noiseReduction: DebugSettings.noiseReductions
      case .impulseSoftening, .windRelief, .expansion: Treatment.effects
      case .binauralLink: 0...1
      }
    }
  }

  /// Changes of a threshold accepted, dB: two steps of a retest either way would be 10 dB; own choice.
  public static let thresholdChanges = -20.0...20.0
  /// Depths of noise reduction accepted, dB: up to the one with which the network was learnt (docs/noise.md).
  public static let noiseReductions = 0.0...16.0
  /// Greatest attenuation that makes two settings equally loud, dB. Own choice.
  public static let greatestAttenuation = 6.0

  /// Change of the threshold from which gain is made, dB, by the frequency of an air-conduction point, Hz.
  public var thresholds = Binaural<[Double: Double]>(both: [:])
  /// Numbers in place of the program's or the plan's; one out of range counts as the nearest.
  public var numbers: [Quantity: Double] = [:]
  /// Stages that are left out.
  public var stagesOff: Set<Stage> = []
  /// Attenuation of everything behind the limits of gain, dB, 0 to ``greatestAttenuation``.
  public var attenuation = 0.0

  /// Nothing is changed.
  public init() {}

  /// True when nothing is changed.
  public var isEmpty: Bool { self == DebugSettings() }

  /// The number of a quantity within its range; nil: as the program or the plan has it.
  subscript(quantity: Quantity) -> Double? {
    numbers[quantity].map { min(max($0, quantity.range.lowerBound), quantity.range.upperBound) }
  }
}
