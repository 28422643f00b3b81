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

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      print(StateText.sentence(try socket.client().ask(SoundMethods.Mute()).state))
      return .done
    }
  }
}

/// `auricle unmute`: sound again.
struct Unmute: Verb {
  static let configuration = CommandConfiguration(abstract: "Let sound rise again, or at the next start.")

  @OptionGroup var socket: SocketOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let client = try socket.client()
      let answer = try client.ask(SoundMethods.Unmute())
      print(StateText.unmuted(answer.state))
      for line in answer.cautions ?? [] { print(line) }
      return .done
    }
  }
}
