import ArgumentParser
import Base
import Control
import Service

/// `auricle config`: the configuration in force, or a whole file to start from.
struct Settings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the configuration, or write one to start from.",
    subcommands: [Show.self, Reference.self])

  struct Show: Verb {
    static let configuration = CommandConfiguration(abstract: "Print every value in effect.")

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

  struct Reference: Verb {
    static let configuration = CommandConfiguration(
      abstract: "Print a configuration file of defaults with every key explained.")

    @OptionGroup var form: JSONOption

    func answer() throws -> ExitStatus {
      try show(Versioned(report: ["text": Configuration.reference]), Configuration.reference)
    }
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
    abstract: "Have the daemon read its configuration again.",
    discussion:
      "Errors in it are reported here, and the former one stays in force without a gap in the sound.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    var report = try socket.client().ask(SoundMethods.Reload())
    let parts = [
      ("In force now: ", report.applied), ("In force after a short mute: ", report.reopened),
      ("In force when the daemon is started again: ", report.restartNeeded),
    ].filter { !$0.1.isEmpty }
    var lines = parts.map { $0.0 + $0.1.joined(separator: ", ") } + report.notes.map { "\($0)." }
    if parts.isEmpty { lines.insert("Nothing has changed.", at: 0) }
    if let fitting = report.fitting {
      let gain = GainText.clause(isFitted: fitting.isFitted, cap: fitting.gainCapDB)
      lines.append("\(gain.prefix(1).uppercased())\(gain.dropFirst()).")
    }
    report.fitting = nil
    return try show(report, lines.joined(separator: "\n"))
  }
}
