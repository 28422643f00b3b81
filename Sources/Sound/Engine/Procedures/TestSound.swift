public import Acoustics
import Glibc
import HearingDSP

/// A tone at one earphone: a pulsed one, by which a person says what they hear and how loud, or a steady one for a meter.
///
/// The pulsed one has 1 kHz, and its frequency goes 5 % up and down five times a second: most ears hear it, also with a
/// loss at high frequencies, and it is as loud as a sine, whose peaks it has. Two pulses a second. The steady one is a sine.
public struct TestSound: Sendable, Hashable {
  /// Ear whose earphone plays.
  public let ear: Ear
  /// Level relative to full scale, dB; a sine at full scale has 0. −100…0.
  public let level: Double
  /// Frequency of a steady sine, Hz, a whole number; nil: pulsed.
  public let frequency: Double?
  /// Time for which it sounds at full level, s: a whole number.
  public let duration: Int

  /// A pulsed tone of one second.
  ///
  /// - Parameters:
  ///   - ear: The ear whose earphone plays.
  ///   - level: dB relative to full scale; held to −100…0.
  public init(_ ear: Ear, level: Double) {
    self.ear = ear
    self.level = Self.held(level)
    (frequency, duration) = (nil, 1)
  }

  /// A steady sine.
  ///
  /// - Parameters:
  ///   - ear: The earphone that plays.
  ///   - level: dB relative to full scale; held to −100…0.
  ///   - frequency: Hz; held to 20…20,000 and to whole numbers, of which a second has whole periods.
  ///   - duration: s; held to 1…60.
  public init(_ ear: Ear, level: Double, frequency: Double, duration: Int) {
    self.ear = ear
    self.level = Self.held(level)
    self.frequency = frequency.isFinite ? min(20_000, max(20, frequency.rounded())) : 1000
    self.duration = min(60, max(1, duration))
  }

  private static func held(_ level: Double) -> Double { level.isFinite ? min(0, max(-100, level)) : -100 }

  /// Length of ``period(rate:)``, s.
  private static let length = 1.0
  /// Hz; own choice, as the other numbers here: the middle of the audiogram, and the tone that a hearing test
  /// begins with (ISO 8253-1, from memory).
  private static let carrier = 1000.0
  private static let modulation = (rate: 5.0, depth: 0.05)
  /// Time of a pulse to rise and to fall, s.
  private static let edge = 0.02

  /// Level to which the output safety stage holds it, dB relative to full scale: its own, or what a low tone needs to pass unchanged.
  var ceiling: Double { level + (frequency.map(OutputLimits.headroom) ?? 0) }

  /// A second of it, peaks 1: it ends where it began.
  func period(rate: Double) -> [Double] {
    guard let frequency else { return Self.pulsed(rate: rate) }
    return (0..<Int(rate * Self.length)).map { sin(2 * .pi * frequency * Double($0) / rate) }
  }

  private static func pulsed(rate: Double) -> [Double] {
    (0..<Int(rate * length)).map { frame in
      let time = Double(frame) / rate
      let deviation = carrier * modulation.depth / modulation.rate
      let phase = carrier * time + deviation / (2 * .pi) * sin(2 * .pi * modulation.rate * time)
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
  /// Each is held to its own level by the output safety stage, a steady sine below 200 Hz to as much above it as it needs to pass unchanged
  /// (``OutputLimits/headroom(at:)``), and to the aid's greatest output.
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
        for sound in sounds {
          let period = PeriodicSound(sound.period(rate: player.rate))
          player.limits = limits.held(to: sound.ceiling)
          began(sound)
          _ = try player.take(period, sound.ear, factor: pow(10, sound.level / 20), periods: sound.duration)
        }
      }
    } catch {
      guard error == .cancelled else { throw error }
      return false
    }
    return true
  }
}
