import ArgumentParser
import Control

/// `auricle mute`: silence for a while.
struct Mute: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Fade to silence, until unmuted.", discussion: "The devices stay open.")

  @OptionGroup var socket: SocketOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      print(StateText.sentence(try socket.client().mute()))
      return .done
    }
  }
}

/// `auricle unmute`: sound again.
struct Unmute: Verb {
  static let configuration = CommandConfiguration(abstract: "Let sound rise again.")

  @OptionGroup var socket: SocketOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      print(StateText.sentence(try socket.client().unmute()))
      return .done
    }
  }
}
