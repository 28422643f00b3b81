import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle metrics`: figures of the daemon for monitoring.
struct Metrics: Verb {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Print figures of the daemon for monitoring (OpenMetrics).",
    discussion: """
      State, drop-outs, restarts, delay, priority; nothing about anybody's hearing. Without a daemon: auricle_up 0, and exit status 0. \
      auricle-metrics.timer writes them every 15 s for node_exporter once it is enabled.
      """)

  @Option(
    name: .shortAndLong,
    help: .file("Write them to this file, whole or not at all, for everybody to read."), completion: .file()
  )
  var output: String?

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let text = MetricsText(try report()).text
    guard let output else { return try show(Versioned(report: ["text": text]), text) }
    // The collector is another user, whatever this one's umask is.
    umask(0o022)
    do throws(SystemError) {
      try WholeFile.output([UInt8](text.utf8), to: output, mode: 0o644)
    } catch { throw Failure.writing(output, error) }
    guard isForPrograms else { return .done }
    return try show(DoneReport(message: "In \(output).", file: output))
  }

  /// The daemon's report; nil where none answers: then this is what is to be told, and no failure of the command, which a timer
  /// would count beside it.
  private func report() throws(Failure) -> StatusReport? {
    // Every 15 s the timer would start an aid that somebody has stopped. Who proves a role wants to be answered.
    if socket.role == nil, RunningAid(socket).isBegunByConnection { return nil }
    guard case .found(let client) = try socket.look() else { return nil }
    do throws(Failure) { return try client.ask(ReportMethods.Status()) } catch {
      guard error.exitStatus == .unavailable else { throw error }
      return nil
    }
  }
}
