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
