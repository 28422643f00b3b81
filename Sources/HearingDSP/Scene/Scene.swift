/// What kind of sound surrounds the wearer.
public enum Scene: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  case quiet, speech, speechInNoise, noise, music
}
