import Acoustics
import Base
import Control
import Engine
import Service

extension SetupRun {
  /// Levels of the rising tone, dB relative to full scale: what an earphone makes of −70 dB
  /// is soft whatever it is, and 3 dB are heard as a step (own choices).
  static let levels = Array(stride(from: -70.0, through: -10.0, by: 3))

  /// Finds the level that sound never exceeds from then on.
  mutating func confirmLoudness() throws {
    interview.say(
      "Put the earphones into your ears now. A tone pulses, so softly at first that you may not hear it, and grows "
        + "louder, left and right by turns. Press Enter as soon as it is as loud as any sound should ever be. "
        + "Auricle will never be louder than that. If in doubt, press early: you can do it again.")
    while true {
      _ = try interview.ask("Press Enter to begin.")
      let sounds = Self.levels.enumerated().map {
        TestSound($0.isMultiple(of: 2) ? .left : .right, level: $1)
      }
      interview.say("It begins. Press Enter when it is loud enough.")
      let (last, isWhole) = try play(sounds)
      guard let last, !isWhole else {
        interview.say(
          "The tone has ended at its loudest, and nobody pressed Enter. Are the earphones plugged in, and not turned "
            + "down? alsamixer shows the card's own volume.")
        continue
      }
      _ = try interview.ask("")
      let limit = try hold(to: last.level)
      interview.say(
        "Kept: nothing is ever louder than that, \(limit.shortText) dB SPL as far as it is calibrated.")
      return try finish(.loudness, level: last.level)
    }
  }

  /// Holds the aid's output to a level.
  ///
  /// - Parameter level: dB relative to full scale.
  /// - Returns: The same in dB SPL, by the calibration that there is.
  private mutating func hold(to level: Double) throws(Failure) -> Double {
    let earphone = file.configuration.calibration.earphone
    let fullScale = earphone.fullScaleLevel.min() ?? 120
    let limit = (level + fullScale).rounded(.down)
    let former = file.configuration.safety.maximumOutput
    guard limit < Self.leastLimit, earphone.file == nil, earphone.status == .none else {
      let held = max(Self.leastLimit, min(limit, former))
      try set("safety.maximum-output", held.shortText)
      return held
    }
    // Nobody has measured these earphones, and they are louder than was assumed.
    try set("calibration.earphone.full-scale-level", (Self.leastLimit - level).rounded(.up).shortText)
    try set("safety.maximum-output", Self.leastLimit.shortText)
    return Self.leastLimit
  }

  /// The aid's limit in digits, dB relative to full scale, by a number of the configuration.
  var confirmedLevel: Double {
    file.configuration.safety.maximumOutput
      - (file.configuration.calibration.earphone.fullScaleLevel.min() ?? 120)
  }

  /// Holds the aid's output to a level by a calibration that has come after it: in digits it stays what was confirmed.
  ///
  /// - Parameter level: dB relative to full scale.
  mutating func hold(to level: Double, by calibration: OutputCalibration) throws(Failure) {
    let fullScale = Ear.allCases.flatMap { ear in
      Self.octaves.compactMap { try? calibration.sensitivity[ear].level(at: $0).decibels }
    }
    let limit = (level + (fullScale.min() ?? 120)).rounded(.down)
    let held = min(max(limit, Self.leastLimit), Configuration().safety.maximumOutput)
    try set("safety.maximum-output", held.shortText)
    interview.say("Nothing is louder than \(held.shortText) dB SPL by this calibration.")
    guard limit < Self.leastLimit else { return }
    interview.say(
      "That is the lowest limit there is, and \((held - limit).shortText) dB above the tone at which you pressed Enter. If that is "
        + "too loud for you, take softer earphones.")
  }

  /// Frequencies at which full scale is looked up, Hz.
  private static let octaves = [250.0, 500, 1000, 2000, 4000, 8000]

  /// Lowest value of safety.maximum-output, dB SPL.
  private static let leastLimit = 70.0

  /// Plays to one ear at a time, and asks which one hears it.
  mutating func checkSides() throws {
    guard let level = progress.level else { return try reopen(.loudness) }
    for (ear, number) in [(Ear.left, "first"), (.right, "second")] {
      while true {
        _ = try play(Array(repeating: TestSound(ear, level: level), count: 3))
        while interview.hasAnswer() { _ = try interview.ask("") }
        let heard = try interview.choose(
          "Where was the \(number) sound? left, right, both, none or again:",
          ["left", "right", "both", "none", "again"])
        if heard == ear.rawValue { break }
        guard heard != "none" else {
          interview.say("Then the loudness is to be found again.")
          return try reopen(.loudness)
        }
        if let advice = Self.advice(heard, insteadOf: ear) { interview.say(advice) }
      }
    }
    interview.say("Left and right are as they should be.")
    try finish(.sides)
  }

  private static func advice(_ heard: String, insteadOf ear: Ear) -> String? {
    switch heard {
    case "again": nil
    case "both":
      "The sound was for the \(ear.rawValue) ear alone. Switch off mono in the settings of the card or the earphones; an "
        + "earphone with one channel cannot be used for two ears."
    default:
      "The sound was for the \(ear.rawValue) ear. Exchange the earphones: the one in your \(heard) ear belongs into the "
        + "\(ear.rawValue) one."
    }
  }

  /// Plays on the devices of the configuration, at most at the level that was confirmed.
  func play(_ sounds: [TestSound]) throws -> (last: TestSound?, isWhole: Bool) {
    try bench.play(sounds, try file.loaded(), until: interview.hasAnswer)
  }
}
