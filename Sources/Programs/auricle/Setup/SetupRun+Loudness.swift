import Acoustics
import Base
import Control
import Engine
import Service

extension SetupRun {
  /// Levels of the rising tone, dB relative to full scale: what an earphone makes of −70 dB
  /// is soft whatever it is, and 3 dB are heard as a step (own choices).
  static let levels = Array(stride(from: -70.0, through: -10.0, by: step))
  private static let step = 3.0
  /// Levels that a person can have confirmed, dB relative to full scale: a limit that stands already may lie below all tones.
  static let confirmable = (limits.lowerBound - possibleFullScales.upperBound)...0
  /// Values of safety.maximum-output and of calibration.earphone.full-scale-level, dB SPL.
  static let limits = leastLimit...120
  static let possibleFullScales = 60.0...180

  /// Finds the level that sound never exceeds from then on.
  mutating func confirmLoudness() throws {
    interview.say(
      "Put the earphones into your ears now. A tone pulses, so softly at first that you may not hear it, and grows "
        + "louder, left and right by turns, for a minute at most. Press Enter as soon as it is as loud as any sound should ever be. "
        + "Auricle will never be louder than that. If in doubt, press early: you can do it again.")
    try takeBack()
    while true {
      // An Enter that was meant for the tone before begins none.
      try drain()
      _ = try interview.ask("Press Enter to begin.")
      try drain()
      // Beyond the configuration's own limit no tone is heard any louder.
      let ceiling = try heardCeiling()
      let below = Self.levels.filter { $0 < ceiling }
      let levels = below.count == Self.levels.count ? below : below + [ceiling]
      interview.say("It begins. Press Enter when it is loud enough.")
      let (last, isWhole) = try play(Self.byTurns(levels))
      guard !isWhole else {
        interview.say(
          "The tone has ended at its loudest, and nobody pressed Enter. Are the earphones plugged in, and not turned "
            + "down? alsamixer shows the card's own volume.")
        continue
      }
      _ = try interview.ask("")
      guard let last else {
        interview.say("Enter was pressed before the first tone. It begins again.")
        continue
      }
      let before = file
      guard let confirmed = try hold(to: last.level), try isKept() else {
        (file, progress.written) = (before, nil)
        continue
      }
      return try finish(.loudness, level: confirmed)
    }
  }

  /// True where the limit leaves room for amplified speech, or the person wants it all the same.
  private func isKept() throws -> Bool {
    guard file.configuration.safety.maximumOutput < OutputRoom.little else { return true }
    interview.say("\(OutputRoom.words) Perhaps Enter was pressed too early.")
    return try !interview.confirms("Find the loudness once more?", usual: true)
  }

  private static func byTurns(_ levels: [Double]) -> [TestSound] {
    levels.enumerated().map { TestSound($0.isMultiple(of: 2) ? .left : .right, level: $1) }
  }

  /// Takes back what an earlier setup wrote, so that this one may come to a higher limit.
  private mutating func takeBack() throws(Failure) {
    guard let written = progress.written else { return }
    progress.written = nil
    if file.configuration.safety.maximumOutput == written.maximumOutput {
      try set("safety.maximum-output", written.former.shortText)
    }
    let earphone = file.configuration.calibration.earphone
    if earphone.status == .none, earphone.file == nil, let level = written.fullScaleLevel,
      earphone.fullScaleLevel == [level]
    {
      try file.unset("calibration.earphone.full-scale-level", subject: "setup")
    }
  }

  // MARK: - The limit

  /// Holds the aid's output to a level, by the calibration that there is.
  ///
  /// - Parameter level: Confirmed by ear, dB relative to full scale.
  /// - Returns: The level that is confirmed now: where the lowest limit there is lies above the tone, that of the limit, which was
  ///   heard as well; nil: that was too loud.
  mutating func hold(to level: Double) throws -> Double? {
    var confirmed = level
    var (wanted, fullScale) = (try wantedLimit(level), try fullScale())
    let earphone = file.configuration.calibration.earphone
    var written: Double?
    if wanted < Self.leastLimit, !earphone.isCalibrated {
      // Nobody has measured these earphones, and they are louder than was assumed.
      fullScale = (Self.leastLimit - level).rounded(.up)
      try set("calibration.earphone.full-scale-level", fullScale.shortText)
      (written, wanted) = (fullScale, Self.leastLimit)
    }
    if wanted < Self.leastLimit {
      guard try bearsLeastLimit(at: Self.leastLimit - fullScale, insteadOf: level) else { return nil }
      (confirmed, wanted) = (Self.leastLimit - fullScale, Self.leastLimit)
    }
    let former = progress.written?.former ?? file.configuration.safety.maximumOutput
    let held = min(wanted, former)
    try set("safety.maximum-output", held.shortText)
    progress.written = SetupProgress.Written(
      maximumOutput: held, former: former,
      fullScaleLevel: written ?? (earphone.file == nil ? progress.written?.fullScaleLevel : nil))
    tell(held, isFormer: held < wanted)
    return confirmed
  }

  /// The limit in dB SPL that stands for a level in digits, before it is held within those that there are.
  private func wantedLimit(_ level: Double) throws -> Double {
    min((level + (try fullScale())).rounded(.down), Configuration().safety.maximumOutput)
  }

  /// Rises from the tone that was confirmed to the lowest limit there is.
  ///
  /// - Returns: True when that is not too loud.
  private mutating func bearsLeastLimit(at least: Double, insteadOf level: Double) throws -> Bool {
    guard least <= Self.levels.last ?? 0 else {
      interview.say(
        "By this calibration all that these earphones can play is hardly louder than \(Self.leastLimit.shortText) dB SPL, the lowest "
          + "limit there is: nothing would hold them. Is it the right one?")
      return false
    }
    interview.say(
      "By the calibration of these earphones the lowest limit there is, \(Self.leastLimit.shortText) dB SPL, is "
        + "\((least - level).rounded(.up).shortText) dB louder than the tone at which you pressed Enter. The tone rises to it now. Press "
        + "Enter as soon as it is too loud.")
    guard try interview.ask("Press Enter to hear it, or type n to do without:").isEmpty else {
      return false
    }
    try drain()
    try set("safety.maximum-output", Self.leastLimit.shortText)
    let rise = Array(stride(from: level + Self.step, to: least, by: Self.step)) + [least]
    let (_, isWhole) = try play(Self.byTurns(rise + [least]))
    try drain()
    if isWhole, try !interview.confirms("Was it too loud?") { return true }
    interview.say(
      "Then these earphones are too loud as they are: turn them down where they can be, or take others.")
    return false
  }

  private func tell(_ limit: Double, isFormer: Bool) {
    let isCalibrated = file.configuration.calibration.earphone.isCalibrated
    let level = "\(limit.shortText) dB SPL"
    interview.say(
      isFormer
        ? "Kept: the limit of the configuration, \(level), which is softer still."
        : isCalibrated
          ? "Kept: nothing is ever louder than the tone at which you pressed Enter, \(level) by this calibration."
          : "Kept: nothing is ever louder than that. In numbers it is about \(level), a guess until the earphones are calibrated."
    )
  }

  /// Greatest level that the configuration lets through at any frequency that is looked up, dB relative to full scale.
  func limit() throws -> Double {
    min(0, file.configuration.safety.maximumOutput - (try fullScale()))
  }

  /// Greatest level of a sound that is heard as loud as it is asked for, dB relative to full scale: the limit holds all as it has to
  /// where the earphones are most sensitive.
  private func heardCeiling() throws -> Double {
    try AidSettings(playing: file.loaded()).hearing.loudestSine()
  }

  /// The softest that full scale is at either ear, dB SPL: a limit that stands for a level there is none louder elsewhere.
  private func fullScale() throws -> Double { try fullScales().min() ?? 120 }

  private func fullScales() throws -> [Double] {
    let loaded = try file.loaded()
    let earphones = try AidSettings(loaded).hearing.calibrated(for: loaded).earphones
    return Ear.allCases.flatMap { ear in
      Self.octaves.map { earphones.sensitivity[ear].heldLevel(at: $0).decibels }
    }
  }

  /// Frequencies at which full scale is looked up, Hz.
  private static let octaves = [250.0, 500, 1000, 2000, 4000, 8000]

  /// Lowest value of safety.maximum-output, dB SPL.
  private static let leastLimit = 70.0
}
