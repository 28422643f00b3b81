/// State of a device, as `snd_pcm_state` tells it.
public enum PCMState: Sendable, Hashable, BitwiseCopyable {
  /// Open, nothing set.
  case open
  /// Configured, not ready to start.
  case setup
  /// Ready to start.
  case prepared
  /// Sound moves.
  case running
  /// Stopped by an underrun or an overrun.
  case xrun
  /// Playing what is left before stopping.
  case draining
  /// Paused.
  case paused
  /// Stopped because the machine slept.
  case suspended
  /// Unplugged.
  case disconnected
  /// Something the library does not document: a negative code, which happens when a card is pulled out.
  case invalid

  /// What this state means where a running stream was expected; nil when it is running.
  public var fault: PCMFault? {
    switch self {
    case .running: nil
    case .xrun: .xrun
    case .suspended: .suspended
    case .disconnected: .gone
    // A code that means nothing may mean an unplugged card: the restart's own calls will tell.
    case .invalid, .open, .setup, .prepared, .draining, .paused: .badState
    }
  }
}
