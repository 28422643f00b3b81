import Acoustics
import ArgumentParser
import Base
import Control
import Engine
import Service

/// `auricle calibrate ears`: a check of the earphones by people who hear normally.
struct CalibrateEars: Verb {
  static let configuration = CommandConfiguration(
    commandName: "ears",
    abstract: "Check the earphones' calibration by the thresholds of people who hear normally.",
    discussion: """
      A table of thresholds that were found with these earphones, person,ear,frequency,threshold in dB HL, of \(EarCheck.leastEars) ears at \
      least. Where their mean lies within 10 dB of 0 dB HL the calibration is noted as checked by ears; it stays what it was, \
      provisional for most. Names are not kept.
      """)

  @Argument(help: .file("The thresholds."), completion: .file()) var file: String

  @OptionGroup var options: MeasurementOptions

  func answer() throws -> ExitStatus {
    let keeping = CalibrationKeeping(end: .earphone, options: options)
    try keeping.check()
    guard let date = keeping.date else {
      throw Failure("clock", inWords: "It shows no day", remedy: "Give --date.", exit: .unavailable)
    }
    let check = try NamedText.reading(file, "a table of thresholds") { (text) throws(AcousticsError) in
      try EarCheck(try EarCheck.Threshold.list(parsing: text), date: date)
    }
    let loaded = try ConfigurationSearch(explicit: options.configuration.file).load().get()
    let hearing = try AidSettings(loaded).hearing
    guard hearing.earphones.device.status != .none, hearing.earphones.transducer != nil else {
      throw Failure(
        "calibration.earphone",
        found: hearing.earphones.device.status == .none ? "no calibration" : "no transducer",
        expected: "levels in dB SPL and the reference thresholds that make them dB HL",
        remedy: "Name a profile (auricle calibrate profiles), or measure: auricle calibrate earphone.",
        exit: .configuration)
    }
    guard !hearing.foreignCalibrations(for: loaded).contains(.earphone) else {
      throw Failure(
        "calibration.earphone", found: "a calibration that was made with another device",
        expected: "that of the device in use", remedy: "auricle check says which.",
        exit: .configuration)
    }
    // As it is stated: what it counts as here and now may pass.
    var calibration = try loaded.statedEarphones()
    if calibration.device.source == nil, calibration.device.status == .provisional {
      // A verified file that the configuration lowers: the new file takes the place of both.
      var device = calibration.device
      device.source = calibration.measurement.map { "readings by \($0.examiner)" } ?? "the configuration"
      calibration = calibration.with(device, transducer: calibration.transducer)
    }
    calibration.earCheck = check
    let notes = check.means.map { mean in
      "\(mean.frequency.shortText) Hz: \(mean.level.decibels.readText) dB HL in the mean of \(English.count(mean.ears, "ear"))."
    }
    guard check.outliers.isEmpty else {
      let places = English.list(check.outliers.map(\.frequency.shortText), "and")
      throw Failure(
        file, found: "a mean beyond 10 dB from 0 dB HL at \(places) Hz",
        expected: "people who hear normally, and earphones of the levels that the calibration states",
        remedy: "Nothing was changed. " + notes.joined(separator: " "), exit: .badData)
    }
    let verdict =
      "Checked by \(English.count(check.ears, "ear")); the calibration stays \(hearing.earphones.device.status.rawValue)."
    return try show(try keeping.keep(calibration, [verdict] + notes))
  }
}
