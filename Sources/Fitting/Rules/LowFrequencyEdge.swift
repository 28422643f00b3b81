/// What a rule that is defined from 250 Hz up does below.
public enum LowFrequencyEdge: String, Sendable, CaseIterable, Codable {
  /// The 250 Hz gain is held to 125 Hz, the lowest frequency that is tested, and falls to 0 dB at 50 Hz. pyclarity
  /// 0.9.0 and the models HASPI and HASQI hold it everywhere. Falling from 250 Hz costs a severe loss the fundamental
  /// of voices, and the steep fall turns phases: N5 loses 0.03 HASQI by it.
  case heldTo125Hertz
  /// The gain falls linearly over log frequency to 0 dB at 50 Hz: what openMHA 4.18 does, and version 1 of the rules.
  case falling
}
