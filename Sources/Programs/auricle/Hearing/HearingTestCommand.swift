import Acoustics
import ArgumentParser
import Base
import Control
import Fitting
import Paper
import Prescriptions
import Procedures
import Service

/// `auricle hearing-test`: the wearer's thresholds, by the aid's own earphones.
struct HearingTestCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "hearing-test", abstract: "Find the softest tones that you hear, and make an audiogram.",
    discussion: """
      Sit in a quiet room with the earphones on the right sides. Tones come by themselves, softer and softer; press the space bar as soon as \
      you hear one. It takes some seven minutes for an ear; p pauses it, q leaves it, and --resume goes on with it. The aid is silent \
      meanwhile and sounds as before afterwards. Nothing is louder than 90 dB HL, nor than safety.maximum-output.
      Levels are those of the earphone's calibration, whose status stands beside the result. Not a medical examination.

      EXAMPLE: auricle hearing-test --output hearing.json
      """)

  @Option(help: .init("Test one ear alone: left or right.", valueName: "ear")) var ear: Ear?

  @Option(
    name: .customLong("frequency"), parsing: .upToNextOption,
    help: .init(
      "Frequencies, Hz, 125 to 16000, separated by spaces. Default: 1000 to 8000, 500 and 250.",
      valueName: "hz"))
  var frequencies: [Double] = []

  @Option(
    help: .init(
      "hughson-westlake, as clinics do it, or bayesian: shorter, with an interval for each threshold. Default: hughson-westlake.",
      valueName: "name"))
  var method: HearingTestPlan.Method?

  @Option(
    help: .init("pulsed, tone, warble, narrow-noise or broad-noise. Default: pulsed.", valueName: "name"))
  var signal: Stimulus.Signal?

  @Option(help: .init("Loudest tone, dB HL; above 90 for an audiologist only.", valueName: "level"))
  var highest: Double?

  @OptionGroup var room: RoomOption

  @Option(
    help: .file(
      "Write the audiogram, as rx make and the configuration read it; FHIR R4 where the name ends in .fhir.json."
    ), completion: .file())
  var output: String?

  @Option(help: .file("Draw the audiogram: .png, .svg or .pdf."), completion: .file()) var picture: String?

  @Option(help: .init("Go on with a test that was left; last: the newest.", valueName: "record"))
  var resume: String?

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    if resume != nil { try GivenOptions.refuse(given) }
    try OutputPlace.check(output)
    try OutputPlace.check(picture: picture)
    for path in [output, picture].compactMap(\.self) { try overwriting.check(path) }
    let client = try options.socket.client()
    var dialogue = ProcedureDialogue(client, title: "Hearing test")
    let notice = try dialogue.carryOut(try start(client))
    guard let found = notice.result?.hearingTest else {
      throw Failure("hearing test", found: "no result", exit: .software)
    }
    let (report, began) = report(notice.record, found, client)
    // First of all: nothing that goes wrong with a file may keep it back.
    try show(report, report.text(options.form.style))
    try write(report, found, at: began)
    return .done
  }

  /// The result with everything that its record tells of it. The result is here already: a record that cannot be had keeps nothing back.
  ///
  /// - Returns: And its beginning, s since 1970-01-01 UTC.
  private func report(
    _ record: String, _ found: HearingTestSummary, _ client: ControlClient
  ) -> (HearingTestReport, began: Double) {
    do throws(Failure) {
      let details = try client.ask(ProcedureMethods.Show(record))
      return (HearingTestReport(details.beginning, found, room: details.bands), details.beginning.at)
    } catch {
      StandardError.write(
        "auricle: caution: neither the room nor what was not tested is told. \(error.message)\n")
      let (calibration, began) = KeptRecords.beginning(of: record, client)
      return (HearingTestReport(record, calibration, found), began)
    }
  }

  /// Writes picture and audiogram. One that cannot be written does not keep the other back.
  ///
  /// - Parameter began: s since 1970-01-01 UTC.
  private func write(
    _ report: HearingTestReport, _ found: HearingTestSummary, at began: Double
  ) throws(ConfigurationFailures) {
    var failures: [Failure] = []
    func keep(_ path: String?, _ file: (String) throws(Failure) -> Void) {
      guard let path else { return }
      do throws(Failure) { try file(path) } catch { return failures.append(error) }
      if !isForPrograms { print("Written: \(path)") }
    }
    keep(output) { (path) throws(Failure) in
      let isBundle = path.lowercased().hasSuffix(".fhir.json")
      try overwriting.write(audiogram(report, found, at: began, isBundle: isBundle), to: path)
    }
    keep(picture) { (path) throws(Failure) in
      try PageFile(path: path, overwriting: overwriting).write([report.page(at: began).picture()])
    }
    if !failures.isEmpty { throw ConfigurationFailures(failures: failures) }
  }

  /// Text of the audiogram's file.
  ///
  /// - Parameter isBundle: True: FHIR R4.
  private func audiogram(
    _ report: HearingTestReport, _ found: HearingTestSummary, at began: Double, isBundle: Bool
  ) -> String {
    let ears = Binaural(left: found.audiograms.left, right: found.audiograms.right)
    guard isBundle else { return AudiogramFile(ears: ears).text }
    // Another program can tell any time.
    let moment = Int(exactly: began.rounded(.down)).map(Instant.init(seconds:)) ?? .now
    return AudiogramBundle(ears, at: moment, note: report.source).text
  }

  /// Options that a test which is gone on with has from its beginning.
  private var given: [String] {
    GivenOptions.names(
      (ear != nil, "--ear"), (!frequencies.isEmpty, "--frequency"), (method != nil, "--method"),
      (signal != nil, "--signal"), (highest != nil, "--highest")) + room.given
  }

  private func start(_ client: ControlClient) throws(Failure) -> ProcedureMethods.Start {
    if let resume {
      return ProcedureMethods.Start(resuming: try LeftRecord.named(resume, .hearingTest, client))
    }
    return try ProcedureMethods.Start(checked: order)
  }

  var order: ProcedureOrder {
    var order = ProcedureOrder(.hearingTest)
    order.ears = ear.map { [$0] }
    order.frequencies = frequencies.isEmpty ? nil : frequencies
    (order.method, order.signal) = (method ?? .hughsonWestlake, signal ?? .pulsed)
    (order.highest, order.room) = (highest, room.rule)
    return order
  }
}

extension HearingTestPlan.Method: ExpressibleByArgument {}
extension Stimulus.Signal: ExpressibleByArgument {}

/// Quiet that a room must have.
struct RoomOption: ParsableArguments {
  @Option(
    name: .customLong("room"),
    help: .init(
      "Level that the room must lie below for five seconds, dB(A), before sounds and between them. Default: 45.",
      valueName: "level"))
  var level: Double?

  @Flag(name: .customLong("no-room"), help: "Do not listen to the room.") var isOff = false

  func validate() throws {
    guard level == nil || !isOff else { throw ValidationError("--room and --no-room exclude each other.") }
  }

  var given: [String] { GivenOptions.names((level != nil, "--room"), (isOff, "--no-room")) }

  /// The tinnitus study's numbers (docs/sources.md), with this threshold.
  var rule: QuietRoomRule? {
    guard !isOff else { return nil }
    let study = QuietRoomRule.tinnitusStudy
    let threshold = level ?? study.threshold
    return QuietRoomRule(
      threshold: threshold, passes: study.passes, release: threshold - (study.threshold - study.release),
      rise: study.rise, confirmations: study.confirmations, adaptation: study.adaptation,
      helpAfter: study.helpAfter)
  }
}

/// A record that was left.
enum LeftRecord {
  /// - Parameter name: `last`: the newest of its kind.
  /// - Throws: ``Failure`` where there is none.
  static func named(
    _ name: String, _ kind: ProcedureOrder.Name, _ client: ControlClient
  ) throws(Failure) -> String {
    let records = try KeptRecords(client).entries
    if let named = records.first(where: { $0.record == name }), named.name != kind {
      throw Failure(
        name, found: "the record of another procedure, \(named.name.rawValue)",
        expected: "one of \(kind.rawValue)",
        remedy: "See: auricle match history", exit: .usage)
    }
    guard name == "last" else { return name }
    let left = records.last { $0.name == kind && $0.endedUnixSeconds == nil }
    guard let left else {
      throw Failure(kind.rawValue, found: "none that was left", remedy: "Begin one.", exit: .usage)
    }
    return left.record
  }
}

/// A member of an answer that is null where it is not known: left out, it would look as if the program did not tell it at all.
struct Unknowable<Value: Encodable>: Encodable {
  /// Nil: not known.
  let value: Value?

  init(_ value: Value?) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

/// A hearing test's result as a command tells it.
struct HearingTestReport: Encodable {
  private let schema = 200
  let record: String
  let calibration: DeviceCalibration
  let thresholds: [HearingTestSummary.Threshold]
  let doubts: [String]
  let isReliable: Bool
  let room: RoomBands?
  /// Thresholds that the room may have lifted, a sentence; nil: none.
  let caution: String?
  let audiograms: HearingTestSummary.BothEars
  /// Frequencies that were asked for and not tested, of each ear with such; null: not known.
  let unreached: Unknowable<[Unreached]>

  /// Frequencies of an ear at which the calibration or a limit lets no tone through.
  struct Unreached: Encodable {
    let ear: Ear
    /// Hz, rising.
    let frequencies: [Double]

    /// For the person who was tested.
    var sentence: String {
      "The \(ear.rawValue) ear was not tested at \(English.list(frequencies.map(\.shortText), "and")) Hz, where the "
        + "calibration or a limit lets no tone through."
    }
  }

  /// - Parameter room: Its octave bands; nil: it was not listened to.
  init(_ beginning: ProcedureBeginning, _ found: HearingTestSummary, room: RoomBands?) {
    (record, calibration) = (beginning.identifier, beginning.calibration.device)
    (thresholds, doubts, audiograms) = (found.thresholds, found.doubts, found.audiograms)
    isReliable = found.doubts.isEmpty
    unreached = Unknowable(Self.unreached(beginning))
    self.room = room
    caution = room?.caution(found.thresholds)
  }

  /// Without anything that the record alone tells.
  init(_ record: String, _ calibration: DeviceCalibration, _ found: HearingTestSummary) {
    (self.record, self.calibration) = (record, calibration)
    (thresholds, doubts, audiograms) = (found.thresholds, found.doubts, found.audiograms)
    isReliable = found.doubts.isEmpty
    (room, caution) = (nil, nil)
    unreached = Unknowable(nil)
  }

  private static func unreached(_ beginning: ProcedureBeginning) -> [Unreached] {
    guard case .hearingTest(let plan) = beginning.plan else { return [] }
    return (beginning.order.ears ?? [.right, .left]).compactMap { ear -> Unreached? in
      let missing = plan.frequencies.filter { plan.limits[ear][$0] == nil }.sorted()
      return missing.isEmpty ? nil : Unreached(ear: ear, frequencies: missing)
    }
  }

  /// Earphone and calibration, a sentence.
  var source: String {
    "Auricle hearing test with \(calibration.device), calibration \(calibration.status.rawValue)."
  }

  func text(_ style: Style) -> String {
    var text = AudiogramText(Binaural(left: audiograms.left, right: audiograms.right), style: style).text
    text += "\n" + table + "\n"
    text +=
      "Levels: \(calibration.device), calibration \(calibration.status.rawValue)"
      + (calibration.status == .verified ? ".\n" : ": they may be some dB off.\n")
    for doubt in doubts { text += style.bold("Doubt: ") + doubt + "\n" }
    text += isReliable ? "Reliable: the first tone was found again, and silences were left alone.\n" : ""
    if let caution { text += style.bold("Caution: ") + caution + "\n" }
    for ear in unreached.value ?? [] { text += style.bold("Caution: ") + ear.sentence + "\n" }
    for gap in gaps { text += style.bold("Caution: ") + gap + "\n" }
    return text
  }

  /// Sentences on what a prescription made from these audiograms would lack, as `rx make` tells it.
  private var gaps: [String] {
    AudiogramReview(Binaural(left: audiograms.left, right: audiograms.right)).cautions
      .filter { $0.kind == .notTested || $0.kind == .missingFrequency }.map(\.sentence)
  }

  /// Every threshold in figures.
  private var table: String {
    var table = TextTable([.leading, .trailing, .trailing, .leading, .trailing, .leading])
    table.append(["ear", "Hz", "dB HL", "90 %", "tones"])
    for found in thresholds {
      let level =
        found.level.map {
          (found.hasResponse ? found.isAtFloor ? "≤ " : "" : "> ") + $0.decibels.rounded().shortText
        } ?? "contradictory"
      let interval =
        found.interval.map { $0.map { $0.rounded().shortText }.joined(separator: " to ") } ?? ""
      table.append([
        found.ear.rawValue, found.frequency.shortText, level, interval, String(found.toneCount),
        found.noise.map { "noise of \($0.decibels.rounded().shortText) dB in the other ear" } ?? "",
      ])
    }
    return table.text
  }
}
