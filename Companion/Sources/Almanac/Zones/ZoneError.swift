/// A time zone that cannot be used.
public enum ZoneError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name is not of the form of the zone database's, such as `Europe/Berlin`.
  case wrongName(String)
  /// The system does not know it.
  case unknown(String, folder: String)
  /// Its file cannot be read, or is not one of a time zone.
  case unusable(String, reason: String)

  public var description: String {
    switch self {
    case .wrongName(let name): "found the time zone \"\(name)\"; expected a name such as Europe/Berlin"
    case .unknown(let name, let folder):
      "found the time zone \(name), which \(folder) does not have; install tzdata, or correct the name"
    case .unusable(let name, let reason): "the time zone \(name) cannot be used: \(reason)"
    }
  }
}
