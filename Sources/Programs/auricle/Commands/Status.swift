import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle status`: state and figures of the daemon.
struct Status: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Show state, levels, gain and delay of the aid.",
    discussion: "Exits with 69 when no daemon runs.")

  @Flag(help: "Show it again every second, until Ctrl-C.") var watch = false

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let client: ControlClient
    do throws(Failure) { client = try options.socket.client() } catch {
      guard !isForPrograms, error.exitStatus == .unavailable else { throw error }
      print("Sound is off: no daemon runs (\(error.subject): \(error.found)). Start it with: auricle start")
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

/// A state in words for the wearer.
enum StateText {
  /// Answer of `start`, `mute` and `stop`, such as `Sound is on.`
  static func sentence(_ state: StatusReport.State) -> String {
    let reason = state.reason.map { ": \($0)" } ?? ""
    if state.isMuted { return muted(state) }
    return switch state.name {
    case .running, .muted: "Sound is on."
    case .starting: "Starting\(reason)."
    case .stopped: "Sound is off\(reason)."
    case .waitingForDevice:
      "Waiting\(reason).\nThe sound starts by itself when that has changed; stop waiting with: auricle stop"
    case .faulted: "No sound\(reason).\nCorrect it, then: auricle start. More: auricle doctor"
    }
  }

  /// Answer of `unmute`, which also says that nothing is muted any more when no sound flows.
  static func unmuted(_ state: StatusReport.State) -> String {
    switch state.name {
    case .running, .muted: sentence(state)
    case .stopped: "Not muted. Sound is off; start it with: auricle start"
    case .starting, .waitingForDevice, .faulted: "Not muted. \(sentence(state))"
    }
  }

  /// Silence that was asked for, and how it ends.
  private static func muted(_ state: StatusReport.State) -> String {
    let reason = state.reason.map { " (\($0))" } ?? ""
    return switch state.name {
    case .running, .muted: "Muted. Sound again with: auricle unmute"
    case .stopped: "Muted. Sound is off; after auricle start it stays silent until: auricle unmute"
    case .starting, .waitingForDevice: "Muted. No sound yet\(reason); it stays silent until: auricle unmute"
    case .faulted:
      "Muted. No sound\(reason). Correct it, then: auricle start. It stays silent until: auricle unmute"
    }
  }

  /// Exit status of `start`: sound flows, is muted, may still begin, or cannot.
  static func exitStatus(_ state: StatusReport.State) -> ExitStatus {
    switch state.name {
    case .running: .done
    case .muted: .no
    case .starting, .stopped, .waitingForDevice: .temporary
    case .faulted: .configuration
    }
  }
}
