public import Base
import CLinux

/// The last line of the log: which signal ended the process, and where.
public enum FatalSignals {
  /// Writes that line when a signal ends the process, which then ends by that signal as it otherwise would.
  ///
  /// Covers faults of the program, such as a failed check of Swift's, and signals of others whose default
  /// action is the end. SIGKILL leaves no time for a line.
  ///
  /// - Parameters:
  ///   - descriptor: Of the log.
  ///   - isJournal: True begins a line with its syslog priority instead of the time.
  /// - Throws: ``SystemError`` when a handler cannot be installed.
  /// - Threads: main, before any other exists; it gets a signal stack, as every ``RealtimeThread`` has one.
  public static func report(to descriptor: Int32, isJournal: Bool) throws(SystemError) {
    // Kept until the process ends.
    _ = unsafe clinux_take_signal_stack()
    let result = clinux_report_fatal_signals(descriptor, isJournal ? 1 : 0)
    guard result == 0 else { throw SystemError(call: "sigaction", code: -result) }
  }
}
