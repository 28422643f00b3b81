import Base
import Control
import Glibc

extension Daemon: ControlHandler {
  /// Longest that a call waits for what it asked for, s. The server serves nobody else meanwhile.
  private static let patience = 0.3

  func start() -> StatusReport.State {
    pilot.requestSound()
    return settled { $0.name != .starting && $0.name != .stopped }
  }

  func stop() -> StatusReport.State {
    pilot.requestSilence()
    revokeLoan()
    if options.endsWhenStopped { memory.withLock { $0.isEnding = true } }
    return settled { _ in true }
  }

  func mute() -> StatusReport.State {
    aid.mute()
    keepMute()
    // Tones that go on are not the silence that was asked for.
    revokeLoan()
    return currentState()
  }

  func unmute() -> StatusReport.State {
    aid.unmute()
    keptMute?.forget()
    return currentState()
  }

  /// Reads the configuration again, for a call.
  func reloadByRequest() throws(Failure) -> ReloadReport {
    switch try onDisk({ self.reload() }) {
    case .success(var answer):
      if !answer.reopened.isEmpty { _ = settled { $0.name != .starting } }
      answer.fitting = report().fitting
      return answer
    case .failure(let error): throw error.joined
    }
  }

  func shutDown() -> StatusReport.State {
    pilot.requestSilence()
    revokeLoan()
    memory.withLock { $0.isEnding = true }
    return settled { _ in true }
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
