/// One thing that a program decides.
///
/// - Threads: `any`.
public enum ProgramQuantity: String, Sendable, CaseIterable {
  case noiseReduction = "noise_reduction_db"
  case impulseSoftening = "impulse_softening_db"
  case windReduction = "wind_reduction_db"
  case expansion = "expansion_db"
  case feedbackCanceller = "feedback_canceller"
  case frequencyShift = "frequency_shift_hz"
  case howlNotch = "howl_notch"
  case attack = "attack_seconds"
  case release = "release_seconds"
  case averageAttack = "average_attack_seconds"
  case averageRelease = "average_release_seconds"
  case averageThreshold = "average_threshold_db"
  case binauralLink = "binaural_link"
  case compression = "compression_share"
  case gainAt250 = "gain_change_250_hz_db"
  case gainAt500 = "gain_change_500_hz_db"
  case gainAt1000 = "gain_change_1000_hz_db"
  case gainAt2000 = "gain_change_2000_hz_db"
  case gainAt4000 = "gain_change_4000_hz_db"

  /// How its number is read.
  public enum Unit: Sendable {
    /// A greatest effect or a change of gain, dB.
    case decibels
    case hertz
    case seconds
    /// 0…1.
    case share
    /// 1 is on, 0 is off.
    case isOn
  }

  public var unit: Unit {
    switch self {
    case .noiseReduction, .impulseSoftening, .windReduction, .expansion, .gainAt250, .gainAt500,
      .gainAt1000, .gainAt2000, .gainAt4000, .averageThreshold:
      .decibels
    case .frequencyShift: .hertz
    case .attack, .release, .averageAttack, .averageRelease: .seconds
    case .binauralLink, .compression: .share
    case .feedbackCanceller, .howlNotch: .isOn
    }
  }

  /// For people.
  public var name: String {
    switch self {
    case .noiseReduction: "noise reduction"
    case .impulseSoftening: "softening of clatter"
    case .windReduction: "wind relief"
    case .expansion: "expansion"
    case .feedbackCanceller: "feedback canceller"
    case .frequencyShift: "frequency shift"
    case .howlNotch: "howl notch"
    case .attack: "attack"
    case .release: "release"
    case .averageAttack: "average's attack"
    case .averageRelease: "average's release"
    case .averageThreshold: "peaks above average"
    case .binauralLink: "link of the ears"
    case .compression: "compression kept"
    case .gainAt250: "gain at 250 Hz"
    case .gainAt500: "gain at 500 Hz"
    case .gainAt1000: "gain at 1 kHz"
    case .gainAt2000: "gain at 2 kHz"
    case .gainAt4000: "gain at 4 kHz"
    }
  }

  /// The frequency whose gain it changes, Hz; nil: it is about something else.
  var frequency: Double? {
    switch self {
    case .gainAt250: 250
    case .gainAt500: 500
    case .gainAt1000: 1000
    case .gainAt2000: 2000
    case .gainAt4000: 4000
    default: nil
    }
  }
}
