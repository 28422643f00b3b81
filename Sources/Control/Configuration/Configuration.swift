/// Everything that can be set, with defaults that suit a machine nobody has configured: first card found,
/// no prescription, therefore no amplification.
///
/// ``schema`` lists every key with its meaning, range and unit; ``reference`` is a whole file of them.
public struct Configuration: Sendable, Equatable {
  public var device = Device()
  public var calibration = Calibration()
  public var hearing = Hearing()
  public var safety = Safety()
  public var control = Control()
  public var log = Log()

  public init() {}

  /// Sound card and its timing.
  public struct Device: Sendable, Equatable {
    /// ALSA name of the microphone's device; nil: the first card that captures and plays.
    public var capture: String?
    /// ALSA name of the earphones' device; nil: the first card that captures and plays.
    public var playback: String?
    /// Samples per second, Hz: 44100, 48000 or 96000.
    public var rate = 44_100
    /// Frames per period, 16...1024.
    public var period = 64
    /// Periods in the playback buffer, 2...8.
    public var periods = 3
    public var format = Format.auto
    public var clock = Clock.auto

    public init() {}
  }

  /// Sample format asked of the device, in ALSA's names, without the byte order.
  public enum Format: String, Sendable, CaseIterable {
    /// The first that the device has of `S32`, `S24`, `S24_3`, `S16`, `FLOAT`.
    case auto
    case s16 = "S16"
    case s24 = "S24"
    /// 24 bits in three bytes.
    case s24Packed = "S24_3"
    case s32 = "S32"
    case float = "FLOAT"
  }

  /// Whether capture and playback run from one clock.
  public enum Clock: String, Sendable, CaseIterable {
    /// Shared when both are the same card, else matched.
    case auto
    /// One clock: no rate matching.
    case shared
    /// Two clocks: capture is resampled to follow playback.
    case matched
  }

  /// What numbers in the machine mean outside it.
  public struct Calibration: Sendable, Equatable {
    public var microphone = Transducer()
    public var earphone = Transducer()

    public init() {}
  }

  /// Calibration of one end of the chain.
  public struct Transducer: Sendable, Equatable {
    /// Level of a full-scale sine, dB SPL, by channel: left and right, or one value for both. 80...160.
    ///
    /// The default is a usual MEMS microphone's full scale (sensitivity −26 dB FS at 94 dB SPL gives 120),
    /// and the same at the earphone, so that an uncalibrated machine neither adds nor takes level.
    public var fullScaleLevel = [120.0]
    /// A calibration file with levels by frequency, instead of ``fullScaleLevel``.
    public var file: String?
    /// Model of the microphone or earphone; for an earphone, the name in the RETSPL tables.
    public var transducer: String?
    /// The device on which it was calibrated.
    public var device: String?
    /// Day of calibration, `2026-01-31`.
    public var date: String?
    /// Where a level that was not measured comes from, such as `data sheet`.
    public var source: String?
    public var status = CalibrationStatus.none

    public init() {}
  }

  /// How far a calibration can be trusted.
  public enum CalibrationStatus: String, Sendable, CaseIterable, Codable {
    /// Measured on this device with a calibrated instrument.
    case verified
    /// Taken from a data sheet or another specimen.
    case provisional
    /// Assumed.
    case none
  }

  /// The wearer's prescription and how it acts.
  public struct Hearing: Sendable, Equatable {
    /// File with the audiogram; nil: not fitted, nothing is amplified.
    public var audiogram: String?
    public var rule = Rule.nalRPCompressive
    /// Input dB per output dB above the knee, 1...3.
    public var compressionRatio = 2.0
    /// Time of the gain to settle after a rise in level (ANSI S3.22), s.
    public var attack = 0.005
    /// Time of the gain to settle after a fall in level (ANSI S3.22), s.
    public var release = 0.050
    /// How much the ears share one level: 0 each its own, 1 the louder ear's for both.
    public var link = 0.0
    /// Centre frequencies of the bands, Hz, increasing; nil: the 20 standard bands.
    public var bands: [Double]?

    public init() {}
  }

  /// Rule that makes gain from an audiogram, by the names that prescriptions use.
  public enum Rule: String, Sendable, CaseIterable {
    case nalR = "NAL-R"
    case nalRP = "NAL-RP"
    case nalRPCompressive = "NAL-RP-compressive"
    case halfGain = "half-gain"
    case pogoII = "POGO-II"
    case cambridgeLinear = "Cambridge-linear"
    case cambridgeCompressive = "CAMEQ"
  }

  /// Protection of the ear.
  public struct Safety: Sendable, Equatable {
    /// Level that the output never exceeds, dB SPL, at most 120.
    public var maximumOutput = 111.0
    /// Time in which sound rises from silence after every start, recovery and unmute, s.
    public var ramp = 0.5

    public init() {}
  }

  public struct Control: Sendable, Equatable {
    /// Path of the control socket; nil: the standard place (``StandardPaths``).
    public var socket: String?

    public init() {}
  }

  public struct Log: Sendable, Equatable {
    /// Least important message that is written.
    public var level = LogLevel.info

    public init() {}
  }
}
