import Glibc

/// A call to the system that failed.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Name of the call, as in its manual page; empty where the context says it.
  public let call: String
  /// `errno`, positive.
  public let code: Int32

  /// - Parameter code: An `errno`.
  public init(call: String = "", code: Int32) {
    self.call = call
    self.code = code
  }

  /// Error of the call just before.
  package static var last: SystemError { SystemError(code: errno) }

  /// Its meaning, such as "permission denied".
  package var words: String { Self.words(for: code) }

  /// "mlockall: cannot allocate memory (errno 12)".
  public var description: String { call.isEmpty ? words : "\(call): \(words) (errno \(code))" }

  /// The meaning of an `errno`; the corresponding C function is `strerror`, with a small first letter so
  /// that it can stand in a sentence.
  package static func words(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Abbreviations ("RPC failed") stay.
    let letters = Array(text)
    guard letters.count > 1, letters[0].isUppercase, letters[1].isLowercase else { return text }
    return letters[0].lowercased() + String(letters.dropFirst())
  }
}
