import Glibc

/// Why a call on a device did not do what it was asked: the error codes of ALSA, as cases.
public enum PCMFault: Sendable, Hashable, BitwiseCopyable {
  /// Nothing to read, or no room to write, now (EAGAIN).
  case again
  /// The device ran out of sound to play or of room to record (EPIPE): an underrun or an overrun.
  case xrun
  /// The machine slept while the stream ran (ESTRPIPE).
  case suspended
  /// The transfer itself failed (EIO).
  case inputOutput
  /// The device is no longer there (ENODEV).
  case gone
  /// The device is in a state that does not allow the call (EBADFD).
  case badState
  /// The device is in use (EBUSY).
  case busy
  /// A signal arrived while waiting (EINTR).
  case interrupted
  /// Any other code; `errno`, positive.
  case other(errno: Int32)

  /// The fault of a negative return value.
  ///
  /// - Parameter code: `-errno`, as ALSA returns it.
  #if RT_LINT
    @_noAllocation
  #endif
  public init(code: Int) {
    switch -code {
    case Int(EAGAIN): self = .again
    case Int(EPIPE): self = .xrun
    case Int(ESTRPIPE): self = .suspended
    case Int(EIO): self = .inputOutput
    case Int(ENODEV): self = .gone
    case Int(EBADFD): self = .badState
    case Int(EBUSY): self = .busy
    case Int(EINTR): self = .interrupted
    default: self = .other(errno: Int32(truncatingIfNeeded: -code))
    }
  }

  /// The return value that means this fault, `-errno`.
  public var code: Int {
    switch self {
    case .again: -Int(EAGAIN)
    case .xrun: -Int(EPIPE)
    case .suspended: -Int(ESTRPIPE)
    case .inputOutput: -Int(EIO)
    case .gone: -Int(ENODEV)
    case .badState: -Int(EBADFD)
    case .busy: -Int(EBUSY)
    case .interrupted: -Int(EINTR)
    case .other(let errno): -Int(errno)
    }
  }
}

extension PCMFault: CustomStringConvertible {
  /// Words for a message, in English.
  public var description: String {
    switch self {
    case .again: "not ready"
    case .xrun: "buffer ran over or empty"
    case .suspended: "suspended"
    case .inputOutput: "input/output error"
    case .gone: "device gone"
    case .badState: "wrong state"
    case .busy: "in use"
    case .interrupted: "interrupted"
    case .other(let errno): "error \(errno)"
    }
  }
}
