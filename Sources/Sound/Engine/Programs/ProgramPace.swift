import Acoustics
import HearingDSP

/// Time of the way to another setting, so that nothing becomes louder or softer by a jump.
///
/// - Threads: control.
public struct ProgramPace: Sendable {
  /// Time of a switch that a person asks for, s: long enough not to click, short enough to compare by ear.
  public static let bySwitch = 0.05
  /// Time of any other change, s.
  public static let byTurn = 0.1
  /// Time of a move that the aid makes by itself, s: not noticed as it happens.
  public static let byItself = 4.0
  /// Greatest speed with which the gain moves, dB per s: 2 dB in 100 ms, 1 dB below what counts as a jump, because a
  /// sound's own level moves as well.
  public static let greatestSpeed = 20.0
  /// Ratio of the greatest speed of a way to its mean: 1.5 where it begins and ends flat, as 3p² − 2p³ does.
  static let steepest = 1.5

  /// The way that was begun last: its length, dB, when, how long it takes, s, and true where it, or what was left of the one before it,
  /// leads to louder sound.
  private var last = (difference: 0.0, begin: 0.0, time: 0.0, isLouder: false)

  /// A pace without a way that was begun.
  public init() {}

  /// The next settings with the time of the way to them.
  ///
  /// What is left of a way not finished yet counts along.
  ///
  /// - Parameters:
  ///   - next: Wanted.
  ///   - former: In force, or on the way to be.
  ///   - shortest: Time that it takes at least, s.
  ///   - now: Monotonic, s.
  public mutating func settings(
    _ next: HearingSettings, after former: HearingSettings, shortest: Double, now: Double
  ) -> HearingSettings {
    let left = last.time > 0 ? min(max(1 - (now - last.begin) / last.time, 0), 1) : 0
    let difference = last.difference * left + next.greatestDifference(from: former)
    let time = min(
      max(shortest, difference * Self.steepest / Self.greatestSpeed), Treatment.transitions.upperBound)
    last = (difference, now, time, next.isLouder(than: former) || (left > 0 && last.isLouder))
    var paced = next
    paced.transition = time
    return paced
  }

  /// Time until the way that was begun last is finished, s; 0 where it is, and where it does not lead to louder sound.
  ///
  /// - Parameter now: Monotonic, s.
  public func timeLeft(at now: Double) -> Double {
    last.isLouder ? max(0, last.begin + last.time - now) : 0
  }
}

extension HearingSettings {
  /// Levels between which settings are compared, dB SPL in a band: soft and loud speech.
  private static let levels = stride(from: 40.0, through: 80, by: 5).map { SoundPressureLevel($0) }

  /// Difference that other times or another link can make to the same sound, dB: two ears 16 dB apart at a ratio of 2. Own choice.
  private static let differenceByTimes = 8.0

  /// Level of a tinnitus sound over silence, dB, as far as its pace goes: from barely heard to the level of speech. Own choice.
  private static let newSound = 40.0

  /// True where a sound becomes louder by a change from other settings: by its gain, by another calibration of either end, by a
  /// higher limit, or because it is added. False when either cannot be played. So it is with the sound of a stream that is on before and
  /// after.
  ///
  /// - Threads: control.
  public func isLouder(than other: HearingSettings) -> Bool {
    // Less is the rounding of two fittings.
    let change = greatestChange(from: other) { $0 }
    return max(change.gain, change.stream, change.limit, change.tinnitus) > 0.01
  }

  /// Greatest change of any sound's level by a change from other settings, dB; 0 when either cannot be played.
  func greatestDifference(from other: HearingSettings) -> Double {
    let change = greatestChange(from: other, by: abs)
    let isTimedAlike = soundingDynamics == other.soundingDynamics
    let sound =
      max(change.gain, change.stream) + treatment.greatestDifference(from: other.treatment)
      + (isTimedAlike ? 0 : Self.differenceByTimes)
    return max(sound, change.limit, change.tinnitus)
  }

  /// Greatest changes from other settings, dB, 0 at least; 0 when either cannot be played.
  ///
  /// - Parameter measure: Of a change of gain, which may be less.
  private func greatestChange(
    from other: HearingSettings, by measure: (Double) -> Double
  ) -> (gain: Double, stream: Double, limit: Double, tinnitus: Double) {
    var greatest = (gain: 0.0, stream: 0.0, limit: 0.0, tinnitus: 0.0)
    // Other bands make another chain, whose sound rises from silence.
    guard bands == other.bands else { return greatest }
    for ear in Ear.allCases {
      guard let old = try? other.fitting(for: ear), let new = try? fitting(for: ear) else {
        return (0, 0, 0, 0)
      }
      greatest.gain = max(greatest.gain, new.greatestGain(over: old, at: Self.levels, by: measure))
      if let old = other.streamedFitting(for: ear), let new = streamedFitting(for: ear) {
        greatest.stream = max(greatest.stream, new.greatestGain(over: old, at: Self.levels, by: measure))
      }
      greatest.limit = max(greatest.limit, new.limitRise(over: old))
      greatest.tinnitus = max(greatest.tinnitus, new.tinnitusRise(over: old, from: Self.newSound))
    }
    return greatest
  }

  /// Fitting of an ear's streamed sound, whose own level has a pace of its own; nil while a stream is off, and for one that cannot be
  /// played.
  private func streamedFitting(for ear: Ear) -> EarFitting? {
    guard let streaming = streaming?.held(within: adjustmentLimits) else { return nil }
    return try? streamedFitting(streaming, for: ear)
  }
}

/// Changes between two fittings as they are heard: from the digits of the microphone to those of the earphone.
extension EarFitting {
  /// Greatest measure of the gain's change, dB, 0 at least.
  ///
  /// - Parameter levels: Of a band's sound, as the former calibration reads it.
  fileprivate func greatestGain(
    over old: EarFitting, at levels: [SoundPressureLevel], by measure: (Double) -> Double
  ) -> Double {
    var greatest = 0.0
    for (band, curve) in curves.enumerated() {
      let read = inputAtFullScale(inBand: band) - old.inputAtFullScale(inBand: band)
      let offset = digitalOffset(inBand: band) - old.digitalOffset(inBand: band)
      for level in levels {
        let change = curve.gain(at: level + read) - old.curves[band].gain(at: level) + offset
        greatest = max(greatest, measure(change))
      }
    }
    return greatest
  }

  /// Greatest rise of an output limit, dB.
  fileprivate func limitRise(over old: EarFitting) -> Double {
    let bands = bandLimits.indices.map { band in
      (bandLimits[band] - outputAtFullScale[band]) - (old.bandLimits[band] - old.outputAtFullScale[band])
    }
    return max(bands.max() ?? 0, (outputLimit - loudest) - (old.outputLimit - old.loudest))
  }

  /// Rise of the tinnitus sound, dB.
  ///
  /// - Parameter newSound: Of one that was not there before.
  fileprivate func tinnitusRise(over old: EarFitting, from newSound: Double) -> Double {
    guard let sound = tinnitusSound else { return 0 }
    guard let former = old.tinnitusSound, former.shape == sound.shape else { return newSound }
    // Its digits follow from the most sensitive band's centre (NoiseShape).
    let band = addedAtFullScale.max() ?? loudest
    let formerBand = old.addedAtFullScale.max() ?? old.loudest
    return (sound.level - band) - (former.level - formerBand)
  }

  /// dB SPL at full scale where the earphone is most sensitive.
  private var loudest: SoundPressureLevel { greatestAtFullScale ?? inputAtFullScale }
}

extension Treatment {
  /// Greatest difference of any one effect from another treatment, dB. The effects do not add up: a sound is
  /// speech, noise, wind or nothing.
  func greatestDifference(from other: Treatment) -> Double {
    [
      noiseReduction - other.noiseReduction, windReduction - other.windReduction,
      expansion - other.expansion, impulseSoftening - other.impulseSoftening,
    ].map(abs).max() ?? 0
  }
}
