import Acoustics
import AudioIO
import Base

extension StatusReport {
  /// `2 cautions`, about an audiogram that nobody has signed: the configuration's; nil: none.
  var ownCautions: String? {
    prescription?.serial == nil ? fitting.audiogramCautions.map { English.count($0, "caution") } : nil
  }

  /// The Bluetooth link that the earphones are on; nil: none that the device's name tells of.
  var playbackLink: BluetoothLink? {
    devices.flatMap { BluetoothLink(deviceName: $0.playback.name) }
  }

  var linkCaution: String? {
    playbackLink.map { "\($0.caution(measured: latency?.measured?.loopSeconds))." }
  }

  /// Sentences on a limit of what is amplified that leaves hardly any room for gain; nil: there is room, or nothing is amplified.
  var limitCaution: String? {
    guard fitting.isFitted, fitting.maximumOutputDBSPL < OutputRoom.little else { return nil }
    return "The limit is \(NumberText.fixed(fitting.maximumOutputDBSPL, 0)) dB SPL. \(OutputRoom.words) "
      + OutputRoom.remedy(isPrescribed: fitting.isMaximumOutputPrescribed == true)
  }

  /// Devices that play nothing or deliver nothing, a clause each.
  var silentDevices: [String] {
    guard let devices else { return [] }
    let ends: [(StreamDirection, String)] = [
      (.capture, devices.capture.name), (.playback, devices.playback.name),
    ]
    return ends.filter { SilentDevice.isCalled($0.1) }.map { direction, name in
      "the device \(name) \(SilentDevice.effect(direction))"
    }
  }

  /// Caution of an aid without a fitting; also what an answer of `auricle start` tells it by.
  package static let notFitted = "Not fitted: nothing is amplified."

  /// Cautions about the prescription, the configuration and the calibration: missing, held back or not in force, and why.
  package var cautions: [String] {
    var lines = (prescription?.notes ?? []) + (program?.notes ?? [])
    if !fitting.isFitted { lines.append(Self.notFitted) }
    for ear in fitting.needlessGainEars ?? [] {
      lines.append(
        "Caution: the \(ear) ear hears normally by its audiogram and gets gain, which it does not need."
          + " More: auricle check, or auricle rx show")
    }
    if let ownCautions {
      lines.append(
        "Caution: auricle check has \(ownCautions) about the audiogram. Let a physician or an audiologist look at it."
      )
    }
    if let cap = fitting.gainCapDB {
      lines.append("Not calibrated: gain is held to \(Int(cap)) dB, levels are estimates.")
      if let words = fitting.heldBackWords { lines.append(words) }
    } else if calibration.microphone.status == .none || calibration.earphone.status == .none {
      lines.append("Not calibrated: levels are estimates.")
    }
    for (name, end) in [("microphone", calibration.microphone), ("earphones", calibration.earphone)] {
      guard let caveat = end.caveat else { continue }
      let words = end.status == .none ? "does not count" : "is provisional"
      lines.append("Calibration of the \(name) \(words): \(caveat).")
    }
    if let limitCaution { lines.append(limitCaution) }
    if let linkCaution { lines.append("Caution: \(linkCaution)") }
    return lines + silentDevices.map { "Caution: \($0). Others: auricle devices" }
  }
}
