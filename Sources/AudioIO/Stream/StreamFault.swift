/// What broke a stream.
public enum StreamFault: Sendable, Hashable, BitwiseCopyable {
  /// A call on one of the devices failed.
  case device(PCMFault, during: PCMCall, StreamDirection)
  /// The devices are well by their own account, but no sound moves.
  case stalled
  /// Two clocks have run too far apart to be brought together by resampling, or the resampler failed.
  case outOfStep
  /// The devices hold so many periods more than the latency, or fewer where negative.
  case misaligned(periods: Int)
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
    case .misaligned(let periods):
      "delay \(periods.magnitude) \(periods.magnitude == 1 ? "period" : "periods") too \(periods > 0 ? "long" : "short")"
    }
  }
}
