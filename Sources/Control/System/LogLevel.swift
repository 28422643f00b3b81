/// How important a message is; names and numbers of syslog (RFC 5424, 6.2.1).
public enum LogLevel: String, Sendable, CaseIterable, Codable {
  case error, warning, notice, info, debug

  /// Syslog's severity, 3 (error) to 7 (debug).
  public var severity: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug: 7
    }
  }
}

extension LogLevel: Comparable {
  /// A lesser level is less important.
  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.severity > b.severity }
}
