/// A configuration and where each of its values comes from.
public struct LoadedConfiguration: Sendable, Equatable {
  public let configuration: Configuration
  /// The file that was read; nil: none, all values are defaults.
  public let file: String?
  /// Line of each key that the file sets.
  public let lines: [String: Int]
  /// The file's bytes, as they were read.
  public let content: [UInt8]

  /// Defaults, from no file.
  public static let defaults = LoadedConfiguration(
    configuration: Configuration(), file: nil, lines: [:], content: [])

  /// Where the value of `key` comes from: `/etc/auricle/auricle.toml:3`, or `default`.
  public func origin(of key: String) -> String {
    guard let file, let line = lines[key] else { return "default" }
    return "\(file):\(line)"
  }

  /// Every value with its origin, one a line, for `config show`: `device.period = 64  # default`.
  public var text: String {
    Configuration.schema.map { setting in
      let value = setting.value(in: configuration)
      let origin = origin(of: setting.key)
      guard let value else { return "# \(setting.key) is not set\n" }
      return "\(setting.key) = \(value)  # \(origin)\n"
    }.joined()
  }
}
