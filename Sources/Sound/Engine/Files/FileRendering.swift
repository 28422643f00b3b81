public import Acoustics
public import AudioIO
import Base
public import HearingDSP
import Realtime

/// Sends recordings through the chain that the ear hears live, block by block, into a file.
///
/// A file says nothing about how loud it was; ``level`` does. The output file's full scale stands for the
/// output limit, so nothing in it can clip. Both are stated, not measured: every level that comes out is
/// provisional.
///
/// - Threads: `control`; one rendering per thread.
public struct FileRendering: Sendable {
  /// Recordings, heard one after the other.
  public var inputs: [String]
  /// File to write, `.wav` or `.flac`; both ears.
  public var output: String
  /// False: a file that has the output's name when the rendering is done stays, and the rendering fails.
  public var isReplacing = true
  /// Sound that is asked for. Its calibrations are replaced by those of ``level`` and the limit.
  public var hearing: HearingSettings
  /// Level that the recordings' own one stands for.
  public var level: InputLevel
  /// Frames per block; the result does not depend on it but for the gain's steps.
  public var blockFrames: Int
  /// Hz; nil takes the rate of the first recording, or 44100 Hz where that cannot be processed.
  public var sampleRate: Int?
  /// Program of the rendering; nil: as ``hearing`` says.
  public var program: ProgramChoice?
  /// Recording that is streamed meanwhile, such as music, as ``HearingSettings/streaming`` says or by default; nil: none. It
  /// keeps the first program.
  public var streamed: String?

  /// Meaning of the numbers in a recording, in front of the microphone.
  public enum InputLevel: Sendable, Equatable {
    /// The equivalent level (Leq) of all recordings together.
    case equivalent(SoundPressureLevel)
    /// A full-scale sine.
    case fullScale(SoundPressureLevel)
  }

  /// Distance of the limit from the file's full scale, dB: two steps of 24 bits, 40 log10(1 + 2⁻²³). The
  /// last step below +1 is the greatest number there is in a file, so a peak at the limit fits.
  static let headroom = 2.1e-6

  /// Quietest recording that can be brought to a level, dB FS: 16-bit noise lies there.
  static let quietest = FullScaleLevel(-90)
  /// Loudest one, dB FS: files of floating-point numbers may pass full scale a little; ten times that is no sound.
  static let loudest = FullScaleLevel(20)

  /// - Parameters: As the properties.
  public init(
    inputs: [String], output: String, hearing: HearingSettings,
    level: InputLevel = .equivalent(SoundPressureLevel(65)), blockFrames: Int = 64
  ) {
    (self.inputs, self.output, self.hearing) = (inputs, output, hearing)
    (self.level, self.blockFrames) = (level, blockFrames)
  }

  /// Renders.
  ///
  /// - Parameters:
  ///   - progress: Told the share that is done, 0...1, now and then.
  ///   - spectrum: Given spectra, 25 for each second of sound, with the settings whose calibrations hold; nil: none
  ///     are made.
  /// - Returns: Figures of input and output.
  /// - Throws: ``RenderingError``; nothing is left of the output then.
  public func run(
    progress: (Double) -> Void = { _ in }, spectrum: ((SpectrumFrame, HearingSettings) -> Void)? = nil
  ) throws(RenderingError) -> RenderingResult {
    let previous = flushDenormals()
    defer { previous.restore() }
    let recordings = try Recordings(inputs, sampleRate: sampleRate)
    let (calibrated, counted) = try self.calibrated(recordings)
    var pass = try RenderingPass(
      recordings, settings: calibrated, blockFrames: blockFrames, followsScene: program == .automatic,
      watches: spectrum != nil, streamed: streamed)
    let begin = SystemTime.monotonic
    try pass.run(into: output, replacing: isReplacing, counted: counted, progress: progress) {
      spectrum?($0, calibrated)
    }
    return try pass.result(rendering: self, time: SystemTime.monotonic - begin)
  }

  /// The hearing settings with calibrations that make the recordings as loud as stated, and the frames of the recordings, where they had
  /// to be read for it.
  private func calibrated(
    _ recordings: borrowing Recordings
  ) throws(RenderingError) -> (settings: HearingSettings, frames: Int?) {
    let inputScale: SoundPressureLevel
    var frames: Int?
    switch level {
    case .fullScale(let scale): inputScale = scale
    case .equivalent(let wanted):
      let (measured, counted, isWhole) = try recordings.equivalentLevel()
      frames = counted
      // Frames were stated, and there was not one.
      guard counted > 0 else { throw .sound(.lengthRefused(path: inputs.first ?? output)) }
      guard measured > Self.quietest else {
        throw isWhole ? RenderingError.silent(paths: inputs) : .noNumbers(paths: inputs)
      }
      guard measured < Self.loudest else { throw .beyondFullScale(paths: inputs, level: measured.decibels) }
      inputScale = SoundPressureLevel(wanted.decibels - measured.decibels)
    }
    let isStated = if case .fullScale = level { true } else { false }
    // The part of a calibration that the chain takes.
    guard EarFitting.fullScales.contains(inputScale.decibels) else {
      throw .level(inputScale.decibels, isStated: isStated)
    }
    let stated = DeviceCalibration(device: "recording", date: nil, status: .provisional)
    var settings = hearing
    settings.streaming = streamed == nil ? nil : hearing.streaming ?? StreamingSettings()
    switch program {
    case nil: break
    // Until something is made out.
    case .automatic: settings.program = AutomaticProgram().program
    case .program(let program): settings.program = program
    }
    do {
      settings.microphones = try InputCalibration(device: stated, channels: [Sensitivity(flat: inputScale)])
      settings.earphones = OutputCalibration(
        device: stated,
        sensitivity: Binaural(both: try Sensitivity(flat: hearing.maximumOutput + Self.headroom)))
    } catch { throw .level(inputScale.decibels, isStated: isStated) }
    return (settings, frames)
  }
}

/// Reason for which recordings cannot be rendered.
public enum RenderingError: Error, Equatable {
  /// A file cannot be read or written.
  case sound(SoundFileError)
  /// The sound that is asked for cannot be made.
  case fitting(FittingFailure)
  /// The chain does not take the rate or block size.
  case chain(ChainError)
  /// No recording was named.
  case nothingToRender
  /// A recording is also the file to write.
  case wouldOverwrite(path: String)
  /// There is nothing in the recordings whose level could be set.
  case silent(paths: [String])
  /// The same beside samples that are infinite or not a number.
  case noNumbers(paths: [String])
  /// The samples are no sound's: their level, dB FS, lies far above full scale.
  case beyondFullScale(paths: [String], level: Double)
  /// A full scale of this many dB SPL, outside ``EarFitting/fullScales``: as it is stated (``FileRendering/InputLevel/fullScale(_:)``),
  /// or what a stated equivalent level asks for.
  case level(Double, isStated: Bool)
}
