import Acoustics
import Base
import Control
import HearingDSP

/// Makes calibrations from the configuration's numbers or from the file it names.
struct CalibrationReading {
  let loaded: LoadedConfiguration
  let end: Configuration.End

  private var values: Configuration.Transducer { loaded.configuration.calibration[end] }

  /// - Throws: ``Failure`` naming the file or key.
  func microphones() throws(Failure) -> InputCalibration {
    let kept: InputCalibration? = try file()
    let device = try device(kept?.device)
    let channels = if let kept { kept.channels } else { try sensitivities() }
    return try Failure.saying(values.file ?? place("full-scale-level"), exit: .configuration) {
      try InputCalibration(device: device, channels: channels)
    }
  }

  /// - Throws: ``Failure`` naming the file or key.
  func earphones() throws(Failure) -> OutputCalibration {
    let model = try transducer()
    let kept: OutputCalibration? = try file()
    let device = try device(kept?.device)
    if let kept {
      try check(kept.sensitivity)
      let transducer = model ?? kept.transducer
      return OutputCalibration(device: device, sensitivity: kept.sensitivity, transducer: transducer)
    }
    let levels = try sensitivities()
    let sensitivity = Binaural(left: levels[0], right: levels[levels.count - 1])
    return OutputCalibration(device: device, sensitivity: sensitivity, transducer: model)
  }

  /// Refuses levels with which nothing can be fitted.
  private func check(_ sensitivity: Binaural<Sensitivity>) throws(Failure) {
    for ear in Ear.allCases {
      let level = sensitivity[ear].nominalLevel.decibels
      guard !EarFitting.fullScales.contains(level) else { continue }
      throw Failure(
        values.file ?? place("file"),
        found: "\(level.shortText) dB SPL at full scale for the \(ear.rawValue) ear",
        expected:
          "\(EarFitting.fullScales.lowerBound.shortText) to \(EarFitting.fullScales.upperBound.shortText) dB SPL",
        exit: .badData)
    }
  }

  // MARK: - Numbers

  private func sensitivities() throws(Failure) -> [Sensitivity] {
    guard !values.fullScaleLevel.isEmpty else {
      throw Failure(
        place("full-scale-level"), found: "no level", expected: "one or two", exit: .configuration)
    }
    return try Failure.saying(place("full-scale-level"), exit: .configuration) {
      try values.fullScaleLevel.map { try Sensitivity(flat: SoundPressureLevel($0)) }
    }
  }

  /// The configuration's; or a file's own, of its status or a worse one that the configuration states. A file
  /// that is trusted says why.
  ///
  /// - Parameter kept: The file's; nil: none is named.
  /// - Throws: ``Failure`` of a verified one without a day, and of a provisional one whose source neither it nor
  ///   the configuration states.
  private func device(_ kept: DeviceCalibration?) throws(Failure) -> DeviceCalibration {
    guard var device = kept, let path = values.file else {
      return DeviceCalibration(
        device: values.device ?? values.transducer ?? DeviceCalibration.unknown.device,
        date: values.date.flatMap { CalendarDate($0) }, status: values.status, source: values.source)
    }
    for text in [device.device, device.source].compactMap(\.self) where !Self.isPlain(text) {
      throw Failure(
        path, found: "a name with characters that act on a terminal, \"\(LogLine.printable(text))\"",
        expected: "plain text on one line", exit: .badData)
    }
    if device.source == nil { device.source = values.source }
    if let named = values.device { device.device = named }
    switch device.status {
    case .verified where device.date == nil:
      throw Failure(
        path, found: "\"status\": \"verified\" without \"date\"", expected: "the day of the measurement",
        remedy: "Add \"date\", or state \"provisional\" and \"source\".", exit: .badData)
    case .provisional where !(device.source ?? "").contains { $0.isLetter || $0.isNumber }:
      throw Failure(
        path, found: "\"status\": \"provisional\" without \"source\"",
        expected: "where the levels come from, such as \"source\": \"data sheet\"",
        remedy: "Add it there or to the configuration, or state \"none\": gain is then held to 20 dB.",
        exit: .badData)
    case .verified, .provisional, .none: break
    }
    if loaded.lines["calibration.\(end.rawValue).status"] != nil {
      device.status = min(device.status, values.status)
    }
    return device
  }

  /// True for text without control characters, line breaks and marks that turn its direction.
  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
      default: true
      }
    }
  }

  private func place(_ key: String) -> String { loaded.place(of: "calibration.\(end.rawValue).\(key)") }

  // MARK: - Files and tables

  /// The file's content; nil: none is named.
  private func file<Value: Decodable>() throws(Failure) -> Value? {
    guard let path = values.file else { return nil }
    let bytes = try NamedFile.bytes(of: path, limit: 1 << 20, what: "calibration", place: place("file"))
    do { return try JSON.value(Value.self, from: bytes) } catch let error as AcousticsError {
      throw Failure(path, saying: "\(error)", exit: .badData)
    } catch let error as DecodingError {
      throw Failure(
        path, found: error.words,
        expected: "a calibration of the \(end.rawValue) as auricle.toml(5) shows it", exit: .badData)
    } catch { throw Failure(path, found: "\(error)", expected: "a calibration in JSON", exit: .badData) }
  }

  /// The earphone's row of the reference thresholds, found by identifier or name, however they are spaced.
  private func transducer() throws(Failure) -> Transducer? {
    guard let wanted = values.transducer else { return nil }
    func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
    let key = plain(wanted)
    let match = Transducer.all.first { plain($0.identifier) == key || plain($0.name).hasSuffix(key) }
    guard let match, !key.isEmpty else {
      throw Failure(
        place("transducer"), found: "\"\(wanted)\", which has no reference thresholds here",
        expected: "one of \(Transducer.all.map(\.identifier).joined(separator: ", "))",
        remedy: "Leave the key out for another earphone: levels in dB SPL do not need it.",
        exit: .configuration)
    }
    return match
  }
}
