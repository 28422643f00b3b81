import ArgumentParser
import Control

/// `auricle stop`: silence.
struct Stop: Verb {
  static let configuration = CommandConfiguration(
    abstract: "End the sound.",
    discussion: """
      The sound fades out and the devices are free for others. A daemon that `auricle start` began ends too; \
      a service stays, silent. --daemon ends any.
      """)

  @Flag(help: "End the daemon too, whoever started it.")
  var daemon = false

  @OptionGroup var socket: SocketOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let client: ControlClient
      do throws(Failure) {
        client = try socket.client()
      } catch {
        guard error.exitStatus == .unavailable else { throw error }
        print("Sound is off: no daemon runs.")
        return .done
      }
      let state = daemon ? try client.shutdown() : try client.stop()
      print(StateText.sentence(state))
      // A daemon that ends hangs up; one that stays does not. Half a second is longer than it takes.
      _ = try? client.nextNotification(timeout: 0.5)
      return .done
    }
  }
}
