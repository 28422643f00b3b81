import AudioIO
import Base
import Engine
import Glibc
import HearingDSP

/// Failures of renderings as a command tells them.
enum RenderingFailures {
  /// - Parameter level: Level that the rendering's recordings stand for.
  static func failure(_ error: RenderingError, at level: FileRendering.InputLevel) -> Failure {
    switch error {
    case .sound(let error): sound(error)
    case .fitting(.chain(let error)), .chain(let error): chain(error)
    case .fitting(let error): Failure("fitting", saying: "\(error)", exit: .badData)
    case .nothingToRender:
      Failure("command line", found: "no recording", expected: "one or more", exit: .usage)
    case .wouldOverwrite(let path):
      Failure(
        path, inWords: "This is the recording itself",
        remedy: "Give another file for the output; nothing was changed.", exit: .usage)
    case .silent(let paths):
      Failure(
        paths.joined(separator: ", "),
        inWords: "The recording has no sound above −90 dB FS, so its level cannot be set",
        remedy: "Give --full-scale if the recording is meant to be that quiet.", exit: .badData)
    case .noNumbers(let paths):
      Failure(
        paths.joined(separator: ", "),
        inWords: "Beside samples that are infinite or not numbers it has no sound above −90 dB FS",
        remedy: "Write it anew from its source.", exit: .badData)
    case .beyondFullScale(let paths, let level):
      Failure(
        paths.joined(separator: ", "),
        found: "samples whose level is \(level.rounded().shortText) dB above full scale",
        expected: "a sound, at most 20 dB above it", exit: .badData)
    case .level(let scale, isStated: true):
      Failure(
        "--full-scale", found: "\(scale.shortText) dB SPL", expected: fullScales, exit: .usage)
    case .level(let scale, isStated: false):
      Failure(
        "--level", found: "a recording whose full scale would be \(scale.shortText) dB SPL",
        expected: fullScales, remedy: nearestLevel(to: level, scale: scale), exit: .usage)
    }
  }

  private static let fullScales =
    "\(EarFitting.fullScales.lowerBound.shortText) to \(EarFitting.fullScales.upperBound.shortText) dB SPL"

  /// Least or greatest level that makes a full scale which is accepted, a sentence; nil without an equivalent level.
  ///
  /// - Parameter scale: Full scale that this level makes, dB SPL.
  private static func nearestLevel(to level: FileRendering.InputLevel, scale: Double) -> String? {
    guard case .equivalent(let level) = level else { return nil }
    let (least, most) = (EarFitting.fullScales.lowerBound, EarFitting.fullScales.upperBound)
    let isLow = scale < least
    // In tenths, to the side of what is accepted.
    let tenths = (level.decibels + (isLow ? least : most) - scale) * 10
    let bound = (tenths.rounded(isLow ? .up : .down) / 10).shortText
    return "This recording takes --level \(bound) or \(isLow ? "more" : "less")."
  }

  /// A request of the command line that the sound path refuses.
  private static func chain(_ error: ChainError) -> Failure {
    switch error {
    case .unsupportedBlock(let frames):
      let range = ChainGeometry.blockRange
      return Failure(
        "--block", found: "\(frames)", expected: "\(range.lowerBound) to \(range.upperBound) frames",
        exit: .usage)
    case .outOfRange(.time, let name, let found, let range):
      return Failure(
        "--\(name)", found: "\((found * 1000).shortText) ms",
        expected: "\((range.lowerBound * 1000).shortText) to \((range.upperBound * 1000).shortText) ms",
        exit: .usage)
    case .outOfRange(.level, let name, let found, let range):
      return Failure(
        name, found: "\(found.shortText) dB SPL",
        expected: "\(range.lowerBound.shortText) to \(range.upperBound.shortText) dB SPL", exit: .usage)
    default: return Failure("sound path", saying: "\(error)", exit: .badData)
    }
  }

  static func sound(_ error: SoundFileError) -> Failure {
    switch error {
    case .missing(let path): Failure(path, found: "no such file", exit: .noInput)
    case .unreadable(let path, let code):
      Failure(path, inWords: "It cannot be read: \(SystemError.words(for: code))", exit: .noPermission)
    case .notAudio(let path, let reason):
      Failure(
        path, inWords: "It is not a sound file: \(reason)",
        remedy: "Give a WAV or FLAC file; sox or ffmpeg convert others.", exit: .badData)
    case .channelsRefused(let path, let found):
      Failure(path, found: "\(found) channels", expected: "one or two", exit: .badData)
    case .rateRefused(let path, let found, let expected):
      Failure(
        path, found: "a rate of \(found) Hz",
        expected: "\(expected.map(String.init).joined(separator: ", ")) Hz", exit: .badData)
    case .lengthRefused(let path):
      Failure(
        path, inWords: "It states no length, or an impossible one: its end may be cut off",
        remedy: "Rewrite what is left of it with sox or ffmpeg.", exit: .badData)
    case .damaged(let path, let frame, let reason):
      Failure(path, inWords: "It is damaged after frame \(frame): \(reason)", exit: .badData)
    case .formatRefused(let path, let expected):
      Failure(
        path, inWords: "The name ends in no sound format",
        remedy: "Formats are \(expected.joined(separator: " and ")).", exit: .usage)
    case .unwritable(let path, EEXIST): OverwriteOption.exists(path)
    case .unwritable(let path, let code):
      Failure(path, inWords: "It cannot be written: \(SystemError.words(for: code))", exit: .cannotCreate)
    case .diskFull(let path, let needed, let free):
      Failure(
        path, inWords: "There is not enough room: it needs \(needed) bytes, and \(free) are free",
        remedy: "Free some room, or write to another disk; nothing was left behind.", exit: .inputOutput)
    case .tooLong(let path, let most):
      Failure(
        path, inWords: "A WAV file holds \(most) bytes of sound at most, and this one would have more",
        remedy: "Give a name that ends in .flac.", exit: .cannotCreate)
    case .failed(let path, let reason):
      Failure(path, inWords: "It cannot be written: \(reason)", exit: .inputOutput)
    }
  }

  /// Refuses to write over anything that is read, and to write two things under one name.
  static func checkDistinct(read: [String], written: [String]) throws(Failure) {
    for (index, path) in written.enumerated() {
      let others = read + written[..<index]
      guard others.contains(where: { $0 == path || FilePath.isSame($0, path) }) else { continue }
      throw Failure(
        path, inWords: "This command also reads or writes this file",
        remedy: "Give another file for the output; nothing was changed.", exit: .usage)
    }
  }

  /// Refuses a picture's name before the work, not after it; one that is taken is ``OverwriteOption``'s.
  static func checkPicture(_ path: String) throws(Failure) {
    try PageFile.checkKind(of: path)
    let folder = FilePath.folder(of: path)
    guard access(folder, W_OK) == 0 else {
      throw Failure(path, inWords: "\(folder) is no folder that can be written to", exit: .cannotCreate)
    }
    try OutputPlace.check(path)
  }
}
