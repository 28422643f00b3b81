import Glibc

/// How the wearer has turned volume and tone, dB relative to the prescription.
///
/// - Threads: `any`.
public struct SoundAdjustment: Sendable, Hashable {
  /// At all frequencies.
  public var volume: Double
  /// Treble against bass: what 4 kHz and above is lifted over 250 Hz and below.
  public var tone: Double

  /// One turn of either, dB. Own choice: about twice the smallest difference of level that is heard.
  public static let step = 2.0
  /// As prescribed.
  public static let none = SoundAdjustment()

  public init(volume: Double = 0, tone: Double = 0) {
    self.volume = volume
    self.tone = tone
  }

  /// The nearest that is allowed. A number that is none counts as 0.
  public func held(within limits: AdjustmentLimits) -> SoundAdjustment {
    SoundAdjustment(
      volume: Self.held(volume, within: limits.volume), tone: Self.held(tone, within: limits.tone))
  }

  /// Change of gain at a frequency, dB: tilted about 1 kHz by a quarter of ``tone`` per octave, two octaves
  /// either way, held beyond; as a whole no higher than leaves every frequency within `greatestRise`.
  ///
  /// - Parameters:
  ///   - frequency: Hz.
  ///   - greatestRise: What no frequency's gain is raised beyond, dB.
  func change(at frequency: Double, greatestRise: Double) -> Double {
    let octaves = min(max(log2(frequency / 1000), -2), 2)
    let excess = max(0, volume + abs(tone) / 2 - greatestRise)
    return volume + tone / 4 * octaves - excess
  }

  private static func held(_ value: Double, within range: ClosedRange<Double>) -> Double {
    value.isNaN ? 0 : min(max(value, range.lowerBound), range.upperBound)
  }
}

/// How far volume and tone may be turned, dB. Both contain 0.
///
/// - Threads: `any`.
public struct AdjustmentLimits: Sendable, Hashable {
  public let volume: ClosedRange<Double>
  public let tone: ClosedRange<Double>
  /// What no frequency's gain is raised beyond, dB above the prescription.
  let greatestRise: Double

  /// Without a prescription that says otherwise: softer only, and a tone that takes away where it would add. Own
  /// choice; nobody has decided that more gain is safe.
  public static let usual = AdjustmentLimits(volume: -20...0, tone: -6...6, greatestRise: 0)

  /// As prescribed. Tone may raise a frequency by half of what it may be turned, above the highest volume.
  public init(volume: ClosedRange<Double>, tone: ClosedRange<Double>) {
    self.init(
      volume: volume, tone: tone,
      greatestRise: max(0, volume.upperBound) + max(abs(tone.lowerBound), abs(tone.upperBound)) / 2)
  }

  private init(volume: ClosedRange<Double>, tone: ClosedRange<Double>, greatestRise: Double) {
    self.volume = volume
    self.tone = tone
    self.greatestRise = greatestRise
  }
}
