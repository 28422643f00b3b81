import Glibc

/// Writes messages to standard error, in the form its reader wants.
///
/// - Threads: any but audio.
public struct MessageLog: Sendable {
  /// Least important message that is written.
  public let threshold: LogLevel
  /// Whether standard error goes to the journal.
  public let isJournal: Bool
  private let descriptor: Int32

  public init(
    threshold: LogLevel, environment: [String: String] = ProcessEnvironment.variables,
    descriptor: Int32 = STDERR_FILENO
  ) {
    self.threshold = threshold
    self.descriptor = descriptor
    isJournal = Self.isJournal(descriptor, environment["JOURNAL_STREAM"])
  }

  public func write(_ level: LogLevel, _ message: String) { write(LogLine(level, message)) }

  /// Writes the line whole, so that lines of several threads do not mix; what cannot be written is lost.
  ///
  /// - Parameter time: When it was said, s since 1970-01-01 UTC; nil: now.
  public func write(_ line: LogLine, at time: Double? = nil) {
    guard line.level >= threshold else { return }
    let text = isJournal ? line.journal : line.plain(at: time ?? Timestamp.now)
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
