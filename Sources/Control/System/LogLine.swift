import Glibc

/// One message as it is written to standard error.
public struct LogLine: Sendable, Equatable {
  public let level: LogLevel
  public let message: String

  public init(_ level: LogLevel, _ message: String) {
    self.level = level
    self.message = message
  }

  /// For the journal: every line begins with its syslog priority, `<6>` (sd-daemon(3)).
  public var journal: String {
    message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "<\(level.severity)>\(Self.printable($0))\n" }.joined()
  }

  /// For a terminal or file: local time, level, message.
  ///
  /// - Parameter time: s since 1970-01-01 UTC.
  public func plain(at time: Double) -> String {
    let stamp = Timestamp(time).text
    return message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "\(stamp) \(level.rawValue): \(Self.printable($0))\n" }.joined()
  }

  /// Control characters, which could act on a terminal, as `?`.
  static func printable(_ text: some StringProtocol) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      scalars.append(isControl && scalar != "\t" ? "?" : scalar)
    }
    return String(scalars)
  }
}
