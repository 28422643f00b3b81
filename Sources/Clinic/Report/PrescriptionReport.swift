public import Acoustics
import Fitting
import Prescriptions

/// Everything a prescription says, for people and programs: `auricle rx show --json`. Health data.
public struct PrescriptionReport: Sendable, Encodable {
  /// Whether the card can be believed.
  public struct Verdict: Sendable, Encodable {
    /// Whether the signature is a trusted clinic's and the card is valid now.
    public let isVerified: Bool
    /// Whose signature it is, or why it is not believed; one sentence.
    public let words: String
    /// Fingerprint of the key that signed it, in groups; nil when there is none.
    public let key: String?

    public init(isVerified: Bool, words: String, key: String?) {
      self.isVerified = isVerified
      self.words = words
      self.key = key
    }

    enum CodingKeys: String, CodingKey {
      case words, key
      case isVerified = "verified"
    }
  }

  /// One threshold.
  public struct Threshold: Sendable, Encodable {
    public let frequency: Double
    public let level: Double
    public let conduction: String
    public let isMasked: Bool
    public let isHeard: Bool

    enum CodingKeys: String, CodingKey {
      case conduction
      case frequency = "frequency_hz"
      case level = "threshold_db_hl"
      case isMasked = "masked"
      case isHeard = "response"
    }
  }

  /// What is wanted at one frequency.
  public struct Target: Sendable, Encodable {
    public let frequency: Double
    /// Insertion gains, dB.
    public let soft: Double
    public let ordinary: Double
    public let loud: Double
    /// dB SPL.
    public let maximumOutput: Double

    enum CodingKeys: String, CodingKey {
      case frequency = "frequency_hz"
      case soft = "gain_50_db"
      case ordinary = "gain_65_db"
      case loud = "gain_80_db"
      case maximumOutput = "maximum_output_db_spl"
    }
  }

  /// A change of the rule's gain by hand.
  public struct Tuning: Sendable, Encodable {
    public let frequency: Double
    public let soft: Double
    public let ordinary: Double
    public let loud: Double

    enum CodingKeys: String, CodingKey {
      case frequency = "frequency_hz"
      case soft = "change_50_db"
      case ordinary = "change_65_db"
      case loud = "change_80_db"
    }
  }

  /// Where high sounds are moved to.
  public struct Lowering: Sendable, Encodable {
    public let cutoff: Double
    public let ratio: Double
    /// For people.
    public let words: String

    enum CodingKeys: String, CodingKey {
      case ratio, words
      case cutoff = "cutoff_hz"
    }
  }

  /// What is heard beside the world.
  public struct Sound: Sendable, Encodable {
    /// `broadband`, `band` or `notched`.
    public let shape: String
    public let pitch: Double?
    public let width: Double?
    public let level: Double
    /// For people.
    public let words: String

    enum CodingKeys: String, CodingKey {
      case shape, words
      case pitch = "pitch_hz"
      case width = "width_octaves"
      case level = "level_db_spl"
    }
  }

  /// What is remarkable about the audiogram.
  public struct Finding: Sendable, Encodable {
    public let severity: String
    public let sentence: String
  }

  public let schema = 101
  public let verdict: Verdict?
  public let serial: Int
  public let supersedes: Int?
  public let environment: String
  public let givenName: String
  public let familyName: String
  public let birthDate: String
  public let reference: String?
  public let prescriber: String
  public let clinic: String
  /// Moments in UTC, ISO 8601.
  public let issued: String
  public let expires: String?
  public let trialEnds: String?
  /// `NAL-RP-compressive` or the tool that explicit targets come from.
  public let rule: String
  public let ruleVersion: Int?
  public let compressionRatio: Double?
  public let hasExplicitTargets: Bool
  /// Share of the gain a new user begins with.
  public let adaptation: Double
  public let outputCeiling: Double
  public let volume: [Double]
  public let tone: [Double]
  public let thresholds: Binaural<[Threshold]>
  public let fineTuning: Binaural<[Tuning]>
  /// Nil: nothing is moved.
  public let lowering: Binaural<Lowering?>
  /// Nil: nothing is added.
  public let tinnitusSound: Binaural<Sound?>
  public let targets: Binaural<[Target]>
  public let findings: [Finding]

  enum CodingKeys: String, CodingKey {
    case schema, verdict, serial, supersedes, environment, reference, prescriber, clinic, issued, expires
    case rule, adaptation, thresholds, targets, findings
    case givenName = "given_name"
    case familyName = "family_name"
    case birthDate = "birth_date"
    case trialEnds = "trial_ends"
    case ruleVersion = "rule_version"
    case compressionRatio = "compression_ratio"
    case hasExplicitTargets = "explicit_targets"
    case outputCeiling = "output_ceiling_db_spl"
    case volume = "volume_db"
    case tone = "tone_db"
    case fineTuning = "fine_tuning"
    case lowering = "frequency_lowering"
    case tinnitusSound = "tinnitus_sound"
  }
}
