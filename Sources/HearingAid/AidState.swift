/// What an aid is doing, and why.
///
/// ```
/// stopped → starting → running ⇄ muted
///              ⇅          ↓
///      waiting for device ←
///              any → faulted, which stays until started again
/// ```
public enum AidState: Sendable, Hashable {
  /// Nothing runs.
  case stopped
  /// Devices are being opened, or sound is about to rise.
  case starting
  /// Sound flows.
  case running
  /// Sound flows, but the wearer asked for silence.
  case muted
  /// A device is missing or taken; tried again by itself.
  case waitingForDevice(reason: String)
  /// Something is wrong that trying again would not mend. Silent until somebody acts.
  case faulted(reason: String)
}
