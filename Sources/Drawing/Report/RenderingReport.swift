public import Acoustics

/// The result of rendering a recording through a prescription, ready to be drawn.
public struct RenderingReport: Sendable, Equatable {
  /// What was rendered, such as the file's name.
  public var inputName: String
  /// Whose hearing, such as "Bisgaard N3".
  public var audiogramName: String
  /// Fitting rule, such as "NAL-RP".
  public var ruleName: String
  /// Program that was heard, such as "music"; nil: the prescribed gain and nothing else.
  public var programName: String?
  /// How far the levels can be trusted, such as "provisional: 0 dB FS taken as 100 dB SPL".
  public var calibration: String
  /// Hz.
  public var sampleRate: Double
  /// Length of the recording, s.
  public var duration: Double
  public var ears: Binaural<EarRendering>

  /// - Parameters:
  ///   - sampleRate: Hz.
  ///   - duration: s.
  public init(
    inputName: String, audiogramName: String, ruleName: String, programName: String? = nil,
    calibration: String, sampleRate: Double, duration: Double, ears: Binaural<EarRendering>
  ) {
    self.inputName = inputName
    self.audiogramName = audiogramName
    self.ruleName = ruleName
    self.programName = programName
    self.calibration = calibration
    self.sampleRate = sampleRate
    self.duration = duration
    self.ears = ears
  }
}
