/// Why a device cannot be used as asked. Each case has what one clear message needs.
public enum PCMOpenError: Error, Sendable, Equatable {
  /// No device has this name; `available` lists those of its kind that there are, the nearest names first.
  case noSuchDevice(name: String, available: [String])
  /// Someone else has it; `holders` is empty when the system does not let us see who.
  case busy(name: String, holders: [DeviceHolder])
  /// The device's file may not be opened; `node` is its path, where known.
  case noPermission(name: String, node: String?)
  /// The exact rate, Hz, is not offered.
  case rateRefused(name: String, asked: Int, offer: DeviceOffer)
  /// None of the formats is offered.
  case formatRefused(name: String, asked: [SampleFormat], offer: DeviceOffer)
  /// The number of channels is not offered; 0 asked for any that the direction can use.
  case channelsRefused(name: String, direction: StreamDirection, asked: Int, offer: DeviceOffer)
  /// Interleaved transfer is not offered.
  case accessRefused(name: String, offer: DeviceOffer)
  /// The buffer, frames, that the latency needs is not to be had; `granted` is what was.
  case bufferRefused(name: String, asked: Int, granted: Int)
  /// Any other failure; `call` is the C function, `errno` positive.
  case failed(name: String, call: String, errno: Int32)
}
