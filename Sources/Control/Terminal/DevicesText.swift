/// A list of devices in words, for people.
public struct DevicesText: Sendable {
  private let report: DevicesReport
  private let style: Style

  public init(_ report: DevicesReport, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  /// Several lines with their breaks.
  public var text: String {
    // ALSA calls hardware hw:; all other names lead to it, to a server or to nowhere.
    let cards = report.devices.filter { $0.name.hasPrefix("hw:") }
    let others = report.devices.filter { !$0.name.hasPrefix("hw:") }
    let head = cards.isEmpty ? "No sound card found.\n" : list(cards)
    return others.isEmpty ? head : head + "\n\(style.bold("Other ALSA names"))\n\n" + list(others)
  }

  private func list(_ devices: [DevicesReport.Device]) -> String {
    var lines = ""
    for device in devices {
      let mark = device.isDefault ? " " + style.good("(taken by default)") : ""
      lines += "\(style.bold(device.name))\(mark)\n  \(device.description)\n"
      var table = TextTable([.leading, .leading])
      table.append(["  capture", direction(device.capture)])
      table.append(["  playback", direction(device.playback)])
      lines += table.text
    }
    return lines
  }

  private func direction(_ direction: DevicesReport.Direction?) -> String {
    guard let direction else { return style.faint("none") }
    if let problem = direction.problem { return style.warning(problem) }
    let rates = direction.rates.map(String.init).joined(separator: ", ")
    let formats = direction.formats.joined(separator: ", ")
    return "\(English.count(direction.channels, "channel")), \(rates) Hz, \(formats)"
  }
}
