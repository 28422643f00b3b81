import ArgumentParser
import Control
import Daemon
import Glibc

/// `auricle status`: what the daemon does, and how well.
struct Status: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Show what the aid does: state, levels, gain, delay.",
    discussion: "Exits with 69 when no daemon runs.")

  @Flag(help: "Again every second, until Ctrl-C.")
  var watch = false

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let client: ControlClient
    do throws(Failure) {
      client = try socket.client()
    } catch {
      guard !form.json, error.exitStatus == .unavailable else {
        throw ConfigurationFailures(failures: [error])
      }
      print("Sound is off: no daemon runs (\(error.subject): \(error.found)). Start it with: auricle start")
      if KeptState.isLeft(besideSocket: socket.path) {
        let log = BackgroundDaemon.logs.first { access($0, F_OK) == 0 } ?? "journalctl -u auricled"
        print("The last one did not end by itself. Why: \(log)")
      }
      return .unavailable
    }
    // On a terminal a watched status stays in place: clear from the top (ECMA-48, CUP and ED).
    let isInPlace = watch && !form.json && isatty(STDOUT_FILENO) == 1
    repeat {
      let report = try one { () throws(Failure) in try client.status() }
      let text = form.json ? try json(report) : StatusText(report, style: form.style).text
      print(isInPlace ? "\u{1B}[H\u{1B}[J" + text : text, terminator: form.json ? "\n" : watch ? "\n" : "")
      fflush(nil)
      if watch { sleep(1) }
    } while watch
    return .done
  }
}
