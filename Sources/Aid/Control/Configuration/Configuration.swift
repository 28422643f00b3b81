import Base

/// Everything that can be set, with defaults that suit a machine nobody has configured: first card found,
/// no prescription, therefore no amplification.
///
/// ``schema`` lists every key with its meaning, range and unit; ``reference`` is a whole file of them.
package struct Configuration: Sendable, Equatable {
  package var device = Device()
  package var calibration = Calibration()
  package var hearing = Hearing()
  package var safety = Safety()
  package var control = Control()
  package var log = Log()

  package init() {}

  /// Sound card and its timing.
  package struct Device: Sendable, Equatable {
    /// ALSA name of the microphone's device; nil: the first card that captures and plays.
    package var capture: String?
    /// ALSA name of the earphones' device; nil: the first card that captures and plays.
    package var playback: String?
    /// Samples per second, Hz: 44100, 48000 or 96000.
    package var rate = 44_100
    /// Frames per period, 16...1024.
    package var period = 64
    /// Periods in the playback buffer, 2...8.
    package var periods = 3
    package var format = Format.auto
    package var clock = Clock.auto

    package init() {}
  }

  /// Sample format asked of the device, in ALSA's names, without the byte order.
  package enum Format: String, Sendable, CaseIterable {
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
  package enum Clock: String, Sendable, CaseIterable {
    /// Shared when both are the same card, else matched.
    case auto
    /// One clock: no rate matching.
    case shared
    /// Two clocks: capture is resampled to follow playback.
    case matched
  }

  /// What numbers in the machine mean outside it.
  package struct Calibration: Sendable, Equatable {
    package var microphone = Transducer()
    package var earphone = Transducer()

    package init() {}
  }

  /// Calibration of one end of the chain.
  package struct Transducer: Sendable, Equatable {
    /// Level of a full-scale sine, dB SPL, by channel: left and right, or one value for both. 80...160.
    ///
    /// The default is a usual MEMS microphone's full scale (sensitivity −26 dB FS at 94 dB SPL gives 120),
    /// and the same at the earphone, so that an uncalibrated machine neither adds nor takes level.
    package var fullScaleLevel = [120.0]
    /// A calibration file with levels by frequency, instead of ``fullScaleLevel``.
    package var file: String?
    /// Model of the microphone or earphone; for an earphone, the name in the RETSPL tables.
    package var transducer: String?
    /// The device on which it was calibrated.
    package var device: String?
    /// Day of calibration, `2026-01-31`.
    package var date: String?
    /// Where a level that was not measured comes from, such as `data sheet`.
    package var source: String?
    package var status = CalibrationStatus.none

    package init() {}
  }

  /// How far a calibration can be trusted.
  package enum CalibrationStatus: String, Sendable, CaseIterable, Codable {
    /// Measured on this device with a calibrated instrument.
    case verified
    /// Taken from a data sheet or another specimen.
    case provisional
    /// Assumed.
    case none
  }

  /// The wearer's prescription and how it acts.
  package struct Hearing: Sendable, Equatable {
    /// File with the audiogram; nil: not fitted, nothing is amplified.
    package var audiogram: String?
    package var rule = Rule.nalRPCompressive
    /// Input dB per output dB above the knee, 1...3.
    package var compressionRatio = 2.0
    /// Time of the gain to settle after a rise in level (ANSI S3.22), s.
    package var attack = 0.005
    /// Time of the gain to settle after a fall in level (ANSI S3.22), s.
    package var release = 0.050
    /// How much the ears share one level: 0 each its own, 1 the louder ear's for both.
    package var link = 0.0
    /// Centre frequencies of the bands, Hz, increasing; nil: the 20 standard bands.
    package var bands: [Double]?

    package init() {}
  }

  /// Rule that makes gain from an audiogram, by the names that prescriptions use.
  package enum Rule: String, Sendable, CaseIterable {
    case nalR = "NAL-R"
    case nalRP = "NAL-RP"
    case nalRPCompressive = "NAL-RP-compressive"
    case halfGain = "half-gain"
    case pogoII = "POGO-II"
    case cambridgeLinear = "Cambridge-linear"
    case cambridgeCompressive = "CAMEQ"
  }

  /// Protection of the ear.
  package struct Safety: Sendable, Equatable {
    /// Level that the output never exceeds, dB SPL, at most 120.
    package var maximumOutput = 111.0
    /// Time in which sound rises from silence after every start, recovery and unmute, s.
    package var ramp = 0.5

    package init() {}
  }

  package struct Control: Sendable, Equatable {
    /// Path of the control socket; nil: the standard place (``StandardPaths``).
    package var socket: String?

    package init() {}
  }

  package struct Log: Sendable, Equatable {
    /// Least important message that is written.
    package var level = LogLevel.info

    package init() {}
  }
}

extension Configuration {
  /// A whole configuration file of defaults with every key explained; keys without a default stand as
  /// comments. Reading it gives ``init()``.
  package static var reference: String {
    let defaults = Configuration()
    var text = "# Auricle's configuration. Every key may be left out; values shown are the defaults.\n"
    for section in sections {
      text += "\n# \(section.summary)\n[\(section.name)]\n"
      for setting in schema where setting.section == section.name {
        text += "\n" + comment(setting.summary) + comment("Accepts \(setting.accepts).")
        if let value = setting.value(in: defaults) {
          text += "\(setting.name) = \(value)\n"
        } else if let example = setting.example {
          text += "# \(setting.name) = \(example)\n"
        }
      }
    }
    return text
  }

  /// `text` as comment lines of at most 100 characters.
  private static func comment(_ text: String) -> String {
    var lines: [String] = []
    var line = "#"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 100 {
        lines.append(line)
        line = "#"
      }
      line += " " + word
    }
    lines.append(line)
    return lines.map { $0 + "\n" }.joined()
  }
}
