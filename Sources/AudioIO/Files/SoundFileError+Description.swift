import Glibc

extension SoundFileError: CustomStringConvertible {
  /// One sentence or two: what was found, what was expected, what to do.
  public var description: String {
    switch self {
    case .missing(let path): "there is no file \(path)"
    case .unreadable(let path, let code):
      "\(path) cannot be read: \(unsafe String(cString: strerror(code)))"
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
      "\(path) cannot be written: \(unsafe String(cString: strerror(code)))"
    case .diskFull(let path, let needed, let free):
      "there is no room for \(path): it needs \(needed) bytes, and \(free) are free"
    case .failed(let path, let reason): "\(path) cannot be written: \(reason)"
    }
  }
}
