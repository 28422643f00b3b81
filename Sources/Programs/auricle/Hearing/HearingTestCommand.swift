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
    if resume == nil { try checkSound(of: order) }
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
      let report = HearingTestReport(
        details.beginning, found, room: details.bands, silences: details.silences)
      return (report, details.beginning.at)
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
      MissingLetters.caution(of: [report.calibration.device], on: "the picture", whole: "record")
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
      let record = try LeftRecord.named(resume, .hearingTest, client)
      // Its sound is that of its beginning.
      if !written.isEmpty { try checkSound(of: client.ask(ProcedureMethods.Show(record)).beginning.order) }
      return ProcedureMethods.Start(resuming: record, withoutRoom: room.isOff)
    }
    return try ProcedureMethods.Start(checked: order)
  }

  /// Options that write an audiogram.
  private var written: [String] {
    GivenOptions.names((output != nil, "--output"), (picture != nil, "--picture"))
  }

  /// Refuses all that broad noise does not have: an audiogram, and frequencies, at each of which it would be the same noise.
  ///
  /// - Throws: ``Failure`` (``ExitStatus/usage``).
  func checkSound(of order: ProcedureOrder) throws(Failure) {
    guard order.signal == .broadNoise else { return }
    guard written.isEmpty else {
      let options = English.list(written, "and")
      throw Failure(
        "--signal", found: "broad-noise with \(options)",
        expected: "tones or narrow noise, for broad noise has one threshold and makes no audiogram",
        remedy: "Leave out \(options), or take --signal narrow-noise.", exit: .usage)
    }
    let count = (order.frequencies ?? HearingTestPlan.usualFrequencies).count
    guard count == 1 else {
      throw Failure(
        "--signal", found: "broad-noise at \(count) frequencies",
        expected: "one, by which its threshold is named, for it has all of them",
        remedy: "Name the one at which a match of masking looks for it: --frequency 1000", exit: .usage)
    }
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
