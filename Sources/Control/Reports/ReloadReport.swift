/// What reading the configuration again led to.
public struct ReloadReport: Sendable, Codable, Hashable {
  /// Keys whose new value, or whose file's new content, is in force.
  public let applied: [String]
  /// Keys for whose new value the devices were closed and opened again.
  public let reopened: [String]
  /// Keys whose new value waits until the daemon is started again.
  public let restartNeeded: [String]
  /// What could not be read again though the rest was, whole sentences.
  public let notes: [String]

  public init(applied: [String], reopened: [String], restartNeeded: [String], notes: [String] = []) {
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

  enum CodingKeys: String, CodingKey {
    case applied, reopened, notes
    case restartNeeded = "restart_needed"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      applied: try values.decode([String].self, forKey: .applied),
      reopened: try values.decode([String].self, forKey: .reopened),
      restartNeeded: try values.decode([String].self, forKey: .restartNeeded),
      // A former daemon has none.
      notes: try values.decodeIfPresent([String].self, forKey: .notes) ?? [])
  }
}
