/// What broke a stream.
public enum StreamFault: Sendable, Hashable, BitwiseCopyable {
  /// A call on one of the devices failed.
  case device(PCMFault, during: PCMCall, StreamDirection)
  /// The devices are well by their own account, but no sound moves.
  case stalled
  /// Two clocks have run too far apart to be brought together by resampling, or the resampler failed.
  case outOfStep
}

extension StreamFault: CustomStringConvertible {
  /// Words for a message, in English.
  public var description: String {
    switch self {
    case .device(.xrun, _, .capture): "overrun"
    case .device(.xrun, _, .playback): "underrun"
    case .device(let fault, let call, let direction): "\(direction.rawValue) \(call.rawValue): \(fault)"
    case .stalled: "no sound moves"
    case .outOfStep: "clocks too far apart"
    }
  }
}
