import Glibc

/// What the system refused a call with.
public struct SystemError: Error, Sendable, Equatable {
  /// `errno`, positive.
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// Why the call before this one failed.
  static var last: SystemError { SystemError(code: errno) }
}
