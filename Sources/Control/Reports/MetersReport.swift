/// What moves: levels, gains, load and mishaps.
public struct MetersReport: Sendable, Codable, Equatable {
  public let left: Ear
  public let right: Ear
  public let load: Load
  public let xruns: Xruns

  public init(left: Ear, right: Ear, load: Load, xruns: Xruns) {
    self.left = left
    self.right = right
    self.load = load
    self.xruns = xruns
  }

  /// One ear.
  public struct Ear: Sendable, Codable, Equatable {
    /// Level at the microphone, dB SPL; nil in silence.
    public let inputLevel: Double?
    /// How far ``inputLevel`` can be trusted.
    public let inputCalibration: Configuration.CalibrationStatus
    /// Level in the ear, dB SPL; nil in silence.
    public let outputLevel: Double?
    /// How far ``outputLevel`` can be trusted.
    public let outputCalibration: Configuration.CalibrationStatus
    /// Gain now, by band.
    public let bands: [Band]
    public let limiter: Limiter
    public let clipping: Clipping
    /// Samples that were infinite or not a number, since the start.
    public let nonFiniteSamples: UInt64

    /// Levels that are not finite are left out.
    public init(
      inputLevel: Double?, inputCalibration: Configuration.CalibrationStatus, outputLevel: Double?,
      outputCalibration: Configuration.CalibrationStatus, bands: [Band], limiter: Limiter,
      clipping: Clipping, nonFiniteSamples: UInt64
    ) {
      self.inputLevel = inputLevel.finite
      self.inputCalibration = inputCalibration
      self.outputLevel = outputLevel.finite
      self.outputCalibration = outputCalibration
      self.bands = bands
      self.limiter = limiter
      self.clipping = clipping
      self.nonFiniteSamples = nonFiniteSamples
    }

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
  public struct Band: Sendable, Codable, Hashable {
    /// Hz.
    public let centre: Double
    /// dB; nil when the band is shut.
    public let gain: Double?

    public init(centre: Double, gain: Double) {
      self.centre = centre
      self.gain = Optional(gain).finite
    }

    enum CodingKeys: String, CodingKey {
      case centre = "centre_hz"
      case gain = "gain_db"
    }
  }

  /// The output limiter of one ear.
  public struct Limiter: Sendable, Codable, Hashable {
    /// Share of the time in which it worked since the start, 0...1.
    public let activeShare: Double
    /// What it takes away now, dB.
    public let reduction: Double

    public init(activeShare: Double, reduction: Double) {
      self.activeShare = Optional(activeShare).finite ?? 0
      self.reduction = Optional(reduction).finite ?? 0
    }

    enum CodingKeys: String, CodingKey {
      case activeShare = "active_share"
      case reduction = "reduction_db"
    }
  }

  /// Samples at full scale of one ear, since the start.
  public struct Clipping: Sendable, Codable, Hashable {
    public let input: UInt64
    public let output: UInt64

    public init(input: UInt64, output: UInt64) {
      self.input = input
      self.output = output
    }

    enum CodingKeys: String, CodingKey {
      case input = "input_samples"
      case output = "output_samples"
    }
  }

  /// Work as a share of the period, 0...1 and more.
  public struct Load: Sendable, Codable, Hashable {
    public let median: Double
    public let percentile99: Double
    public let maximum: Double

    public init(median: Double, percentile99: Double, maximum: Double) {
      self.median = Optional(median).finite ?? 0
      self.percentile99 = Optional(percentile99).finite ?? 0
      self.maximum = Optional(maximum).finite ?? 0
    }

    enum CodingKeys: String, CodingKey {
      case median = "median_share"
      case percentile99 = "percentile_99_share"
      case maximum = "maximum_share"
    }
  }

  /// Periods that were missed, since the start.
  public struct Xruns: Sendable, Codable, Hashable {
    /// Overruns: sound of the microphone that was lost.
    public let capture: UInt64
    /// Underruns: the earphones ran dry.
    public let playback: UInt64
    /// Time of sound lost in all, s.
    public let lost: Double
    /// What caused the last one, `playback underrun`.
    public let lastCause: String?
    /// How often the devices were closed and opened again.
    public let reopens: UInt64

    public init(capture: UInt64, playback: UInt64, lost: Double, lastCause: String?, reopens: UInt64) {
      self.capture = capture
      self.playback = playback
      self.lost = Optional(lost).finite ?? 0
      self.lastCause = lastCause
      self.reopens = reopens
    }

    enum CodingKeys: String, CodingKey {
      case capture, playback
      case lost = "lost_seconds"
      case lastCause = "last_cause"
      case reopens = "device_reopens"
    }
  }

  /// Before anything was heard.
  public static let silent: MetersReport = {
    let ear = Ear(
      inputLevel: nil, inputCalibration: .none, outputLevel: nil, outputCalibration: .none, bands: [],
      limiter: Limiter(activeShare: 0, reduction: 0),
      clipping: Clipping(input: 0, output: 0), nonFiniteSamples: 0)
    return MetersReport(
      left: ear, right: ear, load: Load(median: 0, percentile99: 0, maximum: 0),
      xruns: Xruns(capture: 0, playback: 0, lost: 0, lastCause: nil, reopens: 0))
  }()
}
