import Glibc

/// Writes messages to standard error, in the form its reader wants.
///
/// - Threads: any but audio.
package struct MessageLog: Sendable {
  /// Least important message that is written.
  package let threshold: LogLevel
  /// True when standard error goes to the journal.
  package let isJournal: Bool
  private let descriptor: Int32

  package init(
    threshold: LogLevel, environment: [String: String] = ProcessEnvironment.variables,
    descriptor: Int32 = STDERR_FILENO
  ) {
    self.threshold = threshold
    self.descriptor = descriptor
    isJournal = Self.isJournal(descriptor, environment["JOURNAL_STREAM"])
  }

  package func write(_ level: LogLevel, _ message: String) { write(LogLine(level, message)) }

  /// Writes the line whole, so that lines of several threads do not mix; what cannot be written is lost.
  ///
  /// It is one line, whatever it quotes: a line break in text from outside, in a path for instance, would begin a line that nobody
  /// has written. A report of several lines is written line by line.
  ///
  /// - Parameter time: When it was said, s since 1970-01-01 UTC; nil: now.
  package func write(_ line: LogLine, at time: Double? = nil) {
    guard line.level >= threshold else { return }
    let whole = line.onOneLine
    let text = isJournal ? whole.journal : whole.plain(at: time ?? SystemTime.wall)
    let bytes = [UInt8](text.utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }

  /// `JOURNAL_STREAM` names device and inode of the journal's stream (systemd.exec(5)); standard error may
  /// have been sent elsewhere since.
  private static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
    guard let parts = stream?.split(separator: ":"), parts.count == 2, let device = UInt64(parts[0]),
      let inode = UInt64(parts[1])
    else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }
}

/// Severity of a message; names and numbers of syslog (RFC 5424, 6.2.1).
package enum LogLevel: String, Sendable, CaseIterable, Codable, Comparable {
  case error, warning, notice, info, debug

  /// Syslog's severity, 3 (error) to 7 (debug).
  package var severity: Int { 3 + (Self.allCases.firstIndex(of: self) ?? 0) }

  /// A lesser level is less important.
  package static func < (a: LogLevel, b: LogLevel) -> Bool { a.severity > b.severity }
}

/// One message as it is written to standard error.
package struct LogLine: Sendable, Equatable {
  package let level: LogLevel
  package let message: String

  package init(_ level: LogLevel, _ message: String) {
    self.level = level
    self.message = message
  }

  /// The same with its line breaks replaced.
  package var onOneLine: LogLine { LogLine(level, Self.printable(message)) }

  /// For the journal: every line begins with its syslog priority, `<6>` (sd-daemon(3)).
  package var journal: String { lines(after: "<\(level.severity)>") }

  /// For a terminal or file: local time, level, message.
  ///
  /// - Parameter time: s since 1970-01-01 UTC.
  package func plain(at time: Double) -> String {
    lines(after: "\(Timestamp(time).stamp) \(level.rawValue): ")
  }

  private func lines(after start: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "\(start)\(Self.printable($0))\n" }.joined()
  }

  /// Control characters, which could act on a terminal, as `?`.
  package static func printable(_ text: some StringProtocol) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      scalars.append(isControl && scalar != "\t" ? "?" : scalar)
    }
    return String(scalars)
  }
}
