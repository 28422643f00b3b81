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
