import Base

/// A volume control of a sound card in the way of the sound, and where it stands.
///
/// A level that was measured holds for the controls as they stood then.
public struct VolumeSetting: Sendable, Hashable, Codable {
  /// Name of the control as the card's mixer has it, such as `Headphone` or `PCM,1`.
  public let control: String
  /// Gain of the left and the right channel, dB; of a control that tells no dB their places, % of its range.
  public let gain: Binaural<Double>
  /// False while it is muted.
  public let isOn: Bool
  /// False of a control that tells no dB: it holds levels where it stood, by an amount that nobody knows.
  public let isScaled: Bool

  /// Checks nothing; what is decoded has to have a name and a gain that cards have.
  public init(control: String, gain: Binaural<Double>, isOn: Bool, isScaled: Bool = true) {
    (self.control, self.gain, self.isOn, self.isScaled) = (control, gain, isOn, isScaled)
  }

  /// Greatest difference that counts as none, dB or %; own choice: below the steps of most cards, 0.75 to 1.5 dB.
  static let tolerance = 0.5

  /// Difference between controls as they stand and as they stood when levels were measured, a clause; nil: there is none.
  ///
  /// - Parameters:
  ///   - measured: Of the calibration, or of another thing that holds for them alone.
  ///   - present: Nil where nobody can read them, as of a sound server.
  ///   - event: Event at which they stood as `measured` says, a clause.
  public static func difference(
    _ present: [VolumeSetting]?, from measured: [VolumeSetting], when event: String = "levels were measured"
  ) -> String? {
    guard !measured.isEmpty else { return nil }
    guard let present else {
      return
        "its volume control \(measured[0].control) cannot be read any more, and \(event) at \(measured[0].place)"
    }
    for setting in measured {
      guard let now = present.first(where: { $0.control == setting.control }) else {
        return "the volume control \(setting.control) is gone, and \(event) at \(setting.place)"
      }
      guard !now.isClose(to: setting) else { continue }
      return
        "the volume control \(setting.control) stands at \(now.place), and \(event) at \(setting.place)"
    }
    return nil
  }

  private func isClose(to other: VolumeSetting) -> Bool {
    isOn == other.isOn && isScaled == other.isScaled
      && Ear.allCases.allSatisfy { ear in
        // The lowest step of a card is silence, of which cards give no number.
        let (own, its) = (gain[ear], other.gain[ear])
        return own == its || abs(own - its) <= Self.tolerance
      }
  }

  /// "−12 dB", "−12 dB left and −10 dB right", "−12 dB, muted", "33.3 % of its range".
  public var place: String {
    let unit = isScaled ? "dB" : "% of its range"
    let (left, right) = ("\(gain.left.readText) \(unit)", "\(gain.right.readText) \(unit)")
    return (left == right ? left : "\(left) left and \(right) right") + (isOn ? "" : ", muted")
  }

  private enum CodingKeys: CodingKey { case control, gain, isOn, isScaled }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    control = try values.decode(String.self, forKey: .control)
    gain = try values.decode(Binaural<Double>.self, forKey: .gain)
    isOn = try values.decode(Bool.self, forKey: .isOn)
    isScaled = try values.decodeIfPresent(Bool.self, forKey: .isScaled) ?? true
    guard (1...100).contains(control.count), Ear.allCases.allSatisfy({ abs(gain[$0]) <= 1000 }) else {
      throw AcousticsError("a volume control with a gain that no card has", expected: "−1000 to 1000 dB")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(control, forKey: .control)
    try values.encode(gain, forKey: .gain)
    try values.encode(isOn, forKey: .isOn)
    // Left out where it tells dB, as it was before others were kept.
    if !isScaled { try values.encode(isScaled, forKey: .isScaled) }
  }
}
