import Glibc

/// Finds and reads the configuration file.
public struct ConfigurationSearch: Sendable {
  private let explicit: String?
  private let environment: [String: String]
  private let paths: StandardPaths

  /// - Parameter explicit: The path given on the command line, if any.
  public init(
    explicit: String?, environment: [String: String] = ProcessEnvironment.variables,
    paths: StandardPaths = .current
  ) {
    self.explicit = explicit
    self.environment = environment
    self.paths = paths
  }

  /// The file to read, in this order: command line, `AURICLE_CONFIG`, the person's own, the system's; nil
  /// when there is none. A file that was named is taken whether it exists or not.
  public func file(exists: (String) -> Bool = { access($0, F_OK) == 0 }) -> String? {
    if let explicit { return explicit }
    if let named = environment["AURICLE_CONFIG"], !named.isEmpty { return named }
    return paths.configurationFiles.first(where: exists)
  }

  /// Reads the file, or gives defaults when there is none.
  ///
  /// - Returns: The configuration, or every failure in the order of its line; the first one's exit status is
  ///   the command's.
  public func load() -> Result<LoadedConfiguration, ConfigurationFailures> {
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
public struct ConfigurationFailures: Error, Sendable, Equatable {
  public let failures: [Failure]

  public init(failures: [Failure]) { self.failures = failures }
}
