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
    switch try options.socket.look() {
    case .found(let client): return try show(client)
    case .absent(let failure):
      if isForPrograms { throw failure }
      showAbsence(failure)
      return .unavailable
    }
  }

  private func showAbsence(_ failure: Failure) {
    let advice = StartAdvice.current(asking: options.socket.path)
    print(
      "Sound is off: no daemon runs (\(failure.subject): \(failure.found)). \(advice.request) with: \(advice.command)"
    )
    if StandardPaths.systemsIsClosed {
      // A folder that is closed to this user does not tell whether it runs.
      print("The system may have one, for root and members of group auricle, which does not answer you.")
    }
    if KeptState.isLeft(besideSocket: options.socket.path) {
      print(
        "The last one ended unexpectedly. The reason is in: \(BackgroundDaemon.logPlace(ofSocket: options.socket.path))"
      )
    }
  }

  private func show(_ client: ControlClient) throws -> ExitStatus {
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
