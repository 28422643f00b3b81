public import AudioIO
import Base
public import HearingDSP

/// Why recordings cannot be rendered.
public enum RenderingError: Error, Equatable {
  /// A file cannot be read or written.
  case sound(SoundFileError)
  /// What is to be heard cannot be made.
  case fitting(FittingFailure)
  /// The chain does not take the rate or block size.
  case chain(ChainError)
  /// No recording was named.
  case nothingToRender
  /// A recording is also the file to write.
  case wouldOverwrite(path: String)
  /// There is nothing in the recordings whose level could be set.
  case silent(paths: [String])
  /// The samples are no sound's: their level, dB FS, lies far above full scale.
  case beyondFullScale(paths: [String], level: Double)
  /// The stated level asks for a full scale of this many dB SPL, which no microphone has.
  case level(Double)
}

extension RenderingError: CustomStringConvertible {
  /// One sentence without a final stop: what was found, what was expected.
  public var description: String {
    switch self {
    case .sound(let error): "\(error)"
    case .fitting(let error): "\(error)"
    case .chain(let error): "\(error)"
    case .nothingToRender: "no recording was named: expected one sound file or more"
    case .wouldOverwrite(let path): "\(path) is both read and written: choose another file for the output"
    case .silent(let paths):
      "\(paths.joined(separator: ", ")): nothing louder than −90 dB FS, so no level can be set: "
        + "expected sound, or a full-scale level"
    case .beyondFullScale(let paths, let level):
      "\(paths.joined(separator: ", ")): samples \(level.rounded().shortText) dB above full scale: expected at most 20 dB"
    case .level(let scale): "0 dB FS would stand for \(scale) dB SPL: expected 40 to 180 dB SPL"
    }
  }
}
