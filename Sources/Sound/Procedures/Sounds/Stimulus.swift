public import Acoustics

/// A sound that a procedure asks for, in calibrated levels.
///
/// - Threads: any.
public struct Stimulus: Sendable, Hashable, Codable {
  /// Kind of sound, by its name in orders, records and `--signal`.
  public enum Signal: String, Sendable, Hashable, Codable, CaseIterable {
    /// A tone that lasts.
    case tone
    /// A tone in pulses, which nobody takes for their tinnitus (from memory).
    case pulsed
    /// A tone whose frequency moves to both sides.
    case warble
    /// A third of an octave of noise.
    case narrowNoise = "narrow-noise"
    /// Noise from 250 Hz to 8 kHz, each third of an octave as far above the threshold of normal ears.
    case broadNoise = "broad-noise"

    /// True of a signal without a pitch of its own.
    public var isNoise: Bool { self == .narrowNoise || self == .broadNoise }
  }

  /// Kind of sound, on which the meaning of frequency and level depends.
  public let signal: Signal
  /// Earphone that plays.
  public let ear: Ear
  /// Hz; the middle of narrow noise, and without effect on broad noise.
  public let frequency: Double
  /// Of a tone while it is on; of noise, in each third of an octave, as a tone of the same sound pressure level has at its middle.
  public let level: HearingLevel
  /// s, rise and fall included.
  public let duration: Double
  /// Time in which it grows to its level by ``growth``, s; nil: it begins there, with its edge alone.
  public let rise: Double?

  /// Checks nothing; ``StimulusRendering/checked(_:)`` refuses a sound that cannot or may not be played.
  ///
  /// - Parameter rise: Time in which it grows to its level, s; nil, by default: it begins there.
  public init(
    _ signal: Signal, _ ear: Ear, frequency: Double, level: HearingLevel, duration: Double,
    rise: Double? = nil
  ) {
    (self.signal, self.ear, self.frequency) = (signal, ear, frequency)
    (self.level, self.duration, self.rise) = (level, duration, rise)
  }

  /// Speed at which a sound may grow, dB/s (own choice: within a person's time to react, about 0.3 s, it grows by 3 dB).
  public static let growth = 10.0

  /// Time of a tone's rise and of its fall, s: raised cosine. 20 to 50 ms are usual (IEC 60645-1, from memory); low tones take the
  /// longer time, or they would be heard an octave away (own calculation: a Hann edge of 50 ms is 60 dB down at 62.5 Hz distance).
  public static func edge(at frequency: Double) -> Double { frequency < 300 ? 0.05 : 0.03 }

  /// Pulses: time on, edges included, and time off, s (own choice; the clinic's are 0.2 s each, from memory).
  public static let pulse = (on: 0.3, off: 0.2)

  /// Excursion to each side as a share of the frequency, and its rate, Hz (ISO 8253-2: 5 % at 4 to 20 Hz, from memory).
  public static let warble = (depth: 0.05, rate: 5.0)

  /// Level of a third of an octave of noise above that of the tone that it just masks, dB (ISO 389-4, from memory).
  public static func maskingCorrection(at frequency: Double) -> Double {
    frequency < 800 ? frequency < 560 ? 4 : 5 : frequency < 3600 ? 6 : 5
  }

  /// Peaks of noise above its level as a sine's, dB: the room that noise keeps below full scale.
  ///
  /// A sine of the same power has a peak of √2 σ, so that noise keeps u = √2 · 10^(13.5/20) σ = 6.69 σ. By
  /// Rice's formula Gaussian noise passes ± u in a time T on average 2 ν T e^(−u²/2σ²) times, ν being its
  /// upward zero crossings, at most its highest frequency, Hz; u²/2σ² is 10^1.35 = 22.4. The longest sound,
  /// 120 s, at 20 kHz: 9 in 10,000; 60 s of noise up to 9 kHz: 2 in 10,000. Own choice: fewer than one sound
  /// in 1000 is refused.
  public static let noiseCrest = 13.5

  /// Distance of the loudest noise that masks below the loudest tone of an ear, dB: the greatest
  /// ``maskingCorrection(at:)``, and ``noiseCrest``.
  static let maskingRoom = 6 + noiseCrest

  /// Thirds of an octave of broad noise, Hz: nominal middles (IEC 61260).
  public static let broadBands: [Double] = [
    250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000,
  ]

  /// The same sound at another level.
  public func at(_ level: HearingLevel) -> Stimulus {
    Stimulus(signal, ear, frequency: frequency, level: level, duration: duration, rise: rise)
  }
}
