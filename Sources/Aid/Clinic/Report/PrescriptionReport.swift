import Acoustics
import Fitting
import Prescriptions

/// Everything a prescription says, for people and programs: `auricle rx show --json`. Health data.
package struct PrescriptionReport: Sendable, Encodable {
  /// Whether the card can be believed.
  package struct Verdict: Sendable, Encodable {
    /// Whether the signature is a trusted clinic's and the card is valid now.
    package let isVerified: Bool
    /// Whose signature it is, or why it is not believed; one sentence.
    package let words: String
    /// Fingerprint of the key that signed it, in groups; nil when there is none.
    package let key: String?

    package init(isVerified: Bool, words: String, key: String?) {
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
  package struct Threshold: Sendable, Encodable {
    package let frequency: Double
    package let level: Double
    package let conduction: String
    package let isMasked: Bool
    package let isHeard: Bool

    enum CodingKeys: String, CodingKey {
      case conduction
      case frequency = "frequency_hz"
      case level = "threshold_db_hl"
      case isMasked = "masked"
      case isHeard = "response"
    }
  }

  /// What is wanted at one frequency.
  package struct Target: Sendable, Encodable {
    package let frequency: Double
    /// Insertion gains, dB.
    package let soft: Double
    package let ordinary: Double
    package let loud: Double
    /// dB SPL.
    package let maximumOutput: Double

    enum CodingKeys: String, CodingKey {
      case frequency = "frequency_hz"
      case soft = "gain_50_db"
      case ordinary = "gain_65_db"
      case loud = "gain_80_db"
      case maximumOutput = "maximum_output_db_spl"
    }
  }

  /// A change of the rule's gain by hand.
  package struct Tuning: Sendable, Encodable {
    package let frequency: Double
    package let soft: Double
    package let ordinary: Double
    package let loud: Double

    enum CodingKeys: String, CodingKey {
      case frequency = "frequency_hz"
      case soft = "change_50_db"
      case ordinary = "change_65_db"
      case loud = "change_80_db"
    }
  }

  /// Where high sounds are moved to.
  package struct Lowering: Sendable, Encodable {
    package let cutoff: Double
    package let ratio: Double
    /// For people.
    package let words: String

    enum CodingKeys: String, CodingKey {
      case ratio, words
      case cutoff = "cutoff_hz"
    }
  }

  /// What is heard beside the world.
  package struct Sound: Sendable, Encodable {
    /// `broadband`, `band` or `notched`.
    package let shape: String
    package let pitch: Double?
    package let width: Double?
    package let level: Double
    /// For people.
    package let words: String

    enum CodingKeys: String, CodingKey {
      case shape, words
      case pitch = "pitch_hz"
      case width = "width_octaves"
      case level = "level_db_spl"
    }
  }

  /// What is remarkable about the audiogram.
  package struct Finding: Sendable, Encodable {
    package let severity: String
    package let sentence: String
  }

  package let schema = 101
  package let verdict: Verdict?
  package let serial: Int
  package let supersedes: Int?
  package let environment: String
  package let givenName: String
  package let familyName: String
  package let birthDate: String
  package let reference: String?
  package let prescriber: String
  package let clinic: String
  /// Moments in UTC, ISO 8601.
  package let issued: String
  package let expires: String?
  package let trialEnds: String?
  /// `NAL-RP-compressive` or the tool that explicit targets come from.
  package let rule: String
  package let ruleVersion: Int?
  package let compressionRatio: Double?
  package let hasExplicitTargets: Bool
  /// Share of the gain a new user begins with.
  package let adaptation: Double
  package let outputCeiling: Double
  package let volume: [Double]
  package let tone: [Double]
  package let thresholds: Binaural<[Threshold]>
  package let fineTuning: Binaural<[Tuning]>
  /// Nil: nothing is moved.
  package let lowering: Binaural<Lowering?>
  /// Nil: nothing is added.
  package let tinnitusSound: Binaural<Sound?>
  package let targets: Binaural<[Target]>
  package let findings: [Finding]

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
