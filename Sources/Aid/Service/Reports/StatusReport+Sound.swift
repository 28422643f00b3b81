import Acoustics
import Control

extension StatusReport {
  /// What the devices granted.
  package struct Devices: Sendable, Codable, Hashable {
    package let capture: Stream
    package let playback: Stream

    /// One direction.
    package struct Stream: Sendable, Codable, Hashable {
      /// ALSA name as opened.
      package let name: String
      /// What the card calls itself.
      package let description: String?
      package let rate: Int
      package let channels: Int
      /// Sample format in ALSA's words, `S32_LE`.
      package let format: String
      package let period: Int
      package let periods: Int

      enum CodingKeys: String, CodingKey {
        case name, description, channels, format, periods
        case rate = "rate_hz"
        case period = "period_frames"
      }
    }
  }

  /// The prescription in force, in summary.
  package struct Fitting: Sendable, Codable, Hashable {
    /// Whether the aid amplifies at all.
    package let isFitted: Bool
    /// The rule's name; nil when not fitted.
    package let rule: String?
    package let compressionRatio: Double?
    /// Ears that have a prescription, `left`, `right`.
    package let ears: [String]
    package let bandCount: Int
    /// Level that the output never exceeds, dB SPL.
    package let maximumOutput: Double
    /// Greatest gain while nothing is calibrated, dB; nil: what the rule prescribes.
    package var gainCap: Double?
    /// Ears whose prescription moves high sounds down; nil: none.
    package var loweringEars: [String]?
    /// Ears to which a prescribed tinnitus sound is added; nil: none.
    package var tinnitusSoundEars: [String]?
    /// Ears that hear normally by their audiogram and get gain nevertheless; nil: none.
    package var needlessGainEars: [String]?

    enum CodingKeys: String, CodingKey {
      case rule, ears
      case isFitted = "fitted"
      case compressionRatio = "compression_ratio"
      case bandCount = "band_count"
      case maximumOutput = "maximum_output_db_spl"
      case gainCap = "gain_cap_db"
      case loweringEars = "frequency_lowering_ears"
      case tinnitusSoundEars = "tinnitus_sound_ears"
      case needlessGainEars = "needless_gain_ears"
    }
  }

  /// How far levels in this report can be trusted.
  package struct Calibration: Sendable, Codable, Hashable {
    package let microphone: End
    package let earphone: End

    package struct End: Sendable, Codable, Hashable {
      package let status: CalibrationStatus
      package let device: String?
      package let date: String?
    }
  }

  /// Delay from microphone to earphone.
  package struct Latency: Sendable, Codable, Hashable {
    /// From the devices' own delay figures, both directions, plus the chain's, s; nil until measured.
    package let loop: Double?
    /// The chain's own delay beyond its block, s.
    package let chain: Double

    enum CodingKeys: String, CodingKey {
      case loop = "loop_seconds"
      case chain = "chain_seconds"
    }
  }
}

extension Double {
  /// The number, unless it is infinite or none at all: JSON has neither.
  var finite: Double? { isFinite ? self : nil }
}
