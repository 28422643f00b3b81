import AudioIO
import Base

/// Findings on the jacks of the cards in use.
extension DoctorReport {
  /// Jacks that all tell of no plug, where a card has any for that direction: what the aid plays then comes out of the machine's
  /// loudspeakers, beside its microphone, or nowhere.
  static func jacks(_ machine: Machine) -> [Finding] {
    [
      empty(
        machine.jacks[.playback], "earphones' jack", "the aid plays on loudspeakers, or nothing is heard",
        remedy: "Plug the earphones in. On loudspeakers the aid would hear itself, and howl."),
      empty(
        machine.jacks[.capture], "microphone's jack",
        "where the machine has no other microphone, the aid hears nothing",
        remedy:
          "Plug the microphone in, or name another device in the configuration (capture): auricle devices"),
    ].compactMap(\.self)
  }

  private static func empty(
    _ jacks: [CardJack]?, _ subject: String, _ consequence: String, remedy: String
  ) -> Finding? {
    guard let names = CardJack.empty(jacks ?? []) else { return nil }
    return Finding(
      subject, .warning, found: "nothing is plugged into \(names): \(consequence)", remedy: remedy)
  }
}
