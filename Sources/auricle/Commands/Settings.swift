import ArgumentParser
import Control

/// `auricle config`: the configuration in force, or a whole file to start from.
struct Settings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the configuration, or write one to start from.",
    subcommands: [Show.self, Reference.self])

  struct Show: Verb {
    static let configuration = CommandConfiguration(abstract: "Print every value that would be used.")

    @Flag(help: "Say for each value which file and line it comes from.")
    var origin = false

    @Flag(help: "Answer in JSON, for programs.")
    var json = false

    @OptionGroup var file: ConfigurationOption

    var isForPrograms: Bool { json }

    func answer() throws(ConfigurationFailures) -> ExitStatus {
      let loaded = try ConfigurationSearch(explicit: file.file).load().get()
      if json {
        print(try self.json(ShownConfiguration(loaded, withOrigins: origin)))
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

    func answer() throws(ConfigurationFailures) -> ExitStatus {
      print(Configuration.reference, terminator: "")
      return .done
    }
  }
}
