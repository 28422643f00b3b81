import Control

/// Decides whether a service manager may be told that the daemon is alive: only while the audio thread works,
/// or while it is declared that there is nothing for it to do.
struct Heartbeat {
  /// Longest that opening devices may take, s. JACK and sound servers answer within a few.
  private static let longestStart = 10.0

  private var lastBlocks = -1

  /// - Parameters:
  ///   - state: The state and since when.
  ///   - blocks: Blocks the audio thread has worked on; must differ from those of the last call.
  ///   - now: s since 1970-01-01 UTC.
  mutating func beats(_ state: StatusReport.State, blocks: Int, now: Double) -> Bool {
    switch state.name {
    case .stopped, .waitingForDevice, .faulted: return true
    case .starting: return now - state.since < Self.longestStart
    case .running, .muted:
      defer { lastBlocks = blocks }
      return blocks != lastBlocks
    }
  }
}
