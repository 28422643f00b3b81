/// How far the patient may turn volume and tone, dB relative to the prescription. Nothing by default.
public struct PatientAdjustment: Sendable, Hashable {
  /// Volumes a prescription may allow, dB.
  public static let volumes = -20.0...10.0
  /// Tones a prescription may allow, dB: treble against bass.
  public static let tones = -10.0...10.0

  /// Contains 0.
  public let volume: ClosedRange<Double>
  /// Contains 0.
  public let tone: ClosedRange<Double>

  public static let none = PatientAdjustment(checked: 0...0, 0...0)

  /// - Throws: ``PrescriptionError/adjustmentOutOfRange(_:)``.
  public init(
    volume: ClosedRange<Double> = 0...0, tone: ClosedRange<Double> = 0...0
  ) throws(PrescriptionError) {
    guard volume.contains(0), volume.clamped(to: Self.volumes) == volume else {
      throw .adjustmentOutOfRange("volume")
    }
    guard tone.contains(0), tone.clamped(to: Self.tones) == tone else {
      throw .adjustmentOutOfRange("tone")
    }
    self.init(checked: volume, tone)
  }

  private init(checked volume: ClosedRange<Double>, _ tone: ClosedRange<Double>) {
    self.volume = volume
    self.tone = tone
  }
}
