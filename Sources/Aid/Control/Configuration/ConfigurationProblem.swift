import Base
import Glibc

/// One thing wrong in a configuration file.
package struct ConfigurationProblem: Sendable, Hashable {
  /// Line, from 1; nil when the problem has no place in the file.
  package let line: Int?
  /// Dotted path of the key; empty for a problem of the whole file.
  package let key: String
  /// What stands there, `device.period = 8 frames`.
  package let found: String
  package let expected: String
  /// What was probably meant.
  package let hint: String?
}

/// Why a configuration file cannot be used: everything that is wrong with it, in the order of its lines.
package struct ConfigurationError: Error, Sendable, Equatable {
  /// Path of the file, as it was named.
  package let file: String
  /// At least one.
  package let problems: [ConfigurationProblem]

  /// One failure per problem; the subject is `file:line`.
  package var failures: [Failure] {
    problems.map { problem in
      Failure(
        problem.line.map { "\(file):\($0)" } ?? file,
        found: problem.found, expected: problem.expected, remedy: problem.hint,
        exit: .configuration)
    }
  }
}

/// What differs between two configurations, by what it takes to bring each difference into effect.
package struct ConfigurationChange: Sendable, Equatable {
  /// Keys whose new value is applied to running sound.
  package let live: [String]
  /// Keys whose new value takes effect when the devices are opened again.
  package let reopensDevices: [String]
  /// Keys whose new value takes effect when the daemon is started again.
  package let restartsDaemon: [String]

  package init(from old: Configuration, to new: Configuration) {
    let changed = Configuration.schema.filter { $0.value(in: old) != $0.value(in: new) }
    live = changed.filter { $0.change == .live }.map(\.key)
    reopensDevices = changed.filter { $0.change == .reopensDevices }.map(\.key)
    restartsDaemon = changed.filter { $0.change == .restartsDaemon }.map(\.key)
  }

  package var isEmpty: Bool { live.isEmpty && reopensDevices.isEmpty && restartsDaemon.isEmpty }
}

/// Finds and reads the configuration file.
package struct ConfigurationSearch: Sendable {
  private let explicit: String?
  private let environment: [String: String]
  private let paths: StandardPaths

  /// - Parameter explicit: The path given on the command line, if any.
  package init(
    explicit: String?, environment: [String: String] = ProcessEnvironment.variables,
    paths: StandardPaths = .current
  ) {
    self.explicit = explicit
    self.environment = environment
    self.paths = paths
  }

  /// The file to read, in this order: command line, `AURICLE_CONFIG`, the person's own, the system's; nil
  /// when there is none. A file that was named is taken whether it exists or not.
  package func file(exists: (String) -> Bool = { access($0, F_OK) == 0 }) -> String? {
    if let explicit { return explicit }
    if let named = environment["AURICLE_CONFIG"], !named.isEmpty { return named }
    return paths.configurationFiles.first(where: exists)
  }

  /// Reads the file, or gives defaults when there is none.
  ///
  /// - Returns: The configuration, or every failure in the order of its line; the first one's exit status is
  ///   the command's.
  package func load() -> Result<LoadedConfiguration, ConfigurationFailures> {
    guard let file = file() else { return .success(.defaults) }
    do throws(Failure) {
      let bytes = try FileContent.bytes(of: file, limit: Configuration.maximumFileSize)
      do throws(ConfigurationError) {
        return .success(try Configuration.reading(bytes, file: file))
      } catch {
        return .failure(ConfigurationFailures(failures: error.failures))
      }
    } catch {
      return .failure(ConfigurationFailures(failures: [error]))
    }
  }
}

/// Why no configuration could be loaded; at least one failure.
package struct ConfigurationFailures: Error, Sendable, Equatable {
  package let failures: [Failure]

  package init(failures: [Failure]) { self.failures = failures }
}

/// A configuration and where each of its values comes from.
package struct LoadedConfiguration: Sendable, Equatable {
  package let configuration: Configuration
  /// The file that was read; nil: none, all values are defaults.
  package let file: String?
  /// Line of each key that the file sets.
  package let lines: [String: Int]
  /// The file's bytes, as they were read.
  package let content: [UInt8]

  /// Defaults, from no file.
  package static let defaults = LoadedConfiguration(
    configuration: Configuration(), file: nil, lines: [:], content: [])

  /// Where the value of `key` comes from: `/etc/auricle/auricle.toml:3`, or `default`.
  package func origin(of key: String) -> String {
    guard let file, let line = lines[key] else { return "default" }
    return "\(file):\(line)"
  }

  /// Every value with its origin, one a line, for `config show`: `device.period = 64  # default`.
  package var text: String {
    Configuration.schema.map { setting in
      let value = setting.value(in: configuration)
      let origin = origin(of: setting.key)
      guard let value else { return "# \(setting.key) is not set\n" }
      return "\(setting.key) = \(value)  # \(origin)\n"
    }.joined()
  }
}
