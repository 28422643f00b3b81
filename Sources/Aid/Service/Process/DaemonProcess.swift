import Base
import CLinux
import Control
import Glibc
import Realtime

/// A whole daemon as one call: what `auricled` and `auricle run` are.
package enum DaemonProcess {
  /// Runs a daemon until it is told to end.
  ///
  /// In this order: configuration, lock and socket, sound, service. What fails is written to standard
  /// error.
  ///
  /// - Parameters:
  ///   - options: From the command line.
  ///   - program: Name for messages.
  /// - Returns: Exit status of the process.
  /// - Threads: the main thread, before any other exists.
  package static func run(_ options: DaemonOptions, program: String) -> ExitStatus {
    do throws(ConfigurationFailures) {
      return try carryOut(options)
    } catch {
      // Who sits at a terminal has asked; everything else keeps what it gets.
      let failures = FailureText(program: program, isLog: isatty(STDERR_FILENO) == 0)
      let text = [UInt8](failures.text(for: error.failures).utf8)
      _ = write(STDERR_FILENO, text, text.count)
      return FailureText.exitStatus(for: error.failures)
    }
  }

  /// Prepares the process before it is a daemon: room for its files, privacy, somebody who starts it again,
  /// and a last line for the log. Then it is one.
  private static func carryOut(_ options: DaemonOptions) throws(ConfigurationFailures) -> ExitStatus {
    umask(0o077)
    Heap.keepSmall()
    // Its name would be that of the file it was started from: a link's in a ward, and in `auricle run` that of every command, by which the
    // package's removal could not tell what plays (debian/auricle.prerm).
    clinux_set_thread_name("auricled")
    // Before a file of the daemon's own has the number of a socket that was promised and is not there.
    let passed = try ConfigurationFailures.one { () throws(Failure) in try PassedSocket.take() }
    PrivateMemory.begin()
    let log = MessageLog(threshold: .info)
    try ConfigurationFailures.one { () throws(Failure) in try ProcessLimits.prepare() }
    try ConfigurationFailures.one { () throws(Failure) in try DeviceGuard().refuse(.daemon) }
    if options.isGuarded { Guardian.run(options, log: log) }
    let ward = options.ward.flatMap { Guardian.Ward($0) }
    ward?.prepareProcess()
    do {
      try FatalSignals.report(to: STDERR_FILENO, isJournal: log.isJournal)
    } catch { log.write(.warning, "a crash leaves no line here: \(error)") }
    let inbox = try ConfigurationFailures.one { () throws(Failure) in try SignalInbox() }
    let outcome = try DaemonStart(options, ward).supervisor(passed).run(inbox)
    // An audio thread that a device holds up, or a disk that does not answer, cannot be waited for; the
    // kernel takes them along.
    if !outcome.isOrderly { _exit(outcome.status.rawValue) }
    return outcome.status
  }
}

extension ConfigurationFailures {
  /// One failure as a list.
  static func one<Value: ~Copyable>(
    _ body: () throws(Failure) -> Value
  ) throws(ConfigurationFailures) -> Value {
    do throws(Failure) { return try body() } catch { throw ConfigurationFailures(failures: [error]) }
  }
}
