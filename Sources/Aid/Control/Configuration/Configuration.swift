import Acoustics
import AudioIO
import Base
import Fitting

/// Everything that can be set, with defaults that suit a machine nobody has configured: first card found,
/// no prescription, therefore no amplification.
///
/// ``schema`` lists every key with its meaning, range and unit; ``reference`` is a whole file of them.
package struct Configuration: Sendable, Equatable {
  package var device = Device()
  package var calibration = Calibration()
  package var hearing = Hearing()
  package var safety = Safety()
  package var stream = Stream()
  package var control = Control()
  package var log = Log()

  package init() {}

  /// Sound card and its timing.
  package struct Device: Sendable, Equatable {
    /// ALSA name of the microphone's device; nil: the first card that captures and plays.
    package var capture: String?
    /// ALSA name of the earphones' device; nil: the first card that captures and plays.
    package var playback: String?
    /// ALSA name of a device that captures calls and music; nil: none.
    package var stream: String?
    /// Samples per second, Hz: 44100, 48000 or 96000.
    package var rate = 44_100
    /// Frames per period, 16...1024.
    package var period = 64
    /// Periods in the playback buffer, 2...8.
    package var periods = 3
    /// Sample format asked of the device; nil: the one that it has with the most resolution.
    package var format: SampleFormat?
    package var clock = ClockPairing.automatic
    /// Silence while nothing is plugged into the earphones' jack.
    package var heedsJack = true

    package init() {}

    /// ALSA name of the device of an end; nil: none is named.
    package subscript(_ end: End) -> String? {
      get { end == .microphone ? capture : playback }
      set { if end == .microphone { capture = newValue } else { playback = newValue } }
    }
  }

  /// One end of the chain of sound.
  package enum End: String, Sendable, CaseIterable {
    case microphone, earphone
  }

  /// Sound that digital levels stand for.
  package struct Calibration: Sendable, Equatable {
    package var microphone = Transducer()
    package var earphone = Transducer()

    package subscript(_ end: End) -> Transducer {
      get { end == .microphone ? microphone : earphone }
      set { if end == .microphone { microphone = newValue } else { earphone = newValue } }
    }
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
    /// Identifier of a shipped profile (`DeviceProfile`), instead of ``fullScaleLevel``; for an earphone.
    package var profile: String?
    /// Model of the microphone or earphone; for an earphone, the name in the RETSPL tables.
    package var transducer: String?
    /// The device on which it was calibrated.
    package var device: String?
    /// Maker and product of that device, `usb:v046Dp0A4D`.
    package var product: String?
    /// Day of calibration, `2026-01-31`.
    package var date: String?
    /// Source of a level that was not measured, such as `data sheet`.
    package var source: String?
    package var status = CalibrationStatus.none

    /// True where levels come from a measurement or a source that is told: from a file, a profile, or with a status.
    package var isCalibrated: Bool { file != nil || profile != nil || status != .none }
  }

  /// The wearer's prescription and its effect.
  package struct Hearing: Sendable, Equatable {
    /// File with the audiogram; nil: not fitted, nothing is amplified.
    package var audiogram: String?
    /// Rule that makes gain from an audiogram; its ratio is ``compressionRatio``.
    package var rule = PrescribedRule.nalRPCompressive(compressionRatio: 2)
    /// Input dB per output dB above the knee, 1...3.
    package var compressionRatio = 2.0
    /// Time of the gain to settle after a rise in level (ANSI S3.22), s.
    package var attack = 0.005
    /// Time of the gain to settle after a fall in level (ANSI S3.22), s.
    package var release = 0.050
    /// Share of the level that is one for both ears: 0 each its own, 1 the louder ear's for both.
    package var link = 0.0
    /// Centre frequencies of the bands, Hz, increasing; nil: the 20 standard bands.
    package var bands: [Double]?
  }

  /// Protection of the ear.
  package struct Safety: Sendable, Equatable {
    /// Level that the output never exceeds, dB SPL, at most 120.
    package var maximumOutput = 111.0
    /// Time in which sound rises from silence after every start, recovery and unmute, s.
    package var ramp = 0.5
  }

  /// Calls and music from another program.
  package struct Stream: Sendable, Equatable {
    /// Attenuation of the microphones while there is sound in it, dB, 0...20.
    package var microphones = 6.0
  }

  package struct Control: Sendable, Equatable {
    /// Path of the control socket; nil: the standard place (``StandardPaths``).
    package var socket: String?
    package var owner = Owner.wearer
    /// Longest time for which a proved role is held, s.
    package var roleTime = 600.0
  }

  /// Owner of the device.
  package enum Owner: String, Sendable, CaseIterable {
    /// Whoever hears by it; they run it too.
    case wearer
    /// The clinic that handed it out; the wearer then hears by it and runs nothing.
    case clinic
  }

  package struct Log: Sendable, Equatable {
    /// Least important message that is written.
    package var level = LogLevel.info
  }

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
    English.lines(text, of: 98).map { "# \($0)\n" }.joined()
  }
}
