import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle status`: state and figures of the daemon.
struct Status: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show state, levels, gain and delay of the aid.",
    discussion: "Exits with 69 when no daemon runs.")

  @Flag(help: "Show it again every second, until Ctrl-C.") var watch = false

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let client: ControlClient
    do throws(Failure) { client = try options.socket.client() } catch {
      guard !isForPrograms, error.exitStatus == .unavailable else { throw error }
      print("Sound is off: no daemon runs (\(error.subject): \(error.found)). Start it with: auricle start")
      if StandardPaths.systemsIsClosed {
        print("The system has one, for root and members of group auricle; it does not answer you.")
      }
      if KeptState.isLeft(besideSocket: options.socket.path) {
        let log = BackgroundDaemon.logs.first { access($0, F_OK) == 0 } ?? "journalctl -u auricled"
        print("The last one ended unexpectedly. The reason is in: \(log)")
      }
      return .unavailable
    }
    // On a terminal a watched status stays in place: clear from the top (ECMA-48, CUP and ED).
    let isInPlace = watch && !isForPrograms && isatty(STDOUT_FILENO) == 1
    repeat {
      let report = try client.ask(ReportMethods.Status())
      let text = isForPrograms ? try JSON.text(report) : StatusText(report, style: options.form.style).text
      print(isInPlace ? "\u{1B}[H\u{1B}[J" + text : text, terminator: isForPrograms || watch ? "\n" : "")
      fflush(nil)
      if watch { sleep(1) }
    } while watch
    return .done
  }
}
