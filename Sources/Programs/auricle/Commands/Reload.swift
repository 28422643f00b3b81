import ArgumentParser
import Base
import Control
import Service

/// `auricle reload`: the daemon reads its configuration again.
struct Reload: Verb {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Have the daemon read its configuration again.",
    discussion:
      "Errors in it are reported here, and the former one stays in force without a gap in the sound.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    var report = try socket.client().ask(SoundMethods.Reload())
    let parts = [
      ("In force now: ", report.applied), ("In force after a short mute: ", report.reopened),
      ("In force when the daemon is started again: ", report.restartNeeded), ("Refused: ", report.refused),
    ].filter { !$0.1.isEmpty }
    var lines = parts.map { $0.0 + $0.1.joined(separator: ", ") } + report.notes.map { "\($0)." }
    if parts.isEmpty { lines.insert("Nothing has changed.", at: 0) }
    if let fitting = report.fitting {
      let gain = GainText.clause(isFitted: fitting.isFitted, cap: fitting.gainCapDB)
      lines.append("\(gain.prefix(1).uppercased())\(gain.dropFirst()).")
      if let words = fitting.heldBackWords { lines.append(words) }
    }
    report.fitting = nil
    return try show(
      report, lines.joined(separator: "\n"), exit: report.refused.isEmpty ? .done : .unavailable)
  }
}
