import Acoustics
import ArgumentParser
import Base
import Control
import Engine
import HearingDSP
import Laboratory
import Paper
import Prescriptions
import Service

/// `auricle verify`: the electroacoustic laboratory.
struct Verify: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Measure the aid as a hearing-aid laboratory would, and compare it with the limits.",
    discussion: """
      Without --audiogram: the prescription in force, or the configuration's audiogram. Plays the standards' \
      signals through the chain that the live aid plays, in numbers; touches no sound card. The figures are \
      those of the digital chain with the devices' stated calibration, not of a coupler.
      Exits with 1 when a limit is broken, otherwise with 0. The report names what is broken and what cannot be judged: own noise \
      without --microphone-noise.

      EXAMPLE: auricle verify --audiogram N3 -o report.pdf
      """)

  @Option(
    help: .init(
      "Audiogram instead of the prescription in force: a file, or a standard one: N1 to N7, S1 to S3.",
      valueName: "audiogram"), completion: .file())
  var audiogram: String?

  @Option(
    help: "Fitting rule for --audiogram: NAL-R, NAL-RP, NAL-RP-compressive, half-gain, POGO-II, ….",
    completion: .list(RuleName.all))
  var rule: String?

  @Option(
    parsing: .unconditional,
    help: "Level that full scale of the microphone stands for, dB SPL, instead of the calibration.")
  var microphoneLevel: Double?

  @Option(
    parsing: .unconditional,
    help: "Level that full scale makes in the ear, dB SPL, instead of the calibration.")
  var earphoneLevel: Double?

  @Option(parsing: .unconditional, help: "The microphone's own noise by its data sheet, dBA SPL.")
  var microphoneNoise: Double?

  @Option(
    parsing: .unconditional,
    help: "Delay of converters or radio by the devices' data sheets, milliseconds.")
  var deviceLatency = 0.0

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var socket: SocketOption

  @Option(name: .shortAndLong, help: .file("Also write a report with curves: .pdf."), completion: .file())
  var output: String?

  @OptionGroup var overwriting: OverwriteOption

  @OptionGroup var form: AnswerOptions
  @OptionGroup var quiet: QuietOption

  func answer() throws -> ExitStatus {
    if let output {
      guard output.lowercased().hasSuffix(".pdf") else {
        throw Failure(output, inWords: "The name does not end in .pdf", exit: .usage)
      }
      try RenderingFailures.checkPicture(output)
      try RenderingFailures.checkDistinct(read: [audiogram].compactMap(\.self), written: [output])
      try overwriting.check(output)
    }
    let (subject, name, prescription) = try specimen()
    let (inForce, moment) = (audiogram == nil ? programInForce : nil, Instant.now)
    let verification = try Failure.saying("fitting", exit: .badData) {
      try quiet.withProgress("measuring") { try Verification(subject, progress: $0) }
    }
    let measured = "Measured \(moment.localText), Auricle \(Version.number)."
    let table = VerificationTable(verification, of: name, measured: measured, inForce: inForce)
    let report = verification.json(of: name, at: moment.seconds, version: Version.number, inForce: inForce)
    // The answer comes before the report, whose writing can fail.
    if isForPrograms || !quiet.quiet { try show(report, VerificationText(table, style: form.style).text) }
    if let output {
      var page = table
      // On paper alone, which a clinic files; the answer may go anywhere.
      if let prescription {
        let prescriber = prescription.prescriber
        page.conditions.insert(
          "Patient: \(prescription.patient.words). Prescribed by \(prescriber.name), \(prescriber.clinic).",
          at: 0)
      }
      let reported =
        prescription.map { [$0.patient.words, $0.prescriber.name, $0.prescriber.clinic] } ?? []
      MissingLetters.caution(
        of: [name] + reported, on: "the report", whole: prescription == nil ? "audiogram" : "prescription")
      try PageFile(path: output, overwriting: overwriting).write(VerificationDrawing(page).pages())
      if !isForPrograms, !quiet.quiet { print("Wrote \(output).") }
    }
    return verification.broken.isEmpty ? .done : .no
  }

  /// Object of the measurement, the name of its hearing loss, such as "Bisgaard N3" or "prescription in
  /// force", and the prescription where it is one.
  private func specimen() throws -> (Subject, String, Prescription?) {
    let loaded = try ConfigurationSearch(explicit: configuration.file).load().get()
    var hearing = try AidSettings(loaded).hearing.calibrated(for: loaded).countingVolumes(on: loaded)
    let name: String
    var prescription: Prescription?
    if let audiogram {
      let given = try NamedAudiogram(audiogram)
      hearing.audiograms = given.ears
      name = given.name
      try setRule(&hearing, loaded.configuration)
      if hearing.microphones.device.status == .none {
        hearing.microphones = SampleCalibration.microphones
      }
      if hearing.earphones.device.status == .none { hearing.earphones = SampleCalibration.earphones }
    } else {
      if rule != nil { throw RuleName.unwanted("--rule") }
      (name, prescription) = try hearing.followPrescription(by: socket)
    }
    try setLevels(&hearing)
    let device = loaded.configuration.device
    let running = running(with: loaded)
    let geometry = try Failure.saying("device", exit: .configuration) {
      try ChainGeometry(
        sampleRate: Double(running?.devices.playback.rateHz ?? device.rate),
        blockFrames: running?.devices.blockFrames ?? device.period)
    }
    guard (0...1000).contains(deviceLatency) else {
      throw Failure(
        "--device-latency", found: "\(deviceLatency.shortText) ms", expected: "0 to 1000 ms", exit: .usage)
    }
    if let microphoneNoise, !(-20...80).contains(microphoneNoise) {
      throw Failure(
        "--microphone-noise", found: "\(microphoneNoise.shortText) dBA", expected: "-20 to 80 dBA",
        exit: .usage)
    }
    let surroundings = running.map { Subject.Surroundings($0.latency) } ?? .configured
    var subject = Subject(
      hearing: hearing, geometry: geometry, periods: device.periods,
      deviceLatency: surroundings.isMeasured ? 0 : deviceLatency / 1000,
      converterBits: device.format == .signed16 ? 16 : 24, microphoneNoise: microphoneNoise)
    subject.surroundings = surroundings
    return (subject, name, prescription)
  }

  /// Open devices and delay of the aid that runs with this configuration, where its prescription is measured; nil: there is none.
  private func running(
    with loaded: LoadedConfiguration
  ) -> (devices: StatusReport.Devices, latency: StatusReport.Latency?)? {
    guard audiogram == nil, let report = try? socket.client().ask(ReportMethods.Status()),
      report.isBy(configuration: loaded.file), let devices = report.devices
    else { return nil }
    return (devices, report.latency)
  }

  /// Settings of the running aid that the measurement leaves out: program, volume and tone, and what feedback
  /// takes from its gain; nil when no aid runs.
  private var programInForce: String? {
    guard let report = try? socket.client().ask(ReportMethods.Status()) else { return nil }
    let program = report.program.map {
      "\($0.name), volume \(NumberText.fixed($0.volume.valueDB, 0)) dB, "
        + "tone \(NumberText.fixed($0.tone.valueDB, 0)) dB"
    }
    let feedback = [("right", report.feedback?.right), ("left", report.feedback?.left)]
    let held = feedback.compactMap { name, ear in
      ear?.path.flatMap(FeedbackText.held).map { "\(name): because of feedback \($0)" }
    }
    let parts = [program].compactMap(\.self) + held
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private func setRule(_ hearing: inout HearingSettings, _ configuration: Configuration) throws(Failure) {
    guard let rule else { return }
    let named = try RuleName.rule(rule).with(compressionRatio: configuration.hearing.compressionRatio)
    hearing.plan = try Failure.saying("--rule", exit: .configuration) {
      try HearingSettings.plan(by: named)
    }
  }

  private func setLevels(_ hearing: inout HearingSettings) throws(Failure) {
    let stated = DeviceCalibration(device: "stated on the command line", date: nil, status: .provisional)
    try Failure.saying("level at full scale", exit: .usage) {
      if let microphoneLevel {
        hearing.microphones = try InputCalibration(
          device: stated, channels: [Sensitivity(flat: SoundPressureLevel(microphoneLevel))])
      }
      if let earphoneLevel {
        hearing.earphones = OutputCalibration(
          device: stated,
          sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(earphoneLevel))))
      }
    }
  }
}

extension Subject.Surroundings {
  /// Those of an aid that runs. Its chain's part, which is not told without a role, is taken off: the laboratory measures its own.
  ///
  /// - Parameter latency: Nil: no sound flows.
  init(_ latency: StatusReport.Latency?) {
    func beside(_ loop: Double?) -> Double? {
      guard let loop, let chain = latency?.chainSeconds else { return nil }
      return max(0, loop - chain)
    }
    self =
      beside(latency?.measured?.loopSeconds).map(Self.measured)
      ?? .running(told: beside(latency?.loopSeconds))
  }
}
