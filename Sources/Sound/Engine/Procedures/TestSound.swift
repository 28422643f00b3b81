public import Acoustics
import Glibc
import HearingDSP

/// A pulsed tone at one ear, by which a person says what they hear and how loud.
///
/// A tone of 1 kHz whose frequency goes 5 % up and down five times a second: most ears hear it, also with a
/// loss at high frequencies, and it is as loud as a sine, whose peaks it has. Two pulses a second.
public struct TestSound: Sendable, Hashable {
  public let ear: Ear
  /// Level relative to full scale, dB; a sine at full scale has 0. −100…0.
  public let level: Double

  /// - Parameters:
  ///   - ear: The ear whose earphone plays.
  ///   - level: dB relative to full scale; held to −100…0.
  public init(_ ear: Ear, level: Double) {
    self.ear = ear
    self.level = level.isFinite ? min(0, max(-100, level)) : -100
  }

  /// Time for which one sounds at full level, s.
  static let length = 1.0
  /// Hz; own choice, as the other numbers here: the middle of the audiogram, and the tone that a hearing test
  /// begins with (ISO 8253-1, from memory).
  private static let frequency = 1000.0
  private static let modulation = (rate: 5.0, depth: 0.05)
  /// Time of a pulse to rise and to fall, s.
  private static let edge = 0.02

  /// A second of it, peaks 1: it ends where it began.
  static func period(rate: Double) -> [Double] {
    (0..<Int(rate * length)).map { frame in
      let time = Double(frame) / rate
      let deviation = frequency * modulation.depth / modulation.rate
      let phase = frequency * time + deviation / (2 * .pi) * sin(2 * .pi * modulation.rate * time)
      return pulse(at: time.truncatingRemainder(dividingBy: 0.5)) * sin(2 * .pi * phase)
    }
  }

  /// Share of full level, 0…1, at a time since a pulse began, s: a quarter of a second on, as long off.
  private static func pulse(at time: Double) -> Double {
    let distance = min(time, 0.25 - time)
    guard distance > 0 else { return 0 }
    return distance < edge ? 0.5 - 0.5 * cos(.pi * distance / edge) : 1
  }
}

extension HearingAid {
  /// Plays test sounds, one after the other, on the devices of this aid; each rises from silence, and no
  /// microphone reaches an ear meanwhile.
  ///
  /// Each is held to its own level by the output safety stage, and to the aid's greatest output.
  ///
  /// - Parameters:
  ///   - sounds: In this order.
  ///   - began: Told of each before it sounds.
  ///   - isCancelled: Asked again and again; the sound then fades out.
  /// - Returns: True when all have sounded; false when it was cancelled.
  /// - Throws: ``FeedbackFault``.
  /// - Threads: control; waits for the end.
  public func play(
    _ sounds: [TestSound], began: (TestSound) -> Void = { _ in }, isCancelled: @escaping () -> Bool
  ) throws(FeedbackFault) -> Bool {
    let settings = currentSettings
    let limits = try FeedbackTest(settings: settings).limits()
    do throws(FeedbackFault) {
      try perform { loop throws(FeedbackFault) in
        var player = try TakePlayer(
          loop, limits: limits, ramp: settings.ramp, patience: patience, isCancelled: isCancelled)
        let period = PeriodicSound(TestSound.period(rate: player.rate))
        for sound in sounds {
          player.limits = limits.held(to: sound.level)
          began(sound)
          _ = try player.take(period, sound.ear, factor: pow(10, sound.level / 20), periods: 1)
        }
      }
    } catch {
      guard error == .cancelled else { throw error }
      return false
    }
    return true
  }
}
