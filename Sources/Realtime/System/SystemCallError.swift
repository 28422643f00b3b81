import Glibc

/// A Linux call that failed.
public struct SystemCallError: Error, Equatable, CustomStringConvertible {
  /// Name of the call, as in its manual page.
  public let call: String
  /// The errno value it gave.
  public let code: Int32

  public init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// "mlockall: Cannot allocate memory (errno 12)".
  public var description: String { "\(call): \(errorText(code)) (errno \(code))" }
}

/// The C library's text for an errno value.
func errorText(_ code: Int32) -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
    guard let start = text.baseAddress, unsafe strerror_r(code, start, text.count) == 0 else {
      return "unknown error"
    }
    return unsafe String(cString: start)
  }
}
