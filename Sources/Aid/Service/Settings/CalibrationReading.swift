import Acoustics
import AudioIO
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
    if let kept: InputCalibration = try file() {
      let device = try device(kept.device)
      if let measurement = kept.measurement {
        try refuseUnprintable(
          [measurement.examiner, measurement.calibrator] + (measurement.response?.notes ?? []))
        let caveat = UnheldVolume.caveat(of: opened(device), .microphone)
        return kept.with(caveat.map { device.held(to: .provisional, because: $0) } ?? device)
      }
      return kept.with(device.held(to: .provisional, because: Self.withoutReadings))
    }
    let (device, channels) = (try stated(), try sensitivities())
    return try Failure.saying(place("full-scale-level"), exit: .configuration) {
      try InputCalibration(
        device: device.held(to: .provisional, because: Self.withoutReadings), channels: channels)
    }
  }

  /// - Throws: ``Failure`` naming the file or key.
  func earphones() throws(Failure) -> OutputCalibration { try judged(statedEarphones()) }

  /// The same with the status that is stated for it.
  ///
  /// - Throws: ``Failure`` naming the file or key.
  func statedEarphones() throws(Failure) -> OutputCalibration {
    let model = try transducer()
    if let kept: OutputCalibration = try file() {
      try check(kept.sensitivity)
      return kept.with(try device(kept.device), transducer: model ?? kept.transducer)
    }
    if let profile = values.profile.flatMap(DeviceProfile.named) {
      let calibration = profile.calibration
      var device = calibration.device
      if let named = values.device { device.device = named }
      device.identity = try identity(device.identity)
      if isStatusStated { device.status = min(device.status, values.status) }
      return calibration.with(try harmless(device), transducer: model ?? calibration.transducer)
    }
    let levels = try sensitivities()
    let sensitivity = Binaural(left: levels[0], right: levels[levels.count - 1])
    return OutputCalibration(device: try stated(), sensitivity: sensitivity, transducer: model)
  }

  // MARK: - Measurements

  /// Caveat of levels that are called verified and have no readings.
  static let withoutReadings =
    "it is called verified, and no readings are kept from which its levels would follow; auricle calibrate measures and keeps them"

  /// A calibration with the status that its readings reach: verified is what was measured, on the coupler that dB HL needs.
  private func judged(_ stated: OutputCalibration) throws(Failure) -> OutputCalibration {
    var device = stated.device
    if let measurement = stated.measurement {
      try refuseUnprintable(
        [measurement.examiner, measurement.coupler] + (measurement.volumes ?? []).map(\.control))
      let shortcomings = measurement.shortcomings
      if let first = shortcomings.first {
        let more = shortcomings.count > 1 ? ", and \(shortcomings.count - 1) more" : ""
        device = device.held(
          to: .provisional, because: "its readings leave something open: \(first)\(more)")
      }
      if let transducer = stated.transducer, !transducer.holds(in: measurement.coupler) {
        device = device.held(
          to: .provisional,
          because:
            "it was read in \(measurement.coupler), and the reference thresholds of \(transducer.identifier) hold in "
            + transducer.coupler)
      }
      if let caveat = UnheldVolume.caveat(of: opened(device), .earphone) {
        device = device.held(to: .provisional, because: caveat)
      }
    } else {
      device = device.held(to: .provisional, because: Self.withoutReadings)
    }
    return stated.with(device, transducer: stated.transducer)
  }

  /// ALSA's name of the device of this end: without one in the configuration the calibration's own is opened; nil: nobody names it.
  private func opened(_ device: DeviceCalibration) -> String? {
    loaded.configuration.device[end] ?? device.homeName
  }

  private func refuseUnprintable(_ texts: [String]) throws(Failure) {
    for text in texts where !PrintableText.isPlain(text) {
      throw Failure(
        values.file ?? place("file"),
        found: "a name with characters that act on a terminal, \"\(LogLine.printable(text))\"",
        expected: "plain text on one line", exit: .badData)
    }
  }

  private var isStatusStated: Bool { loaded.lines["calibration.\(end.rawValue).status"] != nil }

  /// The configuration's own numbers.
  private func stated() throws(Failure) -> DeviceCalibration {
    try harmless(
      DeviceCalibration(
        device: values.device ?? values.transducer ?? DeviceCalibration.unknown.device,
        date: values.date.flatMap { CalendarDate($0) }, status: values.status, source: values.source,
        identity: try identity(nil)))
  }

  /// The same, unless it would lead to a device by a name with which alsa-lib does more than open one: a calibration may be of somebody
  /// else's making, and such a name is for the configuration to choose.
  ///
  /// - Throws: ``Failure`` naming the file or key.
  private func harmless(_ device: DeviceCalibration) throws(Failure) -> DeviceCalibration {
    guard loaded.askedDevice[end] == nil, let name = device.homeName,
      !DeviceArguments.areHarmless(in: name)
    else { return device }
    let file = values.device == nil ? values.file : nil
    throw Failure(
      file ?? place("device"),
      found: "\"\(LogLine.printable(name))\", by which alsa-lib may start programs or write files",
      expected: "a device that auricle devices lists",
      remedy: "Where it is the right one, name it by \(end.deviceKey) too.",
      exit: file == nil ? .configuration : .badData)
  }

  /// The model that the configuration states, or a calibration's own.
  ///
  /// - Throws: ``Failure`` where they contradict each other.
  private func identity(_ own: DeviceIdentity?) throws(Failure) -> DeviceIdentity? {
    guard let stated = values.product.flatMap({ DeviceProduct(modalias: $0) }) else { return own }
    let identity = DeviceIdentity([stated], name: own?.name)
    guard let own, own.match(identity) == .other else { return identity }
    throw Failure(
      place("product"), found: "\(stated)", expected: "\(own), which the calibration was made with",
      remedy: "Take the calibration of the device in use, or leave the key out.", exit: .configuration)
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

  /// A file's own, of its status or a worse one that the configuration states. A file that is trusted says why.
  ///
  /// - Parameter kept: The file's.
  /// - Throws: ``Failure`` of a verified one without a day, and of a provisional one whose source neither it nor
  ///   the configuration states.
  private func device(_ kept: DeviceCalibration) throws(Failure) -> DeviceCalibration {
    var device = kept
    let path = values.file ?? place("file")
    try refuseUnprintable([device.device, device.source].compactMap(\.self))
    if device.source == nil { device.source = values.source }
    if let named = values.device { device.device = named }
    device.identity = try identity(device.identity)
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
    if isStatusStated { device.status = min(device.status, values.status) }
    return try harmless(device)
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
