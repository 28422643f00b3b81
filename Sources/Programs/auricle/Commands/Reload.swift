import ArgumentParser
import Base
import Control
import Service

/// `auricle reload`: the daemon reads its configuration again.
struct Reload: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Have the daemon read its configuration again.",
    discussion:
      "What is wrong with it is said here, and the former one stays in force without a gap in the sound.")

  @OptionGroup var socket: SocketOption

  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    var report = try one { () throws(Failure) in try socket.client().ask(SoundMethods.Reload()) }
    let fitting = report.fitting
    if form.json {
      report.fitting = nil
      print(try json(report))
      return .done
    }
    let parts = [
      ("In force now: ", report.applied), ("In force after a short mute: ", report.reopened),
      ("In force when the daemon is started again: ", report.restartNeeded),
    ].filter { !$0.1.isEmpty }
    print(
      parts.isEmpty
        ? "Nothing has changed." : parts.map { $0.0 + $0.1.joined(separator: ", ") }.joined(separator: "\n")
    )
    for note in report.notes { print("\(note).") }
    if let fitting {
      let gain = GainText.clause(isFitted: fitting.isFitted, cap: fitting.gainCap)
      print("\(gain.prefix(1).uppercased())\(gain.dropFirst()).")
    }
    return .done
  }
}
