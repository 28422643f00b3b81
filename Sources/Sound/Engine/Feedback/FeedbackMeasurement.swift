import Glibc

/// The way from the earphones back to one ear's microphone, as a test has measured it.
///
/// Digital, full scale to full scale: it holds for these devices whatever their calibration says.
///
/// - Threads: `any`.
public struct FeedbackMeasurement: Sendable, Equatable {
  /// When, s since 1970-01-01 UTC.
  public var moment: Double
  /// ALSA name of the device that captured, as opened.
  public var captureName: String
  /// ALSA name of the device that played, as opened.
  public var playbackName: String
  /// Hz.
  public var rate: Double
  /// Level that was played, dB SPL by the calibration then.
  public var level: Double
  /// From leaving the chain to the first trace coming back in, s; nil: no trace stands out of the noise.
  public var delay: Double?
  /// Part of the devices in it as they said it then, s; nil: not told.
  public var deviceDelay: Double?
  /// The ear's own earphone to its microphone from the first trace on, 10 ms; empty without a delay.
  public var response: [Double]
  /// Levels by frequency, rising.
  public var cells: [FeedbackCell]

  /// - Parameters: As the properties.
  public init(
    moment: Double, captureName: String, playbackName: String, rate: Double, level: Double, delay: Double?,
    deviceDelay: Double?, response: [Double], cells: [FeedbackCell]
  ) {
    (self.moment, self.captureName, self.playbackName) = (moment, captureName, playbackName)
    (self.rate, self.level, self.delay, self.deviceDelay) = (rate, level, delay, deviceDelay)
    (self.response, self.cells) = (response, cells)
  }

  /// True when every cell tells the own earphone's part; otherwise a former version measured it.
  public var isOwnKnown: Bool { cells.allSatisfy { $0.own != nil } }

  /// True when every cell tells what comes to the other ear's microphone; otherwise a former version measured it, or
  /// that microphone was driven beyond full scale.
  public var isCrossingKnown: Bool { cells.allSatisfy { $0.crossing != nil } }

  /// Time of ``response``, s: a vented earpiece's path fades within 2 to 4 ms.
  static let responseTime = 0.01

  /// True when it was measured with these devices at this rate.
  public func isOf(capture: String, playback: String, rate: Int) -> Bool {
    captureName == capture && playbackName == playback && self.rate == Double(rate)
  }

  /// Delays of the loop beyond those that the devices tell, s: a metre and a half of air, or filters in
  /// converters that tell less than they take (own choice; an earpiece's air is a tenth of a millisecond). What lies
  /// beyond was measured while the devices' delay moved, and to look for the path there would let it howl.
  package static let untoldDelays = -0.001...0.005

  /// The same of whatever a test takes for an earpiece, s: earphones behind a radio link tell nothing of their codec's delay
  /// (``LatencyClass``). What comes in later is another sound, or noise (own choice).
  static let plausibleDelays = -0.001...0.3

  /// Loop delay with devices that now say another delay of their own, s: air and what the devices do not tell of stay.
  ///
  /// - Parameters:
  ///   - devices: Now, s.
  ///   - untold: Delay that the devices are known to take beyond what they tell, s.
  /// - Returns: Nil when nothing was found, the devices said nothing when it was measured, or what they said cannot be.
  public func delay(with devices: Double, untold: Double = 0) -> Double? {
    guard let delay, let deviceDelay, Self.untoldDelays.contains(delay - deviceDelay - untold) else {
      return nil
    }
    return max(0, delay + devices - deviceDelay)
  }
}

/// A narrow range of frequencies and how much of the earphones' sound comes back there.
///
/// - Threads: `any`.
public struct FeedbackCell: Sendable, Equatable {
  /// Its middle, Hz.
  public var frequency: Double
  /// Greatest |F| in it, dB, full scale to full scale: what the earphones of the test send to this ear's microphone, added
  /// as if in step.
  public var level: Double
  /// Level of noise alone there, RMS, dB.
  public var noise: Double
  /// Part of ``level`` that the ear's own earphone sends, dB, of which alone its canceller takes something; nil: not told
  /// apart.
  public var own: Double?
  /// Greatest |F| from the ear's own earphone to the other ear's microphone, dB; ``floor``: none stands out of noise. Nil:
  /// not told.
  public var crossing: Double?

  /// - Parameters: As the properties.
  public init(
    frequency: Double, level: Double, noise: Double, own: Double? = nil, crossing: Double? = nil
  ) {
    (self.frequency, self.level, self.noise) = (frequency, level, noise)
    (self.own, self.crossing) = (own, crossing)
  }

  /// Least distance from the noise at which what came back is taken for feedback, dB. The greatest of some bins of
  /// noise stands 5 to 8 dB above its RMS; own choice, a few dB more.
  static let leastDistance = 12.0
  /// Lowest level told, dB: the quiet end of 24 bits.
  static let floor = -144.0

  /// True when it is feedback; otherwise ``level`` is an upper bound.
  public var isFound: Bool { level - noise >= Self.leastDistance }

  /// Cells to an octave: as fine as a peak of a path of some ms is wide.
  static let perOctave = 12.0
  /// The first cell's middle, Hz.
  static let lowest = 100.0

  /// Middles of all cells below a share of the rate, Hz.
  static func frequencies(rate: Double) -> [Double] {
    let all = (0...).lazy.map { lowest * exp2(Double($0) / perOctave) }
    return Array(all.prefix { $0 < FeedbackSignal.highest * rate })
  }
}
