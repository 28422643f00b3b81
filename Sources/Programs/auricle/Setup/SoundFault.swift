import Base

/// Reason why test sounds could not be played to their end.
struct SoundFault: Error {
  let failure: Failure
  /// True where the device was there and there were gaps in the sound in every attempt, which a longer period may help against.
  let isBrokenOff: Bool
}
