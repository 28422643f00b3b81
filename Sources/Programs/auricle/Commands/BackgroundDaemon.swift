import Base
import Control
import Glibc
import Service

/// A daemon of the caller's own, in the background, that ends when sound is stopped.
struct BackgroundDaemon {
  private let socket: String?
  private let configurationFile: String?
  private let log: String

  init(socket: String?, configurationFile: String?) {
    (self.socket, self.configurationFile) = (socket, configurationFile)
    log = Self.logs.first(where: Self.begin) ?? "/dev/null"
  }

  /// Begins an empty log; why the last daemon ended, which may be all that tells what was wrong, stays in a file beside it.
  ///
  /// Without a log there would be nothing to say why it ended; but a disk without room for one is no reason for silence. A folder that is
  /// not needed is not made: the daemon takes the one of its socket away with it where it made it.
  ///
  /// - Returns: False where none can be made.
  private static func begin(_ log: String) -> Bool {
    _ = StateFolder.prepare(FilePath.folder(of: log))
    // One that cannot be moved is another's, or lies where nothing can be written.
    guard rename(log, log + ".1") == 0 || errno == ENOENT else { return false }
    let descriptor = open(log, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Paths of its log; the first that can be written is used.
  static var logs: [String] {
    let paths = StandardPaths.current
    return [paths.stateDirectory, paths.runtimeDirectory].map { $0 + "/auricled.log" }
  }

  /// Place of the messages of the last daemon of a socket: a file or a command; both where it may have been started in either way.
  static func logPlace(ofSocket path: String) -> String {
    guard path != DeviceGuard.socket else { return "journalctl -u auricled" }
    // The one that was written to last.
    let kept = logs.compactMap { log in lastWritten(log).map { (log, $0) } }.max { $0.1 < $1.1 }?.0
    let journal = "journalctl --user -u auricled"
    return kept.map { "\($0), or, of one that was started at login: \(journal)" } ?? journal
  }

  /// s since 1970-01-01; nil for one that is not there.
  private static func lastWritten(_ log: String) -> Double? {
    var status = stat()
    guard stat(log, &status) == 0 else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) * 1e-9
  }

  /// Starts it and waits until it answers.
  ///
  /// - Throws: ``Failure`` when it cannot be started, or ends before it answers: then with its own words.
  func started() throws(Failure) -> ControlClient {
    let child = try launch()
    let path = socket ?? SocketOption.configured(by: configurationFile) ?? StandardPaths.current.socket
    // 10 s: FFTW measures for a tenth when it starts for the first time; the rest is a slow disk.
    for _ in 0..<500 {
      // A refusal reads files for its advice, which nobody sees here.
      if path.hasPrefix("@") || access(path, F_OK) == 0, let client = try? ControlClient(path: path),
        (try? client.ask(ReportMethods.Status())) != nil
      {
        return client
      }
      var status: Int32 = 0
      if waitpid(child, &status, WNOHANG) == child { throw ended(status) }
      usleep(20_000)
    }
    throw Failure(
      "auricled", inWords: "Process \(child) has not answered on \(path) for 10 s",
      remedy: "Its messages are in \(log).", exit: .unavailable)
  }

  // MARK: - Launching

  private func launch() throws(Failure) -> pid_t {
    var arguments = ["--ends-when-stopped", "--guarded"]
    if let socket { arguments += ["--socket", socket] }
    if let configurationFile {
      arguments += ["--config", (try? AbsolutePath.of(configurationFile)) ?? configurationFile]
    }

    do throws(SystemError) {
      // This file under its other name; it may have been replaced on the disk since.
      return try ProgramLaunch.start(
        "/proc/self/exe", named: "auricled", arguments,
        streams: [
          .file("/dev/null", flags: O_RDONLY), .file(log, flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND),
          .descriptor(STDOUT_FILENO),
        ], isSessionLeader: true)
    } catch { throw Failure("auricled", inWords: "It cannot be started: \(error.words)", exit: .system) }
  }

  // MARK: - Afterwards

  /// Last messages of a daemon that ended, as far as they can be read; its exit status becomes this
  /// command's.
  private func ended(_ status: Int32) -> Failure {
    let code =
      switch ProcessEnding(status: status) {
      case .exit(let status): status
      case .signal(let number): 128 + number
      }
    let bytes = (try? FileContent.bytes(of: log, limit: 1 << 20)) ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let said = lines.filter { $0.hasPrefix("auricled: ") }.map { String($0.dropFirst(10)) }
    let words = (said.isEmpty ? Array(lines.suffix(3)) : said).joined(separator: " ")
    return Failure(
      "auricled", inWords: words.isEmpty ? "It ended at once" : words,
      exit: ExitStatus(rawValue: code) ?? .software)
  }
}
