import ArgumentParser
import Base
import Control
import Service

/// `auricle stop`: silence.
struct Stop: Verb {
  static let configuration = CommandConfiguration(
    abstract: "End the sound.",
    discussion: """
      The sound fades out and the devices are free for others. A daemon that `auricle start` began ends too; \
      a service stays, silent. --daemon ends any. \
      A mute is kept by a daemon that stays; a new one begins unmuted.
      """)

  @Flag(help: "End the daemon too, whoever started it.")
  var daemon = false

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  /// Longest that a daemon on its way is given to end, s.
  private static let patience = 3.0

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try report(try one { () throws(Failure) in try stopped() })
    return .done
  }

  private func stopped() throws(Failure) -> DoneReport {
    let client: ControlClient
    do throws(Failure) {
      client = try socket.client()
    } catch {
      if let guardian = DaemonGuardian(ofSocket: socket.path) {
        guard guardian.end(within: Self.patience) else {
          throw Failure(
            "auricle stop",
            inWords: "The daemon (PID \(guardian.processID)) is being started again and did not end "
              + "within \(Int(Self.patience)) s", remedy: "Try again: auricle stop", exit: .temporary)
        }
        KeptState.forget(besideSocket: socket.path)
        return DoneReport(
          message: "Sound is off. The daemon was being started again after a crash; it has ended.")
      }
      // Where a socket was named and nobody listens, another daemon may sound all the same.
      guard error.exitStatus == .unavailable, socket.socket == nil else { throw error }
      KeptState.forget(besideSocket: socket.path)
      return DoneReport(message: "Sound is off: no daemon runs.")
    }
    let state = try end(by: client)
    let hasEnded = hangsUp(client, within: state.isMuted ? 1.5 : 0.5) || daemon
    let note =
      hasEnded
      ? "The mute ends with the daemon: auricle start begins unmuted."
      : "Still muted: after auricle start it stays silent until: auricle unmute"
    return DoneReport(
      message: state.name == .stopped ? "Sound is off." : StateText.sentence(state),
      notes: state.isMuted ? [note] : [], state: state)
  }

  private func end(by client: ControlClient) throws(Failure) -> StatusReport.State {
    daemon
      ? try client.ask(SoundMethods.Shutdown()).state : try client.ask(SoundMethods.Stop()).state
  }

  /// True when the daemon ends, which closes the connection. Half a second is longer than it
  /// usually takes; it gives itself at most 0.9 s.
  private func hangsUp(_ client: ControlClient, within time: Double) -> Bool {
    do throws(Failure) {
      _ = try client.nextNotification(timeout: time)
      return false
    } catch {
      return true
    }
  }
}
