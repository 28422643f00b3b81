/// What a step of a stream came to. A plain value: the audio thread counts it and hands it on.
public enum StreamEvent: Sendable, Hashable, BitwiseCopyable {
  /// The step is done: a block can be read, was read, or was written.
  case block
  /// The stream broke and runs again with its latency as before; the block is lost. Silence has been
  /// playing; mute and ramp up. `lost` is the time without sound, s.
  case restarted(StreamFault, lost: Double)
  /// No block within the time allowed; `after` is how long it has been, s. Nothing was done yet: wait on.
  case stalled(after: Double)
  /// The stream cannot be brought back: close it, and open it again later (``Backoff``).
  case lost(StreamFault)
  /// A signal, or the owner's descriptor, ended the wait. Nothing is wrong: look, and wait on.
  case interrupted
}
