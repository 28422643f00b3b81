import Acoustics
import Engine

extension SetupRun {
  /// Distance below the level that was confirmed as the loudest at which each ear's sound begins, and the rise after one that was not
  /// heard, dB (own choices): it only has to be heard, and the level that was confirmed may be one of discomfort.
  private static let distance = 20.0
  private static let rise = 10.0

  /// Plays to one ear at a time, and asks which one hears it, until both are right in one go.
  mutating func checkSides() throws {
    guard let level = progress.level else { return try reopen(.loudness) }
    while true {
      var heard: [String] = []
      for (ear, number) in [(Ear.left, "first"), (.right, "second")] {
        heard.append(try side(of: ear, number, level))
        guard heard.last != "none" else {
          interview.say("Then the loudness is to be found again.")
          return try reopen(.loudness)
        }
      }
      guard let advice = Self.advice(heard[0], heard[1]) else { break }
      interview.say(advice)
      _ = try interview.ask("Press Enter to hear both again.")
    }
    interview.say("Left and right are as they should be.")
    try finish(.sides)
  }

  /// Word for the ear in which a sound was heard, "none" where that of the level that was confirmed was not either.
  ///
  /// - Parameter loudest: That level, dB relative to full scale. No sound is louder, and none begins softer than the first tone of the
  ///   step before, which may be inaudible itself.
  private mutating func side(of ear: Ear, _ number: String, _ loudest: Double) throws -> String {
    var level = min(loudest, max(loudest - Self.distance, Self.levels[0]))
    while true {
      interview.say("Listen: it comes three times.")
      _ = try play(Array(repeating: TestSound(ear, level: level), count: 3))
      try drain()
      let heard = try interview.choose(
        "Where was the \(number) sound? left, right, both, none or again:",
        ["left", "right", "both", "none", "again"])
      switch heard {
      case "again": continue
      case "none" where level < loudest:
        level = min(loudest, level + Self.rise)
        interview.say("Then once more, a little louder.")
      default: return heard
      }
    }
  }

  /// Nil: both are as they should be.
  private static func advice(_ first: String, _ second: String) -> String? {
    switch (first, second) {
    case ("left", "right"): nil
    case ("right", "left"):
      "The first sound was for the left ear, the second for the right one. Exchange the earphones: each belongs into the other ear."
    case ("left", "left"), ("right", "right"):
      "Both sounds came to your \(first) ear, and one is meant for each. Look whether the plug is in all the way, both earphones "
        + "work, and mono is switched off."
    default:
      "Each sound is for one ear alone. Switch off mono in the settings of the card or the earphones; an earphone with one channel "
        + "cannot be used for two ears."
    }
  }
}
