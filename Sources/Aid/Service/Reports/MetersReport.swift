import Acoustics

/// What moves: levels, gains, load and mishaps.
package struct MetersReport: Sendable, Codable, Equatable {
  package let left: Ear
  package let right: Ear
  package let load: Load
  package let xruns: Xruns

  /// One ear.
  package struct Ear: Sendable, Codable, Equatable {
    /// Level at the microphone, dB SPL; nil in silence.
    package let inputLevel: Double?
    /// How far ``inputLevel`` can be trusted.
    package let inputCalibration: CalibrationStatus
    /// Level in the ear, dB SPL; nil in silence.
    package let outputLevel: Double?
    /// How far ``outputLevel`` can be trusted.
    package let outputCalibration: CalibrationStatus
    /// Gain now, by band.
    package let bands: [Band]
    package let limiter: Limiter
    package let clipping: Clipping
    /// Samples that were infinite or not a number, since the start.
    package let nonFiniteSamples: UInt64

    enum CodingKeys: String, CodingKey {
      case bands, limiter, clipping
      case inputLevel = "input_level_db_spl"
      case inputCalibration = "input_calibration"
      case outputCalibration = "output_calibration"
      case outputLevel = "output_level_db_spl"
      case nonFiniteSamples = "non_finite_samples"
    }
  }

  /// One band's gain.
  package struct Band: Sendable, Codable, Hashable {
    /// Hz.
    package let centre: Double
    /// dB; nil when the band is shut.
    package let gain: Double?

    enum CodingKeys: String, CodingKey {
      case centre = "centre_hz"
      case gain = "gain_db"
    }
  }

  /// The output limiter of one ear.
  package struct Limiter: Sendable, Codable, Hashable {
    /// Share of the time in which it worked since the start, 0...1.
    package let activeShare: Double
    /// What it takes away now, dB.
    package let reduction: Double

    enum CodingKeys: String, CodingKey {
      case activeShare = "active_share"
      case reduction = "reduction_db"
    }
  }

  /// Samples at full scale of one ear, since the start.
  package struct Clipping: Sendable, Codable, Hashable {
    package let input: UInt64
    package let output: UInt64

    enum CodingKeys: String, CodingKey {
      case input = "input_samples"
      case output = "output_samples"
    }
  }

  /// Work as a share of the period, 0...1 and more.
  package struct Load: Sendable, Codable, Hashable {
    package let median: Double
    package let percentile99: Double
    package let maximum: Double

    enum CodingKeys: String, CodingKey {
      case median = "median_share"
      case percentile99 = "percentile_99_share"
      case maximum = "maximum_share"
    }
  }

  /// Periods that were missed, since the start.
  package struct Xruns: Sendable, Codable, Hashable {
    /// Overruns: sound of the microphone that was lost.
    package let capture: UInt64
    /// Underruns: the earphones ran dry.
    package let playback: UInt64
    /// Time of sound lost in all, s.
    package let lost: Double
    /// What caused the last one, `playback underrun`.
    package let lastCause: String?
    /// How often the devices were closed and opened again.
    package let reopens: UInt64

    enum CodingKeys: String, CodingKey {
      case capture, playback
      case lost = "lost_seconds"
      case lastCause = "last_cause"
      case reopens = "device_reopens"
    }
  }

  /// Before anything was heard.
  package static let silent: MetersReport = {
    let ear = Ear(
      inputLevel: nil, inputCalibration: .none, outputLevel: nil, outputCalibration: .none, bands: [],
      limiter: Limiter(activeShare: 0, reduction: 0),
      clipping: Clipping(input: 0, output: 0), nonFiniteSamples: 0)
    return MetersReport(
      left: ear, right: ear, load: Load(median: 0, percentile99: 0, maximum: 0),
      xruns: Xruns(capture: 0, playback: 0, lost: 0, lastCause: nil, reopens: 0))
  }()
}
