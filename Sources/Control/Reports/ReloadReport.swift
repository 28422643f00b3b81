/// What reading the configuration again led to, as `auricle reload --json` prints it.
public struct ReloadReport: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  public static let schema = 100

  public let schema: Int
  /// Keys whose new value, or whose file's new content, is in force.
  public let applied: [String]
  /// Keys for whose new value the devices were closed and opened again.
  public let reopened: [String]
  /// Keys whose new value waits until the daemon is started again.
  public let restartNeeded: [String]
  /// What could not be read again though the rest was, whole sentences.
  public let notes: [String]

  public init(applied: [String], reopened: [String], restartNeeded: [String], notes: [String] = []) {
    schema = Self.schema
    self.applied = applied
    self.reopened = reopened
    self.restartNeeded = restartNeeded
    self.notes = notes
  }

  /// When every difference was brought into effect as far as it can be.
  public init(_ change: ConfigurationChange) {
    self.init(
      applied: change.live, reopened: change.reopensDevices, restartNeeded: change.restartsDaemon)
  }

  /// From a daemon's answer; one from before there were a schema and notes says none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    schema = try values.decodeIfPresent(Int.self, forKey: .schema) ?? Self.schema
    applied = try values.decode([String].self, forKey: .applied)
    reopened = try values.decode([String].self, forKey: .reopened)
    restartNeeded = try values.decode([String].self, forKey: .restartNeeded)
    notes = try values.decodeIfPresent([String].self, forKey: .notes) ?? []
  }

  enum CodingKeys: String, CodingKey {
    case schema, applied, reopened, notes
    case restartNeeded = "restart_needed"
  }
}
