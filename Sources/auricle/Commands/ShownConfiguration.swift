import Control

/// The configuration in force, as `auricle config show --json` prints it.
struct ShownConfiguration: Encodable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private static let schema = 100

  private let schema = Self.schema
  /// Nil: none was read, all values are defaults.
  private let file: String?
  /// By key, `device.period`; one that is not set is absent.
  private let values: [String: JSONValue]
  /// File and line of each value, or `default`; nil: not asked for.
  private let origins: [String: String]?

  init(_ loaded: LoadedConfiguration, withOrigins: Bool) {
    file = loaded.file
    let literals = Configuration.schema.compactMap { setting in
      setting.value(in: loaded.configuration).map { (setting.key, $0) }
    }
    // Texts, numbers and lists are written in TOML as in JSON; what is not goes as the text that the file has.
    values = Dictionary(
      uniqueKeysWithValues: literals.map { key, literal in
        (key, (try? JSON.value(JSONValue.self, from: [UInt8](literal.utf8))) ?? .string(literal))
      })
    origins =
      withOrigins
      ? Dictionary(uniqueKeysWithValues: literals.map { key, _ in (key, loaded.origin(of: key)) }) : nil
  }
}
