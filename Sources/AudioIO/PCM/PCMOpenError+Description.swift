import Glibc

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
      let reason = isServer ? "" : ": \(unsafe String(cString: strerror(code)))"
      return "the device \(name) cannot be opened\(reason) (is its server running? auricle doctor)"
    case .failed(let name, let call, let code):
      return "\(name): \(call) failed: \(unsafe String(cString: strerror(code)))"
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
