import Base
import Glibc

/// Why a sound file cannot be read or written. Each case has what one clear message needs.
public enum SoundFileError: Error, Sendable, Equatable {
  /// There is no such file.
  case missing(path: String)
  /// It may not be read; `errno` positive.
  case unreadable(path: String, errno: Int32)
  /// It is not a sound file, in the library's words.
  case notAudio(path: String, reason: String)
  /// It has neither one channel nor two.
  case channelsRefused(path: String, found: Int)
  /// Its rate, Hz, is not one of those that can be processed.
  case rateRefused(path: String, found: Int, expected: [Int])
  /// It does not say how long it is, or says more than ``SoundFileReader/greatestFrameCount``.
  case lengthRefused(path: String)
  /// Reading stopped before the end.
  case damaged(path: String, frame: Int, reason: String)
  /// The name's ending says no format that can be written, or one that cannot hold the encoding.
  case formatRefused(path: String, expected: [String])
  /// It may not be written; `errno` positive.
  case unwritable(path: String, errno: Int32)
  /// There is no room: bytes needed, and bytes free.
  case diskFull(path: String, needed: Int, free: Int)
  /// Writing failed for another reason, in the library's words.
  case failed(path: String, reason: String)
}

extension SoundFileError: CustomStringConvertible {
  /// One sentence or two: what was found, what was expected, what to do.
  public var description: String {
    switch self {
    case .missing(let path): "there is no file \(path)"
    case .unreadable(let path, let code):
      "\(path) cannot be read: \(SystemError.words(for: code))"
    case .notAudio(let path, let reason): "\(path) is not a sound file: \(reason)"
    case .channelsRefused(let path, let found):
      "\(path) has \(found) channels: one or two can be heard"
    case .rateRefused(let path, let found, let expected):
      "\(path) has a rate of \(found) Hz: expected \(expected.map(String.init).joined(separator: ", ")) Hz"
    case .lengthRefused(let path):
      "\(path) does not say how long it is, as if its end were cut off: expected a whole file"
    case .damaged(let path, let frame, let reason): "\(path) is damaged after frame \(frame): \(reason)"
    case .formatRefused(let path, let expected):
      "\(path) does not name a format that can be written: expected \(expected.joined(separator: " or "))"
    case .unwritable(let path, let code):
      "\(path) cannot be written: \(SystemError.words(for: code))"
    case .diskFull(let path, let needed, let free):
      "there is no room for \(path): it needs \(needed) bytes, and \(free) are free"
    case .failed(let path, let reason): "\(path) cannot be written: \(reason)"
    }
  }
}

/// Encoding of samples in a file.
public enum SoundFileEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// 16-bit integers.
  case pcm16
  /// 24-bit integers.
  case pcm24
  /// 32-bit floating point; not in FLAC.
  case float32

  /// Bytes of a sample, before any compression.
  var bytesPerSample: Int {
    switch self {
    case .pcm16: 2
    case .pcm24: 3
    case .float32: 4
    }
  }
}

/// Recorded sound, read block by block as left and right.
public protocol SoundSource: ~Copyable {
  /// Frames per second, Hz.
  var rate: Int { get }
  /// Frames in all.
  var frameCount: Int { get }

  /// Reads the next frames.
  ///
  /// - Shape: both spans have the same length; what is not filled is left alone.
  /// - Returns: Frames read, fewer than asked only at the end, then 0.
  /// - Throws: ``SoundFileError/damaged(path:frame:reason:)``.
  /// - Threads: control.
  mutating func read(
    left: inout MutableSpan<Float>, right: inout MutableSpan<Float>
  ) throws(SoundFileError) -> Int
}
