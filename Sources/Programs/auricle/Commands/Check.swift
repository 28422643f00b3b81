import Acoustics
import ArgumentParser
import Base
import Control
import Engine
import Fitting
import Glibc
import Paper
import Prescriptions
import Service

/// `auricle check`: a file examined without using it.
struct Check: Verb {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a configuration or an audiogram file.",
    discussion: """
      Without FILE: the configuration in effect, with every file it names. Exits with 0 when all is \
      well, 1 for an audiogram from which no gain can be derived, \
      65 for a bad audiogram or calibration, 66 for a missing file, 78 for a bad configuration.
      """)

  @Argument(help: "auricle.toml, or an audiogram in JSON, FHIR (.json) or CSV (.csv).", completion: .file())
  var file: String?

  @Flag(help: "FILE is an audiogram, whatever its name; it may be a pipe, as of <(command).")
  var audiogram = false

  @OptionGroup var form: JSONOption

  func validate() throws {
    if audiogram, file == nil { throw ValidationError("--audiogram needs the FILE that is one.") }
  }

  func answer() throws -> ExitStatus {
    if let file { try Self.checkName(file) }
    if let file, audiogram || [".json", ".csv"].contains(where: { file.lowercased().hasSuffix($0) }) {
      return try answer(audiogram: file)
    }
    let loaded = try Self.loaded(file)
    let hearing = try AidSettings(loaded).hearing.calibrated(for: loaded).countingVolumes(on: loaded)
    let isFitted = !hearing.fittedEars.isEmpty
    // A prescription of the book takes the place of the file's audiogram, and is not looked at here.
    let gain =
      isFitted
      ? GainText.clause(isFitted: true, cap: hearing.gainCap)
      : "not fitted by this file; a prescription that was scanned is heard without it, if there is one: auricle rx list"
    let devices = [("microphone", hearing.microphones.device), ("earphones", hearing.earphones.device)]
    let caveats = devices.compactMap { name, device in
      device.caveat.map { "The calibration of the \(name) counts as \(device.status.rawValue): \($0)." }
    }
    let cautions = loaded.configuration.device.harmfulNames.map { key, name in
      "\(key) = \(TOMLParser.literal(name)): by such a name alsa-lib may start programs or write files. "
        + "Keep it only where you chose it yourself."
    }
    let heldBack = StatusReport.Fitting(hearing).heldBackWords
    // An empty name: no file, all values are defaults.
    return try tell(
      ["\(loaded.file ?? "no configuration file, defaults"): good, \(gain)"] + caveats
        + [heldBack].compactMap(\.self), of: loaded.file ?? "",
      hearing.findings, "fitted", .boolean(isFitted), cautions: cautions, calibration: caveats,
      cap: isFitted ? hearing.gainCap.map(JSONValue.number) : nil)
  }

  /// Refuses the name of a standard audiogram, of which there is no file.
  private static func checkName(_ name: String) throws(Failure) {
    guard let standard = StandardAudiogram(rawValue: name.uppercased()), access(name, F_OK) != 0 else {
      return
    }
    throw Failure(
      name, inWords: "This is the name of a standard audiogram, and there is no such file to check",
      remedy: "It needs no check. auricle listen and auricle rx make take it by its name: --audiogram "
        + "\(standard.rawValue).", exit: .noInput)
  }

  /// The configuration; where a file of another name is not one, that it may be an audiogram is told as well.
  private static func loaded(_ file: String?) throws(ConfigurationFailures) -> LoadedConfiguration {
    do throws(ConfigurationFailures) {
      return try ConfigurationSearch(explicit: file).load().get()
    } catch {
      guard let file, !file.lowercased().hasSuffix(".toml"),
        FailureText.exitStatus(for: error.failures) == .configuration
      else { throw error }
      let hint = Failure(
        file, inWords: "It was read as a configuration, since its name ends neither in .json nor in .csv",
        remedy: "Where it is an audiogram: auricle check --audiogram \(file.shellWord)",
        exit: .configuration)
      throw ConfigurationFailures(failures: error.failures + [hint])
    }
  }

  private func answer(audiogram file: String) throws -> ExitStatus {
    let audiogram = try AudiogramReading.file(at: file)
    let summaries = Ear.allCases.reversed().map { AudiogramSummary(ear: $0, audiogram: audiogram.ears[$0]) }
    let isGood = summaries.contains(where: \.isFittable) && !summaries.contains(where: \.isIncomplete)
    // By the rule that an audiogram gets which no prescription comes with.
    let findings = HearingSettings(audiograms: audiogram.ears).findings
    guard isGood || !isForPrograms else {
      let found = summaries.map(\.text).joined(separator: "; ")
      throw Failure(file, found: found, expected: "thresholds to fit an ear from", exit: .no)
    }
    let words = isGood ? "a good audiogram file" : "an audiogram file that cannot be used for fitting"
    let ears = summaries.map { JSONValue.Member(key: $0.ear.rawValue, value: $0.json) }
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let plot = isTerminal ? [AudiogramText(audiogram.ears).text] : []
    return try tell(
      ["\(file): \(words)"] + summaries.map(\.text) + plot, of: file, findings, "ears", .object(ears),
      exit: isGood ? .done : .no)
  }

  /// Tells of a file in lines of text and findings; `--json` prints the same of a good one.
  ///
  /// - Parameters:
  ///   - key: Of `value`, the part that only this kind of file has.
  ///   - cautions: Sentences on the rest of the file; none by default.
  ///   - calibration: Sentences on calibrations that count for less than they state.
  ///   - cap: Greatest gain while an end is not calibrated, dB; nil: none is held back, or nothing is
  ///     amplified.
  private func tell(
    _ lines: [String], of file: String, _ findings: [AudiogramReview.Finding], _ key: String,
    _ value: JSONValue, cautions: [String] = [], calibration: [String] = [], cap: JSONValue? = nil,
    exit status: ExitStatus = .done
  ) throws -> ExitStatus {
    func sentences(_ severity: AudiogramReview.Finding.Severity) -> [JSONValue] {
      findings.filter { $0.severity == severity }.map { .text($0.sentence) }
    }
    let cautionary: [JSONValue] = cautions.map(JSONValue.text) + sentences(.caution)
    let report: JSONValue = [
      "calibration_notes": calibration.isEmpty ? nil : .array(calibration.map(JSONValue.text)),
      "cautions": .array(cautionary), key: value, "file": .text(file), "gain_cap_db": cap,
      "notes": .array(sentences(.note)),
      // Grows when a key is added, changes its hundred when one is renamed or means something else.
      "schema": 104, "verdict": "good",
    ]
    let words = (lines + cautions.map { "Caution: \($0)" } + findings.map { $0.line(.plain) })
      .joined(separator: "\n")
    return try show(report, words, exit: status)
  }
}
