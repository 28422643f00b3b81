import ArgumentParser
import AudioIO
import Base
import Control
import Engine
import Service

/// `auricle devices`: the sound devices of this machine; needs no daemon.
struct Devices: Verb {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the sound devices, with the names to write into the configuration.",
    discussion: """
      Each with what it can do and its way: wired, USB, HDMI, Bluetooth, sound server or loopback. Bluetooth earphones are allowed, with a \
      caution; a Bluetooth microphone is refused.
      """)

  @OptionGroup var form: AnswerOptions

  func answer() throws -> ExitStatus {
    if let fault = DeviceList.configurationFault {
      throw Failure(
        "devices", inWords: fault,
        remedy: "Correct /etc/asound.conf or ~/.asoundrc, the one that was changed last.",
        exit: .configuration)
    }
    let record = FeedbackFile(folder: StandardPaths.current.stateDirectory).measured
    // Devices are listed whatever is wrong with the configuration.
    let loaded = try? ConfigurationSearch(explicit: nil).load().get()
    let hearing = loaded.flatMap { try? AidSettings($0) }?.hearing
    let report = DevicesReport(
      DeviceList.all(), measured: record, calibrated: hearing ?? HearingSettings())
    return try show(report, DevicesText(report: report, style: form.style).text)
  }
}

/// A list of devices in words, for people. Names of cards and of the programs that use them are others' text and act on no terminal.
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
    let problem = LogLine.printable(problems.sorted().joined(separator: "; "))
    let reason = problem.isEmpty ? "" : " (\(problem))"
    var table = TextTable([.leading, .leading])
    for device in devices {
      let mark = device.isDefault ? style.good("(taken by default) ") : ""
      let description = LogLine.printable(device.description)
      let words = [device.latencyClass?.words, description].compactMap(\.self).filter { !$0.isEmpty }
      let caution = device.caution.map { (words.isEmpty ? "" : "; ") + style.warning($0) } ?? ""
      table.append([
        "  " + LogLine.printable(device.name), mark + words.joined(separator: ": ") + caution,
      ])
    }
    return "\(style.bold("Other ALSA names"))\(reason)\n" + table.text
  }

  private func list(_ devices: [DevicesReport.Device]) -> String {
    var lines = ""
    for device in devices {
      let mark = device.isDefault ? " " + style.good("(taken by default)") : ""
      let description = device.description.isEmpty ? "" : "  \(LogLine.printable(device.description))\n"
      lines += "\(style.bold(LogLine.printable(device.name)))\(mark)\n" + description
      var table = TextTable([.leading, .leading])
      if let model = device.model {
        let ends = (device.calibratedEnds ?? []).map { $0 == "earphone" ? "earphones" : $0 }
        let calibrated = ends.isEmpty ? "" : "; calibrated: \(English.list(ends, "and"))"
        table.append(["  model", LogLine.printable(model) + calibrated])
      }
      if let kind = device.latencyClass { table.append(["  delay", delay(kind, device)]) }
      table.append(["  capture", direction(device.capture)])
      table.append(["  playback", direction(device.playback)])
      lines += table.text
    }
    return lines
  }

  /// Class of the delay; beyond the buffer there is little to tell of a wired one.
  private func delay(_ kind: LatencyClass, _ device: DevicesReport.Device) -> String {
    device.caution.map { "\(kind.words): \(style.warning($0))" } ?? kind.words
  }

  private func direction(_ direction: DevicesReport.Direction?) -> String {
    guard let direction else { return style.faint("none") }
    if let problem = direction.problem { return style.warning(LogLine.printable(problem)) }
    let rates = direction.ratesHz.map(String.init).joined(separator: ", ")
    let formats = direction.formats.joined(separator: ", ")
    return "\(English.count(direction.channels, "channel")), \(rates) Hz, \(formats)"
  }
}
