import Acoustics
import AudioIO
import Base
import Fitting

extension Configuration {
  /// Every key, in the order of the reference. A key that others depend on stands before them.
  package static let schema: [Setting] =
    deviceSettings + transducerSettings(.microphone) + transducerSettings(.earphone) + hearingSettings
    + safetySettings + streamSettings + otherSettings

  /// Contents of each table, by its dotted path.
  static let sections: [(name: String, summary: String)] = [
    ("device", "Sound card and its timing."),
    ("calibration.microphone", "Level of the sound that the microphone's digital levels stand for."),
    ("calibration.earphone", "Level of the sound that digital levels make in the ear."),
    ("hearing", "The wearer's prescription and how it acts. Without an audiogram nothing is amplified."),
    ("safety", "Protection of the ear."),
    (
      "stream",
      "Calls and music from another program, heard while device.stream names a device: auricle stream on."
    ),
    ("control", "Socket by which programs talk to the daemon."),
    ("log", "Messages."),
  ]

  private static let deviceSettings: [Setting] = [
    .text(
      "device.capture", \.device.capture, .reopensDevices, accepts: deviceName, example: "hw:CARD=PCH",
      "ALSA name of the microphone's device. Default: that of its calibration, otherwise the first card that both"
        + " captures and plays, but for the kernel's loopback and dummy; `auricle devices` lists names. A Bluetooth microphone is"
        + " refused.",
      refusing: { name in
        BluetoothLink(deviceName: name).map { _ in
          "This is \(BluetoothLink.captureRefusal). Choose a wired or USB microphone: auricle devices"
        }
      }),
    .text(
      "device.playback", \.device.playback, .reopensDevices, accepts: deviceName, example: "hw:CARD=PCH",
      "ALSA name of the earphones' device. Default: as for capture."),
    .text(
      "device.stream", \.device.stream, .live, accepts: deviceName, example: "pipewire:NODE=auricle_stream",
      "ALSA name of a device that captures calls and music, heard through the prescription after `auricle stream on`."
        + " Default: none."),
    .oneOf(
      "device.rate", .frequency, [44_100, 48_000, 96_000], \.device.rate, .reopensDevices,
      "Samples per second."),
    .whole(
      "device.period", .frames, 16...1024, \.device.period, .reopensDevices,
      rate: \Configuration.device.rate,
      "Frames worked on at a time. Fewer mean less delay and more risk of drop-outs."),
    .whole(
      "device.periods", .count, 2...8, \.device.periods, .reopensDevices,
      "Periods in the playback buffer. Two mean less delay, three forgive a late wake-up."),
    .word(
      "device.format", \.device.format, .reopensDevices,
      [
        ("auto", nil), ("S16", .signed16), ("S24", .signed24), ("S24_3", .signed24Packed),
        ("S32", .signed32), ("FLOAT", .float32),
      ], "Sample format asked of the device. \"auto\" takes the best that it has."),
    .word(
      "device.clock", \.device.clock, .reopensDevices,
      [("auto", .automatic), ("shared", .shared), ("matched", .separate)],
      "Clocks of capture and playback: one or two. \"auto\": shared when both are one card, otherwise matched"
        + " by resampling."),
    .word(
      "device.jack", \.device.heedsJack, .reopensDevices, [("watched", true), ("ignored", false)],
      "Jack of the earphones, where the card tells of one. \"watched\": silence while nothing is plugged in, for on loudspeakers"
        + " the aid would hear itself. \"ignored\" for a card that tells wrongly."),
  ]

  private static func transducerSettings(_ end: End) -> [Setting] {
    func key(_ name: String) -> String { "calibration.\(end.rawValue).\(name)" }
    let isMicrophone = end == .microphone
    let profile = Setting.text(
      key("profile"), \.calibration[end].profile, .live, accepts: "the name of a profile",
      example: "airpods-pro-2",
      "Model of earphones whose levels are known, instead of full-scale-level: auricle calibrate profiles. They are"
        + " provisional.",
      refusing: { name in
        guard DeviceProfile.named(name) == nil else { return nil }
        let all = DeviceProfile.all.map(\.identifier)
        return Spelling.nearest(to: name, among: all).map { "Did you mean \"\($0)\"?" }
          ?? "There are \(English.list(all, "and"))."
      })
    return (isMicrophone ? [] : [profile]) + [
      .levels(
        key("full-scale-level"), \.calibration[end].fullScaleLevel,
        isMicrophone
          ? "Level of the sound that a full-scale sine (0 dB FS) stands for. Default: a usual MEMS microphone's."
          : "Level in the ear that a full-scale sine (0 dB FS) makes. Default: as the microphone's."),
      .text(
        key("file"), \.calibration[end].file, .live, accepts: filePath, isPath: true,
        example: "\(end.rawValue).json",
        "Calibration file with levels by frequency, instead of full-scale-level. auricle calibrate makes one."
      ),
      .text(
        key("transducer"), \.calibration[end].transducer, .live, accepts: plainText,
        example: isMicrophone ? "built-in" : "HDA 200",
        isMicrophone
          ? "Model of the microphone."
          : "Model of the earphone, as named in the table of reference thresholds."),
      .text(
        key("device"), \.calibration[end].device, .live, accepts: plainText, example: "hw:CARD=PCH",
        "Device on which it was calibrated. With another one than an ALSA name at its beginning says it does not count."
      ),
      .text(
        key("product"), \.calibration[end].product, .live, accepts: DeviceProduct.expected,
        example: "usb:v046Dp0A4D",
        "Maker and product of that device, as auricle devices shows them. With another one the calibration does not count.",
        refusing: { text in
          DeviceProduct(modalias: text) == nil ? "auricle devices shows those that are connected." : nil
        }),
      .date(key("date"), \.calibration[end].date, "Day of calibration."),
      .text(
        key("source"), \.calibration[end].source, .live, accepts: plainText,
        example: isMicrophone ? "data sheet, -26 dB FS at 94 dB SPL" : "data sheet, 111 dB SPL at 0 dB FS",
        "Source of a level that was not measured on this device."),
      .word(
        key("status"), \.calibration[end].status, .live,
        CalibrationStatus.allCases.reversed().map { ($0.rawValue, $0) },
        "Origin of the level: measured here, taken from a data sheet, or assumed. \"verified\" needs a"
          + " level, a device and a date, and counts as \"provisional\" without a file of readings, as auricle calibrate"
          + " writes it; \"provisional\" needs a level and its source; a calibration file states its own. Anything but"
          + " \"none\" at both ends lifts the hold of 20 dB on gain."),
    ]
  }

  private static let hearingSettings: [Setting] = [
    .text(
      "hearing.audiogram", \.hearing.audiogram, .live, accepts: filePath, isPath: true,
      example: "audiogram.json", "File with the audiogram of both ears."),
    .word(
      "hearing.rule", \.hearing.rule, .live, PrescribedRule.all.map { ($0.identifier, $0) },
      "Rule that makes gain from the audiogram."),
    .number(
      "hearing.compression-ratio", .ratio, 1...3, \.hearing.compressionRatio, .live,
      "Input dB per output dB above the knee; for rules that compress."),
    .number(
      "hearing.attack", .time, 0.005...0.5, \.hearing.attack, .live,
      "Time of the gain to settle after a rise in level (ANSI S3.22)."),
    .number(
      "hearing.release", .time, 0.02...5, \.hearing.release, .live,
      "Time of the gain to settle after a fall in level (ANSI S3.22)."),
    .number(
      "hearing.link", .share, 0...1, \.hearing.link, .live,
      "Share of the level that the ears have in common: 0 each its own, 1 the louder ear's for both."),
    .frequencies(
      "hearing.bands", \.hearing.bands, .reopensDevices, example: "[250, 500, 1000, 2000, 4000, 6000]",
      "Centre frequencies of the bands. Default: 20 bands, 125 Hz to 12.5 kHz."
        + " `auricle use automatic` needs one in each octave of speech: see auricle.toml(5)."),
  ]

  private static let safetySettings: [Setting] = [
    .number(
      "safety.maximum-output", .soundPressureLevel, 70...120, \.safety.maximumOutput, .live,
      "Level that the output never exceeds."),
    .number(
      "safety.ramp", .time, 0.05...5, \.safety.ramp, .reopensDevices,
      "Time in which sound rises from silence after every start, recovery and unmute."),
  ]

  private static let streamSettings: [Setting] = [
    .number(
      "stream.microphones", .decibels, 0...20, \.stream.microphones, .live,
      "Attenuation of the microphones while there are calls or music.")
  ]

  private static let otherSettings: [Setting] = [
    .text(
      "control.socket", \.control.socket, .restartsDaemon, accepts: filePath, isPath: true,
      example: "/run/auricle/control.sock", "Path of the control socket."),
    .word(
      "control.owner", \.control.owner, .restartsDaemon, Owner.allCases.map { ($0.rawValue, $0) },
      "Owner of this device. The wearer of their own runs it too: trusts clinics, calibrates, types an"
        + " audiogram. On a clinic's, the wearer hears and turns; auricle roles shows the rest."),
    .number(
      "control.role-time", .time, 60...3600, \.control.roleTime, .live,
      "Longest time for which somebody who proved to be audiologist or developer may act as one."),
    .word(
      "log.level", \.log.level, .live, LogLevel.allCases.map { ($0.rawValue, $0) },
      "Least important message that is written."),
  ]

  private static let deviceName = "an ALSA device name, such as \"hw:CARD=PCH\""
  private static let filePath = "a path, relative to this file's folder or absolute"
  private static let plainText = "text on one line"
}
