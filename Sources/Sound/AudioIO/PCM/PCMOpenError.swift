import Base
import Glibc

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

extension PCMOpenError: CustomStringConvertible {
  /// One sentence or two: what was found, what was expected, what to do.
  public var description: String {
    switch self {
    case .noSuchDevice(let name, let available):
      let choice =
        available.isEmpty
        ? "this machine has none"
        : "there are \(available.prefix(8).joined(separator: ", "))"
      return "no sound device is called \(name): \(choice)"
    case .busy(let name, let holders):
      let who = holders.map { "\($0.command) (process \($0.processID))" }.joined(separator: ", ")
      return
        "\(name) is in use by \(who.isEmpty ? "another program" : who): stop it, or choose another device"
    case .noPermission(let name, let node):
      return
        "\(name) may not be opened\(node.map { " (\($0))" } ?? ""): join the group audio and log in again"
    case .rateRefused(let name, let asked, let offer):
      return "\(name) does not run at \(asked) Hz: it offers \(list(offer.rates)) Hz"
    case .formatRefused(let name, let asked, let offer):
      return "\(name) has no sample format \(list(asked.map(\.rawValue))): "
        + "it offers \(list(offer.formats.map(\.rawValue)))"
    case .channelsRefused(let name, let direction, let asked, let offer):
      let wanted = asked == 0 ? (direction == .capture ? "1 or more" : "2 or more") : "\(asked)"
      let noun = asked == 1 ? "channel" : "channels"
      return "\(name) has no \(direction.rawValue) with \(wanted) \(noun): "
        + "it offers \(range(offer.channels))"
    case .accessRefused(let name, _):
      return "\(name) cannot transfer interleaved frames: try plug:\(name)"
    case .bufferRefused(let name, let asked, let granted):
      return "\(name) grants a buffer of \(granted) frames where \(asked) are needed: "
        + "ask for a longer period or fewer periods"
    case .failed(let name, "snd_pcm_open", let code) where SystemShortage.words(for: code) != nil:
      return "the device \(name) cannot be opened: \(SystemShortage.words(for: code) ?? "")"
    case .failed(let name, "snd_pcm_open", let code):
      // What lies behind a name that exists: the card's own trouble, or a server that does not run.
      let isServer = [ENOENT, ENODEV, ENXIO, ECONNREFUSED].contains(code)
      let reason = isServer ? "" : ": \(SystemError.words(for: code))"
      return "the device \(name) cannot be opened\(reason) (is its server running? auricle doctor)"
    case .failed(let name, let call, let code):
      return "\(name): \(call) failed: \(SystemError.words(for: code))"
    }
  }
}

private func list(_ values: [some CustomStringConvertible]) -> String {
  values.isEmpty ? "none" : values.map(\.description).joined(separator: ", ")
}

private func range(_ values: ClosedRange<Int>) -> String {
  values.lowerBound == values.upperBound
    ? "\(values.lowerBound)" : "\(values.lowerBound) to \(values.upperBound)"
}
