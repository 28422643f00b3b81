import AudioIO
import Control

extension DoctorReport {
  /// The sound devices that would be opened, and what stands in their way.
  static func devices(_ machine: Machine, _ configured: Configuration.Device) -> [Finding] {
    let cards = machine.devices.filter { $0.card != nil }
    let usual = cards.first { $0.directions.count == 2 }?.name
    let opened = machine.report?.devices
    let isSupplied = opened != nil || (machine.tried.count == 2 && machine.refusals.isEmpty)
    var findings = [
      !cards.isEmpty || isSupplied
        ? Finding(
          "sound cards", .good,
          found: cards.isEmpty
            ? "none, but other devices deliver sound" : cards.map(\.name).joined(separator: ", "))
        : Finding(
          "sound cards", .warning, found: "none",
          remedy: "Plug one in: the daemon finds it by itself.")
    ]
    for (subject, name, direction) in [
      ("microphone's device", configured.capture, StreamDirection.capture),
      ("earphones' device", configured.playback, .playback),
    ] {
      findings.append(
        machine.refusals[direction].map {
          Finding(subject, .bad, found: $0, remedy: "auricle devices lists what there is.")
        }
          ?? device(
            subject, name ?? usual, direction, in: machine.devices,
            opened: direction == .capture ? opened?.capture.name : opened?.playback.name,
            wasTried: machine.tried.contains(direction)))
    }
    return findings
  }

  private static func device(
    _ subject: String, _ name: String?, _ direction: StreamDirection, in devices: [DeviceDescription],
    opened: String?, wasTried: Bool
  ) -> Finding {
    guard let name else {
      return Finding(
        subject, .bad, found: "this machine has no sound card that captures and plays",
        remedy: "Plug one in: the daemon finds it by itself. Or name two in [device] of the configuration.")
    }
    if let hidden = HiddenDelay(deviceName: name) {
      return Finding(
        subject, hidden == .bluetooth ? .bad : .warning, found: "\(name), which \(hidden.explanation)",
        remedy: "auricle devices lists the hw: devices.")
    }
    guard let device = devices.first(where: { $0.name == name || $0.name.hasPrefix(name + ",") }) else {
      // Names of alsa-lib's configuration need not be listed, and aliases such as hw:0 are not.
      if opened == name { return Finding(subject, .good, found: "\(name), in use by the daemon") }
      if wasTried { return Finding(subject, .good, found: "\(name), can be opened") }
      return Finding(
        subject, .warning, found: "\(name), named, not tried",
        remedy: "Stop the sound, then auricle doctor tries it.")
    }
    guard device.directions.contains(direction) else {
      return Finding(
        subject, .bad, found: "\(name), which has no \(direction.rawValue)",
        remedy: "auricle devices lists what there is.")
    }
    if let refusal = device.refusal { return Finding(subject, .bad, found: "\(name) \(refusal)") }
    let offer = direction == .capture ? device.capture : device.playback
    let others = device.holders.filter { $0.command != "auricled" && $0.command != "auricle" }
    if offer == nil, !others.isEmpty {
      let who = others.map { "\($0.command) (process \($0.processID))" }.joined(separator: " and ")
      return Finding(
        subject, .bad, found: "\(name), in use by \(who)", remedy: "Stop it, or choose another device.")
    }
    return Finding(subject, .good, found: device.title.isEmpty ? name : "\(name), \(device.title)")
  }
}
