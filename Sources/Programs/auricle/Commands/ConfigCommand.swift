import ArgumentParser
import Base
import Control
import Engine
import Glibc
import Service

/// `auricle config`: the configuration in force, one key of it set, or a whole file to start from.
struct ConfigCommand: ParsableCommand {
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
      return try show(JSONValue(loaded, withOrigins: origin), loaded.text(withOrigins: origin))
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
      let folder = FilePath.folder(of: try AbsolutePath.of("file"))
      return try show(
        ConfigCommand.change(file, assignments) { (changed, assignment) throws(Failure) in
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
        ConfigCommand.change(file, keys) { (changed, key) throws(Failure) in
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
    let search = ConfigurationSearch(explicit: file.file)
    let read = search.file()
    let aid = runningAid
    var changed = try ConfigurationFile(search)
    let former = Result { () throws(ConfigurationFailures) in try hearing(changed) }
    let keys = try arguments.map { try change(&changed, $0) }
    let new = Result { () throws(ConfigurationFailures) in try hearing(changed) }
    // A start would be refused, and silence be the answer to a mistake in a name.
    if file.file == nil, case .failure(let failures) = new {
      let added = added(failures.failures, to: former.failures, in: changed.path)
      guard added.isEmpty else { throw ConfigurationFailures(failures: added) }
    }
    try changed.save()
    var rise: String?
    if case .success(let former) = former, case .success(let new) = new {
      rise = OutputRoom.rise(from: former, to: new).map { "\($0)." }
    }
    let place = "\(changed.isNew ? "In the new file" : "In") \(changed.path)"
    let consequence = consequence(ofWriting: changed.path, read: read, by: aid)
    return DoneReport(
      message: "\(place): \(keys.joined(separator: ", ")). \(consequence)",
      notes: [rise].compactMap(\.self), file: changed.path)
  }

  /// Failures that were not there before, on whichever line they were: a key that is set or taken out moves all below it.
  ///
  /// - Parameter file: The configuration.
  static func added(_ failures: [Failure], to former: [Failure], in file: String) -> [Failure] {
    let known = former.map { $0.words(withoutLinesOf: file) }
    return failures.filter { !known.contains($0.words(withoutLinesOf: file)) }
  }

  // MARK: - The aid that runs

  /// An aid that runs.
  struct RunningConfiguration {
    /// The file that it has read; nil: none, so that all values are defaults.
    let file: String?
    /// True for a process of this user.
    let isOwn: Bool
  }

  /// The aid that would be asked to reload; nil: none answers.
  private static var runningAid: RunningConfiguration? {
    let paths = StandardPaths.current
    let socket = paths.clientSocket(explicit: paths.namedSocket, configured: SocketOption.configured())
    // Where a service manager keeps the socket, a connection would start one.
    guard DaemonTrace(ofSocket: socket) != .absent,
      let client = try? ControlClient(path: socket, timeout: 2),
      let status = try? client.ask(ReportMethods.Status())
    else { return nil }
    return RunningConfiguration(file: status.configurationFile, isOwn: client.peerUserID == geteuid())
  }

  /// Sentence on whether an aid follows the file that was written.
  ///
  /// - Parameters:
  ///   - read: The file that was in effect before; nil: there was none.
  ///   - aid: Nil: none answers.
  static func consequence(
    ofWriting path: String, read: String?, by aid: RunningConfiguration?
  ) -> String {
    let follows = "A running aid follows after: auricle reload."
    let copied = read.flatMap { FilePath.isSame(path, $0) ? nil : $0 }
    guard let aid else {
      guard let copied else { return follows }
      return "It began as a copy of \(copied), and an aid that reads that one does not follow. "
        + instead(copied)
    }
    guard let file = aid.file else {
      return aid.isOwn ? follows : "The aid that runs is another user's, which does not read this file."
    }
    if FilePath.isSame(path, file) { return follows }
    // One's own finds its file as this command does, unless it was given one.
    if aid.isOwn, let copied, FilePath.isSame(file, copied) {
      return "It began as a copy of \(copied). \(follows)"
    }
    return "The aid that runs reads another file, \(file), and does not follow. \(instead(file))"
  }

  private static func instead(_ file: String) -> String {
    let isRoots = access(FilePath.folder(of: file), W_OK) != 0
    return "To change that one: \(setting(["KEY=VALUE"], in: file, asRoot: isRoots))"
  }

  /// Command that sets keys.
  ///
  /// - Parameters:
  ///   - keys: With their values, each a word.
  ///   - file: Nil: the one that the command finds.
  ///   - isRoots: True for a file that this user may not change.
  static func setting(_ keys: [String], in file: String?, asRoot isRoots: Bool) -> String {
    let keys = keys.map(\.shellWord).joined(separator: " ")
    guard let file else { return "auricle config set \(keys)" }
    return "\(isRoots ? "sudo " : "")auricle config set --config \(file.shellWord) \(keys)"
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

extension Failure {
  /// The message without the numbers of a file's lines.
  fileprivate func words(withoutLinesOf file: String) -> String {
    var (words, rest) = ("", message[...])
    while let place = rest.firstRange(of: file + ":") {
      words += rest[..<place.upperBound]
      rest = rest[place.upperBound...].drop { $0.isNumber }
    }
    return words + rest
  }
}

extension JSONValue {
  /// The configuration in force, as `auricle config show --json` prints it: a schema, the file, none when
  /// all values are defaults, values by key, and where each comes from if that was asked for. A value that a calibration has in place of
  /// the default is left out.
  init(_ loaded: LoadedConfiguration, withOrigins: Bool) {
    let literals = Configuration.schema.filter { loaded.calibration(insteadOf: $0.key) == nil }
      .compactMap { setting in
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
