import ArgumentParser
import Base
import Control
import Service

/// `auricle mute`: silence for a while.
struct Mute: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Fade to silence, until unmuted.",
    discussion: """
      The devices stay open. The daemon keeps it through stop, start, reload and loss of the device, until \
      `auricle unmute` or until the daemon ends; a new one begins unmuted.
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let state = try one { () throws(Failure) in try socket.client().ask(SoundMethods.Mute()).state }
    try report(DoneReport(message: StateText.sentence(state), state: state))
    return .done
  }
}

/// `auricle unmute`: sound again.
struct Unmute: Verb {
  static let configuration = CommandConfiguration(
    abstract: "End the mute: sound returns now, or at the next start.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let answer = try one { () throws(Failure) in
      let client = try socket.client()
      return try client.ask(SoundMethods.Unmute())
    }
    try report(
      DoneReport(
        message: StateText.unmuted(answer.state), notes: answer.cautions ?? [], state: answer.state))
    return .done
  }
}
