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

/// `auricle config`: the configuration in force, one key of it set, or a whole file to start from.
struct Settings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the configuration, change it, or write one to start from.",
    subcommands: [Show.self, Set.self, Unset.self, Reference.self])

  struct Show: Verb {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print every value in effect.")

    @Flag(help: "Show file and line of each value.") var origin = false

    @OptionGroup var form: JSONOption
    @OptionGroup var file: ConfigurationOption

    func answer() throws -> ExitStatus {
      let loaded = try ConfigurationSearch(explicit: file.file).load().get()
      let values = Configuration.schema.compactMap { setting in
        setting.value(in: loaded.configuration).map { "\(setting.key) = \($0)\n" }
      }
      return try show(JSONValue(loaded, withOrigins: origin), origin ? loaded.text : values.joined())
    }
  }

  struct Set: Verb {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Set keys in the configuration file.",
      discussion: """
        The file keeps its comments and everything else; where there is none, ~/.config/auricle/auricle.toml \
        is made. A running aid follows after: auricle reload.
        EXAMPLE: auricle config set device.period=128 safety.maximum-output=105
        """)

    @Argument(
      help: .init(
        "Such as device.period=128; auricle config reference explains all.", valueName: "key=value"))
    var assignments: [String]

    @OptionGroup var form: JSONOption
    @OptionGroup var file: ConfigurationOption

    func answer() throws -> ExitStatus {
      let folder = try FilePath.folder(of: AbsolutePath.of("./"))
      return try show(
        Settings.change(file, assignments) { (changed, assignment) throws(Failure) in
          guard let equals = assignment.firstIndex(of: "=") else {
            throw Failure(
              assignment, found: "no =", expected: "a key and its value, such as device.period=128",
              exit: .usage)
          }
          let (key, value) = (
            String(assignment[..<equals]), String(assignment[assignment.index(after: equals)...])
          )
          try changed.set(key, to: value, from: folder, subject: key)
          return key
        })
    }
  }

  struct Unset: Verb {
    static let configuration = CommandConfiguration(
      commandName: "unset",
      abstract: "Take keys out of the configuration file, so that their defaults are in effect.",
      discussion: "EXAMPLE: auricle config unset device.capture device.playback")

    @Argument(help: .init("Such as device.period.", valueName: "key"))
    var keys: [String]

    @OptionGroup var form: JSONOption
    @OptionGroup var file: ConfigurationOption

    func answer() throws -> ExitStatus {
      try show(
        Settings.change(file, keys) { (changed, key) throws(Failure) in
          try changed.unset(key, subject: key)
          return key
        })
    }
  }

  /// Changes the file for each argument, all or none.
  ///
  /// - Parameter change: Changes it for one, and returns the key.
  private static func change(
    _ file: ConfigurationOption, _ arguments: [String],
    _ change: (inout ConfigurationFile, String) throws(Failure) -> String
  ) throws -> DoneReport {
    // A file that is named may be for another machine.
    if file.file == nil { try DeviceGuard().refuse(.configuration) }
    var changed = try ConfigurationFile(ConfigurationSearch(explicit: file.file))
    let former = Result { () throws(ConfigurationFailures) in try hearing(changed) }
    let keys = try arguments.map { try change(&changed, $0) }
    let new = Result { () throws(ConfigurationFailures) in try hearing(changed) }
    // A start would be refused, and silence be the answer to a mistake in a name.
    if file.file == nil, case .failure(let failures) = new {
      let known = former.failures
      let added = failures.failures.filter { !known.contains($0) }
      guard added.isEmpty else { throw ConfigurationFailures(failures: added) }
    }
    try changed.save()
    var rise: String?
    if case .success(let former) = former, case .success(let new) = new {
      rise = OutputRoom.rise(from: former, to: new).map { "\($0)." }
    }
    return DoneReport(
      message:
        "\(changed.isNew ? "In the new file" : "In") \(changed.path): \(keys.joined(separator: ", ")). A running aid follows after: auricle reload.",
      notes: [rise].compactMap(\.self), file: changed.path)
  }

  private static func hearing(
    _ file: ConfigurationFile
  ) throws(ConfigurationFailures) -> HearingSettings {
    let loaded = try file.loaded()
    return try AidSettings(loaded).hearing.calibrated(for: loaded)
  }

  struct Reference: Verb {
    static let configuration = CommandConfiguration(
      commandName: "reference", abstract: "Print a configuration file of defaults with every key explained."
    )

    @OptionGroup var form: JSONOption

    func answer() throws -> ExitStatus {
      try show(Versioned(report: ["text": Configuration.reference]), Configuration.reference)
    }
  }
}

extension Result where Failure == ConfigurationFailures {
  /// Everything that is wrong; nothing in a success.
  fileprivate var failures: [Base.Failure] {
    if case .failure(let error) = self { error.failures } else { [] }
  }
}

extension JSONValue {
  /// The configuration in force, as `auricle config show --json` prints it: a schema, the file, none when
  /// all values are defaults, values by key, and where each comes from if that was asked for.
  init(_ loaded: LoadedConfiguration, withOrigins: Bool) {
    let literals = Configuration.schema.compactMap { setting in
      setting.value(in: loaded.configuration).map { (key: setting.key, text: $0) }
    }
    let origins = literals.map { Member(key: $0.key, value: .text(loaded.origin(of: $0.key))) }
    // Texts, numbers and lists are written in TOML as in JSON; what is not goes as the text that the file
    // has.
    let values = literals.map {
      Member(key: $0.key, value: (try? JSONValue([UInt8]($0.text.utf8))) ?? .text($0.text))
    }
    self = [
      "file": loaded.file.map(JSONValue.text), "origins": withOrigins ? .object(origins) : nil,
      // Grows when a key is added, changes its hundred when one is renamed or means something else.
      "schema": 100, "values": .object(values),
    ]
  }
}

/// `auricle reload`: the daemon reads its configuration again.
struct Reload: Verb {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Have the daemon read its configuration again.",
    discussion:
      "Errors in it are reported here, and the former one stays in force without a gap in the sound.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    var report = try socket.client().ask(SoundMethods.Reload())
    let parts = [
      ("In force now: ", report.applied), ("In force after a short mute: ", report.reopened),
      ("In force when the daemon is started again: ", report.restartNeeded), ("Refused: ", report.refused),
    ].filter { !$0.1.isEmpty }
    var lines = parts.map { $0.0 + $0.1.joined(separator: ", ") } + report.notes.map { "\($0)." }
    if parts.isEmpty { lines.insert("Nothing has changed.", at: 0) }
    if let fitting = report.fitting {
      let gain = GainText.clause(isFitted: fitting.isFitted, cap: fitting.gainCapDB)
      lines.append("\(gain.prefix(1).uppercased())\(gain.dropFirst()).")
      if let words = fitting.heldBackWords { lines.append(words) }
    }
    report.fitting = nil
    return try show(
      report, lines.joined(separator: "\n"), exit: report.refused.isEmpty ? .done : .unavailable)
  }
}

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
    if let file, audiogram || [".json", ".csv"].contains(where: { file.lowercased().hasSuffix($0) }) {
      return try answer(audiogram: file)
    }
    let loaded = try ConfigurationSearch(explicit: file).load().get()
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
    let heldBack = StatusReport.Fitting(hearing).heldBackWords
    // An empty name: no file, all values are defaults.
    return try tell(
      ["\(loaded.file ?? "no configuration file, defaults"): good, \(gain)"] + caveats
        + [heldBack].compactMap(\.self), of: loaded.file ?? "",
      hearing.findings, "fitted", .boolean(isFitted), calibration: caveats,
      cap: isFitted ? hearing.gainCap.map(JSONValue.number) : nil)
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
  ///   - calibration: Sentences on calibrations that count for less than they state.
  ///   - cap: Greatest gain while an end is not calibrated, dB; nil: none is held back, or nothing is
  ///     amplified.
  private func tell(
    _ lines: [String], of file: String, _ findings: [AudiogramReview.Finding], _ key: String,
    _ value: JSONValue, calibration: [String] = [], cap: JSONValue? = nil, exit status: ExitStatus = .done
  ) throws -> ExitStatus {
    func sentences(_ severity: AudiogramReview.Finding.Severity) -> JSONValue {
      .array(findings.filter { $0.severity == severity }.map { .text($0.sentence) })
    }
    let report: JSONValue = [
      "calibration_notes": calibration.isEmpty ? nil : .array(calibration.map(JSONValue.text)),
      "cautions": sentences(.caution), key: value, "file": .text(file), "gain_cap_db": cap,
      "notes": sentences(.note),
      // Grows when a key is added, changes its hundred when one is renamed or means something else.
      "schema": 104, "verdict": "good",
    ]
    let words = (lines + findings.map { $0.line(.plain) }).joined(separator: "\n")
    return try show(report, words, exit: status)
  }
}

/// Summary of one ear's audiogram, which shows swapped ears and missing frequencies.
struct AudiogramSummary {
  let ear: Ear
  let audiogram: Audiogram

  /// True when the NAL rules can derive gain from it: they need thresholds on both sides of their average.
  var isFittable: Bool { audiogram.covers(500...2000) }

  /// True when the ear was tested at too few frequencies.
  var isIncomplete: Bool { !audiogram.points.isEmpty && !isFittable }

  /// One line, `left: 250, 500, 1000 Hz, …, average of 500, 1000 and 2000 Hz 52 dB HL`.
  var text: String { "\(ear.rawValue): \(words)" }

  /// All thresholds of air conduction on one line, `left: 250 Hz 20, 500 Hz 30 dB HL`.
  var thresholds: String {
    let points = audiogram.airPoints.map {
      "\($0.frequency.shortText) Hz \($0.threshold.decibels.shortText)\($0.hasResponse ? "" : " (no response)")"
    }
    return "\(ear.rawValue): \(points.joined(separator: ", ")) dB HL"
  }

  /// Air and bone conduction by frequency, with the keys of `auricle rx show --json`; no average where 500
  /// to 2000 Hz are not covered.
  var json: JSONValue {
    func list(_ points: [Audiogram.Point]) -> JSONValue {
      .array(
        points.map { point in
          [
            "frequency_hz": .number(point.frequency), "masked": .boolean(point.isMasked),
            "response": .boolean(point.hasResponse), "threshold_db_hl": .number(point.threshold.decibels),
          ]
        })
    }
    return [
      "bone": list(audiogram.points.filter { $0.conduction == .bone }),
      "average_db_hl": audiogram.pureToneAverage.map { .number($0.decibels) },
      "fittable": .boolean(isFittable), "thresholds": list(audiogram.airPoints),
    ]
  }

  /// Tones without a response, masked thresholds and bone conduction, each with its frequencies.
  private var extras: String {
    let kinds: [(String, [Audiogram.Point])] = [
      ("no response at", audiogram.airPoints.filter { !$0.hasResponse }),
      ("masked at", audiogram.points.filter { $0.conduction == .air && $0.isMasked }),
      ("bone conduction at", audiogram.points.filter { $0.conduction == .bone && !$0.isMasked }),
      ("masked bone conduction at", audiogram.points.filter { $0.conduction == .bone && $0.isMasked }),
    ]
    return kinds.filter { !$0.1.isEmpty }.map { name, points in
      "; \(name) \(points.map(\.frequency.shortText).joined(separator: ", ")) Hz"
    }.joined()
  }

  private var words: String {
    guard !audiogram.points.isEmpty else { return "not tested, not fitted" }
    let points = audiogram.airPoints
    guard let lowest = points.first?.frequency, let highest = points.last?.frequency else {
      return "no air-conduction thresholds, which fitting needs"
    }
    var text = points.map(\.frequency.shortText).joined(separator: ", ") + " Hz"
    if let average = audiogram.pureToneAverage {
      text += "; average of 500, 1000 and 2000 Hz \(average.decibels.shortText) dB HL"
    }
    text += extras
    guard isIncomplete else { return text }
    let missing = [
      lowest > 500 ? "one at or below 500 Hz" : nil, highest < 2000 ? "one at or above 2000 Hz" : nil,
    ].compactMap(\.self)
    return text + "; missing for fitting by a NAL rule: \(missing.joined(separator: ", "))"
  }
}
