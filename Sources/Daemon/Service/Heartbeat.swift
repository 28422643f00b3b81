import Control

/// Decides whether a service manager may be told that the daemon is alive: only while the audio thread works,
/// or while it is declared that there is nothing for it to do.
struct Heartbeat {
  /// Longest that opening devices may take, s. JACK and sound servers answer within a few.
  private static let longestStart = 10.0

  private var lastBlocks = -1

  /// - Parameters:
  ///   - state: The state.
  ///   - age: Time since it began, s, by a clock that nobody sets.
  ///   - blocks: Blocks the audio thread has worked on; must differ from those of the last call.
  mutating func beats(_ state: StatusReport.State.Name, for age: Double, blocks: Int) -> Bool {
    switch state {
    case .stopped, .waitingForDevice, .faulted: return true
    case .starting: return age < Self.longestStart
    case .running, .muted:
      defer { lastBlocks = blocks }
      return blocks != lastBlocks
    }
  }
}
