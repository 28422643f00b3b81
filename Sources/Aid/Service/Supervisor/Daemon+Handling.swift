import AudioIO
import Base
import Control
import Glibc

extension Daemon: ControlHandler {
  /// Longest that a call waits for what it asked for, s. The server serves nobody else meanwhile.
  private static let patience = 0.3

  func handle(_ call: ControlCall, from peer: Peer) -> Result<ControlReply, ControlFailure> {
    switch call {
    case .start:
      pilot.requestSound()
      return .success(.state(settled { $0.name != .starting && $0.name != .stopped }))
    case .stop:
      pilot.requestSilence()
      revokeLoan()
      if options.endsWhenStopped { memory.withLock { $0.isEnding = true } }
      return .success(.state(settled { _ in true }))
    case .mute:
      aid.mute()
      keepMute()
      // Tones that go on are not the silence that was asked for.
      revokeLoan()
      return .success(.state(currentState()))
    case .unmute:
      aid.unmute()
      keptMute?.forget()
      return .success(.state(currentState()))
    case .reload:
      do throws(Failure) {
        switch try onDisk({ self.reload() }) {
        case .success(let report):
          if !report.reopened.isEmpty { _ = settled { $0.name != .starting } }
          return .success(.reload(report))
        case .failure(let error): return .failure(ControlFailure(error.joined))
        }
      } catch {
        return .failure(ControlFailure(error))
      }
    case .shutdown:
      pilot.requestSilence()
      revokeLoan()
      memory.withLock { $0.isEnding = true }
      return .success(.state(settled { _ in true }))
    case .status: return .success(.status(report()))
    case .devices: return .success(.devices(DevicesReport(DeviceList.all())))
    case .book(let call): return answer(call, from: peer)
    case .program(let call): return answer(call)
    case .feedback(let call): return answer(call, from: peer)
    case .version: return .success(.version(Version.report))
    case .subscribe, .unsubscribe:
      return .failure(ControlFailure(.internal, "\(call.method): found here, expected at the server."))
    }
  }

  func meters() -> MetersReport { MetersReport(snapshot()) }

  /// Lets the main thread act, and gives it a moment.
  ///
  /// - Returns: The state when the wish has come true and is as wanted, or that after ``patience``.
  func settled(_ isWanted: (StatusReport.State) -> Bool) -> StatusReport.State {
    ring()
    for _ in 0..<Int(Self.patience / 0.005) {
      if pilot.isSettled {
        let state = currentState()
        if isWanted(state) { return state }
      }
      usleep(5000)
    }
    return currentState()
  }
}

extension ConfigurationFailures {
  /// All failures as one, for where only one fits.
  var joined: Failure {
    guard let first = failures.first else {
      return Failure("configuration", found: "nothing wrong", exit: .software)
    }
    guard failures.count > 1 else { return first }
    let rest = failures.dropFirst().map(\.message)
    return Failure(
      first.subject, found: first.found, expected: first.expected,
      remedy: ([first.remedy].compactMap(\.self) + rest).joined(separator: " "), exit: first.exitStatus
    ).logged(as: failures.map(\.logMessage).joined(separator: " "))
  }
}
