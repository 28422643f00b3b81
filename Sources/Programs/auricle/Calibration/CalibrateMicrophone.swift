import Acoustics
import ArgumentParser
import AudioIO
import Base
import Control
import Engine
import Service

/// `auricle calibrate microphone`: the microphones' levels, by a calibrator.
struct CalibrateMicrophone: Verb {
  static let configuration = CommandConfiguration(
    commandName: "microphone", abstract: "Measure the microphones with a calibrator.",
    discussion: """
      Asks for the calibrator at each microphone and records it; or takes recordings of the same input: one for all microphones or \
      for a file with two channels, or --recording twice, left and right.
      EXAMPLE: auricle calibrate microphone --recording calibrator.wav --level 94 --by 'B. Ear'
      """)

  @Option(help: .file("A recording of the calibrator, instead of questions."), completion: .file())
  var recording: [String] = []

  @Option(help: .init("Level of the calibrator, dB SPL, 70 to 130, such as 94.", valueName: "level"))
  var level: Double?

  @Option(help: .init("Frequency of the calibrator, Hz. Default: 1000.", valueName: "frequency"))
  var frequency: Double?

  @Option(
    help: .file("Response that came with a measurement microphone: a frequency in Hz and dB on each line."),
    completion: .file())
  var response: String?

  @Option(help: .init("The calibrator, by its model and number.", valueName: "name"))
  var calibrator: String?

  @OptionGroup var options: MeasurementOptions
  @OptionGroup var socket: SocketOption

  func answer() throws -> ExitStatus {
    let keeping = CalibrationKeeping(end: .microphone, options: options)
    try keeping.check()
    if let level { try check(level) }
    try checkFrequency()
    let curve = try response.map { path throws(Failure) in
      try NamedText.reading(path, "a response of a microphone") { (text) throws(AcousticsError) in
        try FrequencyResponse(text)
      }
    }
    let named = try calibrator.map { name throws(Failure) in
      try CalibrationKeeping.plain(name, "--calibrator")
    }
    // Before a password is asked for, and before anybody measures.
    let stated = try options.by.map { name throws(Failure) in try CalibrationKeeping.plain(name, "--by") }
    let loaded = try ConfigurationSearch(explicit: options.configuration.file).load().get()
    if recording.isEmpty {
      try LivePerson.refuse("auricle calibrate microphone --recording FILE --level 94", socket)
      Interruption.watch()
      var run = MicrophoneRun(
        interview: TerminalInterview(), bench: RealBench(), loaded: loaded, frequency: frequency,
        calibrator: named, response: curve)
      try LivePerson.refuse(without: run.device, of: .microphone)
      try run.offerToGoOn(level: level, examiner: stated)
      let examiner = try run.left?.examiner ?? stated ?? run.examiner()
      let readings = try run.readings(level: level, by: examiner)
      return try show(
        keep(
          readings, examiner, run.calibrator, run.response, run.used, keeping, asking: run.interview,
          after: run.file))
    }
    guard let level else {
      throw Failure(
        "--level", found: "none", expected: "the calibrator's level in dB SPL, such as 94", exit: .usage)
    }
    guard let by = stated else {
      throw Failure("--by", found: "nobody", expected: "the person who measured", exit: .usage)
    }
    let readings = try RecordedCalibrator(
      files: recording, level: SoundPressureLevel(level), frequency: usedFrequency
    )
    .readings()
    let device = RealBench().device(of: .microphone, loaded)
    return try show(
      try keep(
        readings, by, named ?? MicrophoneRun.usualCalibrator, curve, loaded.with(device, of: .microphone),
        keeping))
  }

  /// Frequency of the calibrator where no run that was left has one, Hz.
  private var usedFrequency: Double { frequency ?? MicrophoneRun.usualFrequency }

  private func check(_ level: Double) throws(Failure) {
    guard !MicrophoneMeasurement.calibrators.contains(SoundPressureLevel(level)) else { return }
    throw Failure(
      "--level", found: "\(level.shortText)", expected: "70 to 130 dB SPL, such as 94 or 114", exit: .usage)
  }

  /// Refuses a frequency that no reading may have, before anything is asked.
  private func checkFrequency() throws(Failure) {
    _ = try Failure.saying("--frequency", exit: .usage) { () throws(AcousticsError) in
      // A usual one but for it.
      try MicrophoneMeasurement.Reading(
        channel: 0, frequency: usedFrequency, sound: SoundPressureLevel(94), measured: FullScaleLevel(-26))
    }
  }

  /// - Parameter loaded: With the device that was measured; without one nothing is verified.
  private func keep(
    _ readings: [MicrophoneMeasurement.Reading], _ examiner: String, _ calibrator: String,
    _ response: FrequencyResponse?, _ loaded: LoadedConfiguration, _ keeping: CalibrationKeeping,
    asking interview: (any Interview)? = nil, after left: LeftCalibrationFile? = nil
  ) throws -> DoneReport {
    let device = loaded.configuration.device.capture
    let status: CalibrationStatus = device == nil ? .provisional : .verified
    let calibration = try Failure.saying("calibration", exit: .badData) { () throws(AcousticsError) in
      try InputCalibration(
        device: DeviceCalibration(
          device: device.map { "\(DeviceCalibration.text(naming: $0)) (microphone)" } ?? "microphone",
          date: keeping.date, status: status, source: device == nil ? "readings by \(examiner)" : nil,
          identity: DeviceIdentity(of: .microphone, loaded)),
        measurement: try MicrophoneMeasurement(
          readings: readings, examiner: examiner, calibrator: calibrator, response: response))
    }
    let levels = calibration.channels.map { NumberText.fixed($0.nominalLevel.decibels) }
    // As the daemon judges it.
    let caveat = UnheldVolume.caveat(of: device, .microphone)
    let counted = caveat == nil ? status : .provisional
    var notes = [
      "The calibration is \(counted.rawValue): full scale is \(English.list(levels, "and")) dB SPL at 1 kHz"
        + (caveat.map { ", and \($0)." } ?? "."),
      calibration.device.identityNote,
    ]
    if let response, !response.notes.isEmpty {
      notes.append(
        "Kept as a note and not used, for its reference is the maker's own: \(LogLine.printable(response.notes[0]))."
      )
    }
    return try keeping.keep(calibration, notes, asking: interview, after: left)
  }
}
