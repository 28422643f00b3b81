import Acoustics
import ArgumentParser
import AudioIO
import Base
import Control
import Engine
import Glibc
import Service

/// `auricle calibrate earphone`: levels of the earphones on a coupler, by questions or from a table of readings.
struct CalibrateEarphone: Verb {
  static let configuration = CommandConfiguration(
    commandName: "earphone", abstract: "Measure the earphones on a coupler, with a sound level meter.",
    discussion: """
      Plays a tone for each ear and frequency and asks for the meter's reading; the earphones are on the coupler meanwhile. With \
      --readings from a table instead: ear,frequency,level in dB SPL and, for tones of several levels, played in dB FS.
      EXAMPLE: auricle calibrate earphone --readings meter.csv --played=-20 --by 'B. Ear' --transducer hda200
      """)

  @Option(help: .file("Readings as a table, instead of questions."), completion: .file())
  var readings: String?

  @Option(
    help: .init(
      "Level of the tones, dB FS, −60 to 0. Default: −20 where it plays; of a table without a column \"played\" it is needed.",
      valueName: "level"))
  var played: Double?

  @Option(
    help: .init(
      "Earphone whose reference thresholds apply, and in whose coupler it is measured.", valueName: "model"),
    completion: .list(Transducer.all.map(\.identifier)))
  var transducer: String?

  @Option(help: .init("Coupler, where no --transducer tells it.", valueName: "name")) var coupler: String?

  @Option(help: .init("Greatest level the earphones are made for, dB SPL.", valueName: "level"))
  var maximum: Double?

  /// Values of the option, dB SPL.
  static let maxima = 60.0...150

  @OptionGroup var options: MeasurementOptions
  @OptionGroup var socket: SocketOption

  func answer() throws -> ExitStatus {
    let keeping = CalibrationKeeping(end: .earphone, options: options)
    try keeping.check()
    try checkNumbers()
    // Before a password is asked for, and before anybody measures.
    let by = try options.by.map { name throws(Failure) in try CalibrationKeeping.plain(name, "--by") }
    let named = try coupler.map { name throws(Failure) in try CalibrationKeeping.plain(name, "--coupler") }
    if let named, let model = try TransducerChoice.named(transducer) {
      try TransducerChoice.refuse(model, in: named)
    }
    if let readings { return try show(try fromTable(readings, by: by, coupler: named, keeping)) }
    try LivePerson.refuse("auricle calibrate earphone --readings FILE", socket)
    let loaded = try ConfigurationSearch(explicit: options.configuration.file).load().get()
    Interruption.watch()
    var run = EarphoneRun(
      interview: TerminalInterview(), bench: RealBench(), loaded: loaded,
      wanted: FullScaleLevel(played ?? -20))
    try LivePerson.refuse(without: run.device, of: .earphone)
    let stated = maximum.map { SoundPressureLevel($0) }
    try run.offerToGoOn(
      transducer: transducer, coupler: named, examiner: by, played: played.map { FullScaleLevel($0) },
      maximum: stated)
    let model: Transducer?
    let place: String
    if let left = run.left {
      (model, place) = (try TransducerChoice.named(left.transducer), left.coupler ?? "")
    } else {
      (model, place) = try run.chosen(transducer: transducer, coupler: named)
    }
    let examiner = try run.left?.examiner ?? by ?? run.examiner()
    // Options that are missing are those of the run that is gone on with.
    let greatest = run.left?.maximum ?? stated
    let measurement = try run.measurement(
      by: examiner, coupler: place, transducer: model?.identifier, maximum: greatest)
    let calibration = try calibration(measurement, model, of: run.used, greatest, keeping)
    let text = EarphoneText(
      calibration, on: run.device, without: model.flatMap { $0.holds(in: place) ? nil : $0 })
    run.interview.say(text.table)
    guard try run.confirms("Keep this?") else {
      run.file.remove()
      throw Failure(
        "calibration", inWords: "It was not kept", remedy: "Begin again: auricle calibrate earphone",
        exit: .no)
    }
    return try show(
      keeping.keep(calibration, text.notes, asking: run.interview, after: run.file))
  }

  private func checkNumbers() throws(Failure) {
    if let played, !(-60.0...0).contains(played) {
      throw Failure("--played", found: "\(played.shortText)", expected: "−60 to 0 dB FS", exit: .usage)
    }
    if let maximum, !Self.maxima.contains(maximum) {
      throw Failure("--maximum", found: "\(maximum.shortText)", expected: "60 to 150 dB SPL", exit: .usage)
    }
  }

  private func fromTable(
    _ path: String, by examiner: String?, coupler: String?, _ keeping: CalibrationKeeping
  ) throws -> DoneReport {
    guard let examiner else {
      throw Failure("--by", found: "nobody", expected: "the person who measured", exit: .usage)
    }
    let model = try TransducerChoice.named(transducer)
    guard let place = coupler ?? model?.statedCoupler else {
      throw Failure(
        "--coupler", found: "none", expected: "the coupler or ear simulator in which the levels were read",
        exit: .usage)
    }
    let list = try NamedText.reading(path, "a table of readings") { (text) throws(AcousticsError) in
      try EarphoneMeasurement.Reading.list(parsing: text, played: played.map { FullScaleLevel($0) })
    }
    let plain = try CalibrationKeeping.plain(place, "--coupler")
    let loaded = try ConfigurationSearch(explicit: options.configuration.file).load().get()
    let (bench, end) = (RealBench(), Configuration.End.earphone)
    let device = bench.device(of: end, loaded)
    let volumes = bench.volumes(of: device)
    let measurement = try Failure.saying(path, exit: .badData) { () throws(AcousticsError) in
      try EarphoneMeasurement(readings: list, examiner: examiner, coupler: plain, volumes: volumes)
    }
    let calibration = try calibration(
      measurement, model, of: loaded.with(device, of: end), maximum.map { SoundPressureLevel($0) }, keeping)
    return try keeping.keep(calibration, EarphoneText(calibration, on: device).notes)
  }

  /// - Parameters:
  ///   - loaded: With the device that was measured; without one nothing is verified.
  ///   - greatest: Level that the earphones are made for; nil: not stated.
  private func calibration(
    _ measurement: EarphoneMeasurement, _ model: Transducer?, of loaded: LoadedConfiguration,
    _ greatest: SoundPressureLevel?, _ keeping: CalibrationKeeping
  ) throws(Failure) -> OutputCalibration {
    let device = loaded.configuration.device.playback
    let name = model?.name ?? "earphones"
    // Reference thresholds hold in their own coupler alone.
    let known = model.flatMap { $0.holds(in: measurement.coupler) ? $0 : nil }
    let isWhole = measurement.shortcomings.isEmpty && device != nil && known == model
    let status: CalibrationStatus = isWhole ? .verified : .provisional
    return try Failure.saying("calibration", exit: .badData) { () throws(AcousticsError) in
      try OutputCalibration(
        device: DeviceCalibration(
          device: device.map { "\(DeviceCalibration.text(naming: $0)) (\(name))" } ?? name,
          date: keeping.date,
          status: status, source: status == .verified ? nil : "readings by \(measurement.examiner)",
          identity: DeviceIdentity(of: .earphone, loaded)),
        measurement: measurement,
        transducer: known, maximumLevel: greatest)
    }
  }
}

/// A transducer that a person names.
enum TransducerChoice {
  /// Nil: none is named.
  ///
  /// - Throws: ``Failure`` for an unknown one.
  static func named(_ identifier: String?, _ option: String = "--transducer") throws(Failure) -> Transducer?
  {
    guard let identifier else { return nil }
    if let transducer = Transducer.named(identifier.lowercased()) { return transducer }
    let all = Transducer.all.map(\.identifier)
    throw Failure(
      option, found: identifier, expected: "one of \(all.joined(separator: ", "))",
      remedy: Spelling.nearest(to: identifier, among: all).map { "Did you mean \($0)?" }, exit: .usage)
  }

  /// Refuses a coupler in which the reference thresholds of a model do not hold.
  static func refuse(_ model: Transducer, in coupler: String) throws(Failure) {
    guard !model.holds(in: coupler) else { return }
    throw Failure(
      "--coupler", found: coupler,
      expected: "\(model.coupler), in which the reference thresholds of \(model.identifier) hold",
      remedy: "Where it is another one, leave --transducer out: levels in dB SPL alone are kept.",
      exit: .usage)
  }

  /// A clause on a model whose reference thresholds do not hold in a coupler, and what is missing without it.
  static func omission(of model: Transducer, in coupler: String) -> String {
    let greatest = EarphoneMeasurement.neededFrequencies.map(model.couplerResponse).max() ?? 0
    let softness =
      greatest >= 0.5 ? "sounds come out too soft by up to \(greatest.rounded().shortText) dB, and " : ""
    return
      "the reference thresholds of \(model.identifier) hold in \(model.coupler), not in \(coupler): the model is left"
      + " out, \(softness)no level in dB HL is known"
  }
}

/// A person at a terminal, and no daemon on the devices.
enum LivePerson {
  /// - Parameter script: Command for where nobody is there.
  /// - Throws: ``Failure``.
  static func refuse(_ script: String, _ socket: SocketOption) throws(Failure) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure(
        "calibration", inWords: "There is no terminal to ask on", remedy: "In a script: \(script).",
        exit: .usage)
    }
    try RunningAid(socket).refuse(for: "calibration")
  }

  /// Refuses to measure with a device that nobody knows: any could have come by the next tone.
  static func refuse(without device: String?, of end: Configuration.End) throws(Failure) {
    guard device == nil else { return }
    let key = end.deviceKey
    throw Failure(
      "calibration", found: "no sound card with converters that captures and plays",
      expected: "one, or \(key)",
      remedy: "Plug it in, or name the device: auricle devices, then auricle config set \(key)=NAME.",
      exit: .unavailable)
  }
}

/// A calibration of earphones in words.
struct EarphoneText {
  let calibration: OutputCalibration
  /// ALSA's name of the earphones' device; nil: nobody names it.
  let device: String?
  /// Model that was named and is left out, for its reference thresholds do not hold in the coupler; nil: none is.
  let omitted: Transducer?

  init(_ calibration: OutputCalibration, on device: String?, without omitted: Transducer? = nil) {
    (self.calibration, self.device, self.omitted) = (calibration, device, omitted)
  }

  /// Level of full scale at each frequency and ear, several lines with their breaks.
  var table: String {
    var table = TextTable([.trailing, .trailing, .trailing])
    table.append(["Hz", "left", "right"])
    let frequencies = Set(Ear.allCases.flatMap { calibration.sensitivity[$0].frequencies ?? [1000] })
      .sorted()
    for frequency in frequencies {
      let cells = Ear.allCases.map { ear in
        (try? calibration.sensitivity[ear].level(at: frequency)).map { NumberText.fixed($0.decibels) } ?? ""
      }
      table.append([frequency.shortText] + cells)
    }
    return "Level of a full-scale tone, dB SPL:\n" + table.text
  }

  /// Sentences on the status and what it lacks.
  var notes: [String] {
    // As the daemon judges it.
    let coupler = calibration.measurement?.coupler ?? ""
    let lacks =
      (calibration.measurement?.shortcomings ?? [])
      + [omitted.map { TransducerChoice.omission(of: $0, in: coupler) }].compactMap(\.self)
      + [UnheldVolume.caveat(of: device, .earphone)].compactMap(\.self)
    let conditions =
      [calibration.device.identityNote]
      + (calibration.measurement?.volumes ?? []).map {
        "It holds while the volume control \($0.control) stands at \($0.place)."
      }
    guard !lacks.isEmpty else { return verified + conditions }
    return ["The calibration is provisional:"] + lacks.map { "\($0)." } + conditions
  }

  /// Sentences on a calibration that lacks nothing: levels in dB HL rest on reference thresholds too.
  private var verified: [String] {
    let frequencies = calibration.measurement?.readings.map(\.frequency) ?? []
    guard let transducer = calibration.transducer, let words = transducer.uncertainty(at: frequencies)
    else { return ["The calibration is verified."] }
    let part = transducer.status == .verified ? " in part" : ""
    return ["The calibration is verified in dB SPL.", "In dB HL it is provisional\(part): \(words)."]
  }
}
