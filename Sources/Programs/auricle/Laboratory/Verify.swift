import Acoustics
import ArgumentParser
import AudioIO
import Base
import Control
import Engine
import Fitting
import HearingDSP
import Laboratory
import Paper
import Prescriptions
import Service

/// `auricle verify`: the electroacoustic laboratory.
struct Verify: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Measure the aid as a hearing-aid laboratory would, and compare it with the limits.",
    discussion: """
      Without --audiogram: the prescription in force, or the configuration's audiogram. Plays the standards' \
      signals through the chain that the live aid plays, in numbers; touches no sound card. The figures are \
      those of the digital chain with the devices' stated calibration, not of a coupler.
      Exits with 0 when every limit that applies is met, with 1 when one is broken: the report names it.

      EXAMPLE: auricle verify --audiogram N3 -o report.pdf
      """)

  @OptionGroup var measured: VerifyOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Also write a report with curves: .pdf.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var form: AnswerOptions
  @OptionGroup var quiet: QuietOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    if let output {
      try one { () throws(Failure) in
        guard output.lowercased().hasSuffix(".pdf") else {
          throw Failure(output, inWords: "The name does not end in .pdf", exit: .usage)
        }
        try RenderingFailures.checkPicture(output)
        try RenderingFailures.checkDistinct(
          read: [measured.audiogram].compactMap(\.self), written: [output])
      }
    }
    let specimen = try measured.specimen()
    let verification = try one { () throws(Failure) in try verify(specimen) }
    let table = VerificationTable(
      verification, of: specimen.name,
      measured: "Measured \(specimen.moment.localText), Auricle \(Version.number).",
      inForce: specimen.inForce)
    // The answer comes before the report, whose writing can fail.
    if form.json {
      print(
        try json(
          verification.json(
            of: specimen.name, at: specimen.moment.seconds, version: Version.number,
            inForce: specimen.inForce)))
    } else {
      print(VerificationText(table, style: form.style).text, terminator: "")
    }
    if let output {
      try one { () throws(Failure) in
        try PageFile(path: output).write { () throws(PaperError) in
          let pages = VerificationDrawing(table).pages()
          try pages[0].write(to: output, followedBy: Array(pages.dropFirst()), isPrivate: true)
        }
      }
      if !form.json { print("Wrote \(output).") }
    }
    return verification.isMet ? .done : .no
  }

  private var isQuiet: Bool { form.json || quiet.quiet }

  /// Measures with a progress bar on standard error.
  private func verify(_ specimen: Specimen) throws(Failure) -> Verification {
    var bar = ProgressBar("measuring")
    do {
      let verification = try Verification(specimen.subject) { if !isQuiet { bar.update($0) } }
      if !isQuiet { bar.finish() }
      return verification
    } catch {
      if !isQuiet { bar.end() }
      throw Failure("fitting", saying: "\(error)", exit: .badData)
    }
  }
}

/// Object of the measurement.
struct VerifyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Audiogram instead of the prescription in force: a file, or a standard one: N1 to N7, S1 to S3.",
      valueName: "audiogram"), completion: .file())
  var audiogram: String?

  @Option(
    help: "Fitting rule for --audiogram: NAL-R, NAL-RP, NAL-RP-compressive, half-gain, POGO-II, ….",
    completion: .list(PrescribedRule.all.map(\.identifier)))
  var rule: String?

  @Option(
    name: .customLong("microphone-level"), parsing: .unconditional,
    help: "Level that full scale of the microphone stands for, dB SPL, instead of the calibration.")
  var microphoneLevel: Double?

  @Option(
    name: .customLong("earphone-level"), parsing: .unconditional,
    help: "Level that full scale makes in the ear, dB SPL, instead of the calibration.")
  var earphoneLevel: Double?

  @Option(
    name: .customLong("microphone-noise"), parsing: .unconditional,
    help: "The microphone's own noise by its data sheet, dBA SPL.")
  var microphoneNoise: Double?

  @Option(
    name: .customLong("device-latency"), parsing: .unconditional,
    help: "Delay of converters or radio by the devices' data sheets, milliseconds.")
  var deviceLatency: Double = 0

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var socket: SocketOption

  /// The specimen these options ask for.
  func specimen() throws(ConfigurationFailures) -> Specimen {
    let loaded = try ConfigurationSearch(explicit: configuration.file).load().get()
    let settings = try AidSettings(loaded)
    do throws(Failure) {
      return try specimen(settings, loaded)
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
  }

  private func specimen(_ settings: AidSettings, _ loaded: LoadedConfiguration) throws(Failure) -> Specimen
  {
    var hearing = settings.hearing
    let name: String
    if let audiogram {
      let given = try NamedAudiogram(audiogram)
      hearing.audiograms = given.ears
      name = given.name
      try setRule(&hearing, loaded.configuration)
      if hearing.calibrationStatus == .none {
        hearing.microphones = SampleCalibration.microphones
        hearing.earphones = SampleCalibration.earphones
      }
    } else {
      guard rule == nil else {
        throw Failure(
          "--rule", inWords: "This needs --audiogram: a prescription has its own rule", exit: .usage)
      }
      name = try hearing.followPrescription(by: socket)
    }
    try setLevels(&hearing)
    let device = loaded.configuration.device
    let geometry: ChainGeometry
    do {
      geometry = try ChainGeometry(sampleRate: Double(device.rate), blockFrames: device.period)
    } catch {
      throw Failure("device", saying: "\(error)", exit: .configuration)
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
    return Specimen(
      subject: Subject(
        hearing: hearing, geometry: geometry, periods: device.periods,
        deviceLatency: deviceLatency / 1000, converterBits: device.format == .signed16 ? 16 : 24,
        microphoneNoise: microphoneNoise), name: name, inForce: audiogram == nil ? programInForce : nil)
  }

  /// Program, volume and tone of the running aid, and what feedback takes from its gain.
  private var programInForce: String? {
    guard let client = try? socket.client(), let report = try? client.ask(ReportMethods.Status()) else {
      return nil
    }
    let program = report.program.map {
      "\($0.name), volume \(NumberText.fixed($0.volume.valueDB, 0)) dB, "
        + "tone \(NumberText.fixed($0.tone.valueDB, 0)) dB"
    }
    let held = report.feedback.map { feedback in
      [("left", feedback.left), ("right", feedback.right)].compactMap { name, ear in
        ear.path.flatMap(FeedbackText.held).map { "\(name): because of feedback \($0)" }
      }
    }
    let parts = [program].compactMap(\.self) + (held ?? [])
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private func setRule(_ hearing: inout HearingSettings, _ configuration: Configuration) throws(Failure) {
    guard let rule else { return }
    guard let named = PrescribedRule.all.first(where: { $0.identifier == rule }) else {
      let names = PrescribedRule.all.map(\.identifier).joined(separator: ", ")
      throw Failure("--rule", found: rule, expected: "one of \(names)", exit: .usage)
    }
    do {
      hearing.plan = try HearingSettings.plan(
        by: named.with(compressionRatio: configuration.hearing.compressionRatio))
    } catch {
      throw Failure("--rule", saying: "\(error)", exit: .configuration)
    }
  }

  private func setLevels(_ hearing: inout HearingSettings) throws(Failure) {
    let stated = DeviceCalibration(device: "stated on the command line", date: nil, status: .provisional)
    do throws(AcousticsError) {
      if let microphoneLevel {
        hearing.microphones = try InputCalibration(
          device: stated, channels: [Sensitivity(flat: SoundPressureLevel(microphoneLevel))])
      }
      if let earphoneLevel {
        hearing.earphones = OutputCalibration(
          device: stated,
          sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(earphoneLevel))))
      }
    } catch {
      throw Failure("level at full scale", saying: "\(error)", exit: .usage)
    }
  }
}

/// Object of the measurement, with its description.
struct Specimen {
  var subject: Subject
  /// Name of the hearing loss, such as "Bisgaard N3" or "prescription in force".
  var name: String
  /// Settings of the running aid that the measurement leaves out: program, volume, tone, limits by
  /// feedback; nil when no aid runs or something else is measured.
  var inForce: String?
  /// Time of the measurement.
  var moment = Instant.now
}
