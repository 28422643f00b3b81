public import Acoustics
public import AudioIO
public import Fitting
public import HearingDSP

/// Everything an aid needs to run: what to hear, and through which devices.
///
/// - Threads: `any`.
public struct AidSettings: Sendable {
  public var hearing: HearingSettings
  /// ALSA name of the microphone's device; nil: that of the first card that captures and plays, looked for at
  /// every attempt to open.
  public var captureName: String?
  /// ALSA name of the earphones' device; nil likewise.
  public var playbackName: String?
  /// Rate, period and format asked for.
  public var stream: StreamRequest
  /// Whether the two devices share a clock.
  public var clock: ClockPairing
  /// Time in which sound rises from silence, s.
  public var ramp: Double

  public init(
    hearing: HearingSettings = HearingSettings(), captureName: String?, playbackName: String?,
    stream: StreamRequest = StreamRequest(), clock: ClockPairing = .automatic, ramp: Double = 0.5
  ) {
    self.hearing = hearing
    self.captureName = captureName
    self.playbackName = playbackName
    self.stream = stream
    self.clock = clock
    self.ramp = ramp
  }
}

/// Why settings do not make a sound that can be played.
public enum FittingFailure: Error, Equatable {
  /// The rule has no answer for this ear.
  case rule(Ear, FittingError)
  /// The chain refuses the numbers.
  case chain(ChainError)
  /// The calibration does not reach where the chain needs it.
  case calibration(CalibrationError)
}

extension FittingFailure: CustomStringConvertible {
  /// One sentence without a final stop.
  public var description: String {
    switch self {
    case .rule(let ear, let error): "\(ear.rawValue) ear: \(error)"
    case .chain(let error): "\(error)"
    case .calibration(let error): "calibration: \(error)"
    }
  }
}
