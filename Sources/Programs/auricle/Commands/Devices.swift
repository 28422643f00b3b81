import ArgumentParser
import AudioIO
import Base
import Service

/// `auricle devices`: the sound devices of this machine; needs no daemon.
struct Devices: Verb {
  static let configuration = CommandConfiguration(
    abstract: "List the sound devices, with the names to write into the configuration.")

  @OptionGroup var form: AnswerOptions

  func answer() throws -> ExitStatus {
    let report = DevicesReport(DeviceList.all())
    return try show(report, DevicesText(report: report, style: form.style).text)
  }
}

/// A list of devices in words, for people.
struct DevicesText: Sendable {
  let report: DevicesReport
  var style = Style.plain

  /// Several lines with their breaks.
  var text: String {
    // ALSA calls hardware hw:; all other names lead to it, to a server or to nowhere.
    let cards = report.devices.filter { $0.name.hasPrefix("hw:") }
    let others = report.devices.filter { !$0.name.hasPrefix("hw:") }
    let none = "No sound card found. Connect one and list again; auricle doctor shows what is missing.\n"
    let head = cards.isEmpty ? none : list(cards)
    return others.isEmpty ? head : head + "\n" + names(others)
  }

  /// Devices without a card of their own, one a line: nothing is known of them but name and description.
  private func names(_ devices: [DevicesReport.Device]) -> String {
    let problems = Set(devices.flatMap { [$0.capture?.problem, $0.playback?.problem] }.compactMap(\.self))
    let reason = problems.isEmpty ? "" : " (\(problems.sorted().joined(separator: "; ")))"
    var table = TextTable([.leading, .leading])
    for device in devices {
      let mark = device.isDefault ? style.good("(taken by default) ") : ""
      table.append(["  " + device.name, mark + device.description])
    }
    return "\(style.bold("Other ALSA names"))\(reason)\n" + table.text
  }

  private func list(_ devices: [DevicesReport.Device]) -> String {
    var lines = ""
    for device in devices {
      let mark = device.isDefault ? " " + style.good("(taken by default)") : ""
      let description = device.description.isEmpty ? "" : "  \(device.description)\n"
      lines += "\(style.bold(device.name))\(mark)\n" + description
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
    let rates = direction.ratesHz.map(String.init).joined(separator: ", ")
    let formats = direction.formats.joined(separator: ", ")
    return "\(English.count(direction.channels, "channel")), \(rates) Hz, \(formats)"
  }
}

/// `auricle doctor`: one line per fact that sound depends on, with advice.
struct Doctor: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Examine the machine and advise what to do.",
    discussion: "Needs no daemon. Exits with 1 when something is bad.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var file: ConfigurationOption
  @OptionGroup var form: AnswerOptions

  func answer() throws -> ExitStatus {
    let report = DoctorReport(Machine(configurationFile: file.file, socket: socket.path))
    let text = DoctorText(report: report, style: form.style).text
    return try show(report, text, exit: report.isHealthy ? .done : .no)
  }
}

/// An examination in words, for people: one line per fact, and under it what to do.
struct DoctorText: Sendable {
  let report: DoctorReport
  var style = Style.plain

  /// Several lines with their breaks.
  var text: String {
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
