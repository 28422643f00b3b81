import Base

/// A jack of a sound card that tells whether a plug is in it.
public struct CardJack: Sendable, Hashable {
  /// Name as the card has it, without its last word: `Headphone` of `Headphone Jack`.
  public let name: String
  public let isPlugged: Bool

  public init(name: String, isPlugged: Bool) { (self.name, self.isPlugged) = (name, isPlugged) }

  /// Jacks of the card of a device through which its sound goes out or comes in; empty of a card that has none which tells, nil for a device
  /// that is on no card, and for a card that is away, that may not be opened, or that does not answer.
  ///
  /// The kernel keeps a control for each, which its driver turns on and off (Documentation/sound/designs/control-names.rst and
  /// sound/core/ctljack.c, from memory).
  ///
  /// - Threads: control; opens the card and closes it.
  public static func all(of device: String, _ direction: StreamDirection) -> [CardJack]? {
    guard let number = DevicePlace.number(of: device), let card = CardControls(of: device) else {
      return nil
    }
    return all(on: card, device: number, direction)
  }

  /// The same on an open card; nil: it does not answer.

  static func all(on card: borrowing CardControls, device: Int, _ direction: StreamDirection) -> [CardJack]?
  {
    card.jacks?.filter { isPart(of: direction, name: $0.name, device: device) }
  }

  /// Names of jacks none of which has a plug, for a sentence; nil: one has, or there is no jack that tells.
  public static func empty(_ jacks: [CardJack]) -> String? {
    guard !jacks.isEmpty, !jacks.contains(where: \.isPlugged) else { return nil }
    // Several of a name differ by a number that nobody sees.
    return English.list(Set(jacks.map(\.name)).sorted(), "and")
  }

  /// True of a jack through which a device's sound goes that way.
  ///
  /// Jacks belong to the first device of a card, but for those of screens (`HDMI/DP,pcm=3`), which are left out: nobody plugs earphones in
  /// there. A microphone that is built in has no plug; the kernel tells of some as always plugged in (`Internal Mic Phantom`).
  ///
  /// - Parameter device: Number of the device on its card.
  static func isPart(of direction: StreamDirection, name: String, device: Int) -> Bool {
    guard device == 0, !name.contains("pcm=") else { return false }
    // Of USB the ending tells the way.
    if name.hasSuffix(" - Input") { return direction == .capture }
    if name.hasSuffix(" - Output") { return direction == .playback }
    // `Headphone Mic` and `Headset Mic` are microphones.
    let words = name.split(separator: " ")
    switch direction {
    case .capture:
      let isBuiltIn = words.contains("Int") || words.contains("Internal")
      return (words.contains("Mic") && (!isBuiltIn || words.contains("Phantom"))) || words.last == "Line"
    case .playback:
      let isHeard = words.contains { ["Headphone", "Headphones", "Headset"].contains($0) }
      return !words.contains("Mic") && (isHeard || name.contains("Line Out"))
    }
  }
}
