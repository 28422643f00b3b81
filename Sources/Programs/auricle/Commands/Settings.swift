import ArgumentParser
import Base
import Control
import Engine
import Service

/// `auricle config`: the configuration in force, or a whole file to start from.
struct Settings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the configuration, or write one to start from.",
    subcommands: [Show.self, Reference.self])

  struct Show: Verb {
    static let configuration = CommandConfiguration(abstract: "Print every value in effect.")

    @Flag(help: "Show file and line of each value.")
    var origin = false

    @OptionGroup var form: JSONOption

    @OptionGroup var file: ConfigurationOption

    var isForPrograms: Bool { form.json }

    func answer() throws(ConfigurationFailures) -> ExitStatus {
      let loaded = try ConfigurationSearch(explicit: file.file).load().get()
      if form.json {
        print(JSONValue(loaded, withOrigins: origin).minified)
        return .done
      }
      if origin {
        print(loaded.text, terminator: "")
        return .done
      }
      for setting in Configuration.schema {
        guard let value = setting.value(in: loaded.configuration) else { continue }
        print("\(setting.key) = \(value)")
      }
      return .done
    }
  }

  struct Reference: Verb {
    static let configuration = CommandConfiguration(
      abstract: "Print a configuration file of defaults with every key explained.")

    @OptionGroup var form: JSONOption

    var isForPrograms: Bool { form.json }

    func answer() throws(ConfigurationFailures) -> ExitStatus {
      let reference = Configuration.reference
      print(
        form.json ? try json(Versioned(report: ["text": reference])) : reference,
        terminator: form.json ? "\n" : "")
      return .done
    }
  }
}

extension JSONValue {
  /// The configuration in force, as `auricle config show --json` prints it: a schema, the file, none when all values
  /// are defaults, values by key, and where each comes from if that was asked for.
  init(_ loaded: LoadedConfiguration, withOrigins: Bool) {
    let literals = Configuration.schema.compactMap { setting in
      setting.value(in: loaded.configuration).map { (key: setting.key, text: $0) }
    }.sorted { $0.key < $1.key }
    let origins = literals.map { Member(key: $0.key, value: .text(loaded.origin(of: $0.key))) }
    // Texts, numbers and lists are written in TOML as in JSON; what is not goes as the text that the file has.
    let values = literals.map {
      Member(key: $0.key, value: (try? JSONValue([UInt8]($0.text.utf8))) ?? .text($0.text))
    }
    self = .object(
      (loaded.file.map { [Member(key: "file", value: .text($0))] } ?? [])
        + (withOrigins ? [Member(key: "origins", value: .object(origins))] : [])
        // Grows when a key is added, changes its hundred when one is renamed or means something else.
        + [Member(key: "schema", value: .number(100)), Member(key: "values", value: .object(values))])
  }
}

/// A good configuration, as `auricle check --json` prints it: what the line of text says.
struct CheckedConfiguration: Encodable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private static let schema = 101

  private let schema = Self.schema
  /// Empty: no file, all values are defaults.
  private let file: String
  private let verdict = "good"
  private let isFitted: Bool
  /// Greatest gain while an end is not calibrated, dB; nil: none is held back, or nothing is amplified.
  private let gainCap: Double?
  /// One sentence each.
  private let cautions: [String]

  init(_ file: String?, _ hearing: HearingSettings) {
    self.file = file ?? ""
    isFitted = !hearing.fittedEars.isEmpty
    gainCap = isFitted ? hearing.gainCap : nil
    cautions = hearing.needlessGains.map(\.sentence)
  }

  enum CodingKeys: String, CodingKey {
    case schema, file, verdict, cautions
    case isFitted = "fitted"
    case gainCap = "gain_cap_db"
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

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    var report = try one { () throws(Failure) in try socket.client().ask(SoundMethods.Reload()) }
    let fitting = report.fitting
    if form.json {
      report.fitting = nil
      print(try json(report))
      return .done
    }
    let parts = [
      ("In force now: ", report.applied), ("In force after a short mute: ", report.reopened),
      ("In force when the daemon is started again: ", report.restartNeeded),
    ].filter { !$0.1.isEmpty }
    print(
      parts.isEmpty
        ? "Nothing has changed." : parts.map { $0.0 + $0.1.joined(separator: ", ") }.joined(separator: "\n")
    )
    for note in report.notes { print("\(note).") }
    if let fitting {
      let gain = GainText.clause(isFitted: fitting.isFitted, cap: fitting.gainCapDB)
      print("\(gain.prefix(1).uppercased())\(gain.dropFirst()).")
    }
    return .done
  }
}
