import AudioIO
import Base

/// Findings on the jacks of the cards in use.
extension DoctorReport {
  /// Jacks that all tell of no plug, where a card has any for that direction and the configuration does not have them ignored.
  static func jacks(_ machine: Machine) -> [Finding] {
    [
      empty(
        machine.heedsJack ? machine.jacks[.playback] : nil, "earphones' jack",
        "the aid is silent until something is, for on loudspeakers it would hear itself",
        remedy:
          "Plug the earphones in. Where they are, and the card tells wrongly: device.jack = \"ignored\" in the configuration."
      ),
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
