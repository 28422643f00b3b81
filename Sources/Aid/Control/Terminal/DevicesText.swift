import Base
import Glibc

/// A list of devices in words, for people.
package struct DevicesText: Sendable {
  private let report: DevicesReport
  private let style: Style

  package init(_ report: DevicesReport, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  /// Several lines with their breaks.
  package var text: String {
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

/// An examination in words, for people: one line per fact, and under it what to do.
package struct DoctorText: Sendable {
  private let report: DoctorReport
  private let style: Style

  package init(_ report: DoctorReport, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  /// Several lines with their breaks.
  package var text: String {
    var table = TextTable([.leading, .leading, .leading])
    for finding in report.findings {
      table.append([mark(finding.verdict), finding.subject, finding.found])
      if let remedy = finding.remedy { table.append(["", "", remedy]) }
    }
    return table.text
  }

  private func mark(_ verdict: DoctorReport.Finding.Verdict) -> String {
    switch verdict {
    case .good: style.good("good")
    case .warning: style.warning("warning")
    case .bad: style.bad("bad")
    }
  }
}

/// Whether output is coloured.
package enum ColorChoice: String, Sendable, CaseIterable {
  /// On a terminal, unless the environment says otherwise.
  case auto
  case always
  case never

  /// Decides for one stream.
  ///
  /// In this order: the choice itself, `NO_COLOR` (no-color.org: set and not empty), `CLICOLOR_FORCE` (set and
  /// not `0`), `TERM=dumb`, whether the stream is a terminal.
  package func isOn(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let value = environment["NO_COLOR"], !value.isEmpty { return false }
    if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
    if environment["TERM"] == "dumb" { return false }
    return isTerminal
  }

  /// Decides for standard output or standard error of this process.
  package func isOn(for descriptor: Int32) -> Bool {
    isOn(environment: ProcessEnvironment.variables, isTerminal: isatty(descriptor) == 1)
  }
}
