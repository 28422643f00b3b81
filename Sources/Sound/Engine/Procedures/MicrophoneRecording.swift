public import Acoustics

/// Sound of both microphones as the devices deliver it, while the earphones are silent.
public struct MicrophoneRecording: Sendable {
  /// Hz.
  public let rate: Double
  /// Channels of the capture device: with one, both ears have the same.
  public let channels: Int
  /// Full scale ± 1.
  public let sound: Binaural<[Float]>

  /// - Parameter sound: The same in both ears where `channels` is 1.
  public init(rate: Double, channels: Int, sound: Binaural<[Float]>) {
    (self.rate, self.channels, self.sound) = (rate, channels, sound)
  }
}

extension HearingAid {
  /// Records the microphones of this aid; nothing sounds meanwhile.
  ///
  /// - Parameters:
  ///   - seconds: Length, 1…60.
  ///   - isCancelled: Asked again and again.
  /// - Throws: ``FeedbackFault``.
  /// - Threads: control; waits for the end.
  public func recordMicrophones(
    seconds: Int, isCancelled: @escaping () -> Bool = { false }
  ) throws(FeedbackFault) -> MicrophoneRecording {
    let settings = currentSettings
    let limits = try FeedbackTest(settings: settings).limits()
    return try perform { loop throws(FeedbackFault) in
      let player = try TakePlayer(
        loop, limits: limits, ramp: settings.ramp, patience: patience, isCancelled: isCancelled)
      let silence = PeriodicSound(Array(repeating: 0, count: Int(player.rate)))
      let take = try player.take(silence, .left, factor: 0, periods: min(60, max(1, seconds)))
      return MicrophoneRecording(
        rate: player.rate, channels: player.devices.capture.channels, sound: take.heard)
    }
  }
}
