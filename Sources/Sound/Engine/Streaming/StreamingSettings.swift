public import Acoustics
public import AudioIO
public import HearingDSP

/// Streamed sound as the wearer has set it: calls and music from another program, by the prescription of each ear.
///
/// - Threads: `any`.
public struct StreamingSettings: Sendable, Hashable {
  /// Level relative to ``fullScale``, dB.
  public var level: Double
  /// Balance, dB: above 0 the left ear is so much softer, below 0 the right one.
  public var balance: Double
  /// Attenuation of the microphones while there is sound in the stream, dB.
  public var microphoneReduction: Double

  /// Level of a field, before the prescription, that a full-scale sine in the stream stands for: at the place of the head.
  ///
  /// Own choice: −20 dB FS are then speech at 65 dB SPL, the level for which gain for speech is prescribed. Speech of
  /// calls is kept at −26 dB FS (ITU-T P.56, from memory) and is heard as 59 dB SPL; programmes at −23 LUFS (EBU R 128)
  /// as 62, music as services play it (−14 LUFS) as 71.
  public static let fullScale = SoundPressureLevel(85)
  /// Levels accepted where the prescription lets volume be turned up, dB; otherwise 0 is the highest. Own choice: by the
  /// lowest the loudest music is at 31 dB SPL; the highest is what a quiet recording needs.
  public static let levels = -40.0...10.0
  /// Balances accepted, dB. Own choice: the other ear is then barely heard.
  public static let balances = -20.0...20.0
  /// Attenuations of the microphones accepted, dB. Own choice: 20 are next to nothing and still let a shout through.
  public static let microphoneReductions = 0.0...20.0
  /// One turn of the level, dB: as of the volume.
  public static let step = SoundAdjustment.step

  /// Level and balance as they come, microphones 6 dB lower: own choice; a voice in the room is still understood.
  public init(level: Double = 0, balance: Double = 0, microphoneReduction: Double = 6) {
    (self.level, self.balance, self.microphoneReduction) = (level, balance, microphoneReduction)
  }

  /// Levels accepted with a prescription: turning streamed sound up is turning up the volume of it.
  public static func levels(within limits: AdjustmentLimits) -> ClosedRange<Double> {
    levels.lowerBound...min(max(limits.volume.upperBound, 0), levels.upperBound)
  }

  /// The nearest that is accepted. A value that is not a number counts as its default.
  public func held(within limits: AdjustmentLimits) -> StreamingSettings {
    func held(_ value: Double, _ range: ClosedRange<Double>, _ usual: Double) -> Double {
      value.isNaN ? usual : min(max(value, range.lowerBound), range.upperBound)
    }
    let usual = StreamingSettings()
    return StreamingSettings(
      level: held(level, Self.levels(within: limits), usual.level),
      balance: held(balance, Self.balances, usual.balance),
      microphoneReduction: held(microphoneReduction, Self.microphoneReductions, usual.microphoneReduction))
  }

  /// The level that is heard, dB: with the volume turned up as well, both together raise streamed sound no further than the
  /// prescription lets volume be.
  ///
  /// - Parameter volume: As it is heard, dB.
  public func heardLevel(within limits: AdjustmentLimits, volume: Double) -> Double {
    min(held(within: limits).level, max(0, limits.volume.upperBound - max(0, volume)))
  }

  /// Attenuation of an ear by ``balance``, dB, not negative.
  func attenuation(of ear: Ear) -> Double { ear == .left ? max(0, balance) : max(0, -balance) }
}

/// Streamed sound now.
///
/// - Threads: `any`.
public struct StreamingReading: Sendable, Equatable {
  /// State of the source.
  public enum State: Sendable, Hashable {
    /// It is not wanted; its device is closed.
    case off
    /// It cannot be had now, or the aid does not sound; tried again by itself.
    case waiting(reason: String)
    /// It delivers.
    case flowing
  }

  /// Call on a device, which may hang in it.
  public struct Call: Sendable, Equatable {
    /// ALSA name of the device.
    public let device: String
    /// Moment of the call, monotonic s.
    public let since: Double

    /// A call that has not come back yet.
    public init(device: String, since: Double) { (self.device, self.since) = (device, since) }
  }

  /// ``State/off`` until a stream is wanted.
  public var state = State.off
  /// Call that the stream's thread is in; nil: in none. One that hangs may be that of a device that is wanted no longer.
  public var call: Call?
  /// ALSA name of the device; nil while off.
  public var device: String?
  /// Format granted; nil while closed.
  public var format: StreamFormat?
  /// Excess of its clock over the aid's.
  public var drift = ClockDrift.settling
  /// Level as it comes, Fast-weighted, dB FS.
  public var level = -200.0
  /// Time from the device to the ear beyond the aid's own, s.
  public var delay = 0.0
  /// Times that the device lost sound, or was opened again.
  public var losses = 0
  /// State on the audio thread.
  public var played = StreamingMeters()

  /// Off.
  public init() {}
}
