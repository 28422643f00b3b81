import Acoustics
import ArgumentParser
import AudioIO
import Base
import Control
import Engine
import Service

/// `auricle calibrate volume`: the card's volume controls as they stood when the earphones were measured.
struct CalibrateVolume: Verb {
  static let configuration = CommandConfiguration(
    commandName: "volume",
    abstract: "Put the card's volume controls back where they stood when the earphones were measured.",
    discussion:
      "Says how each stands with --show, and changes nothing. Sound can get louder by it; the limit holds as calibrated."
  )

  @Flag(help: "Show how they stand, and change nothing.") var show = false

  @OptionGroup var form: JSONOption
  @OptionGroup var configuration: ConfigurationOption

  func answer() throws -> ExitStatus {
    let loaded = try ConfigurationSearch(explicit: configuration.file).load().get()
    let settings = try AidSettings(loaded)
    // Those of another device would be set where they do not hold.
    let measured = settings.hearing.calibrated(for: loaded).measuredVolumes
    guard !measured.isEmpty, let device = settings.playbackDevice else {
      let found =
        if !measured.isEmpty {
          "no device"
        } else if settings.hearing.measuredVolumes.isEmpty {
          "no volume control"
        } else {
          "a calibration that was made with another device"
        }
      throw Failure(
        "calibration.earphone", found: found,
        expected: "a calibration that was measured with the card's controls, and its device",
        remedy: "Measure: auricle calibrate earphone.", exit: .configuration)
    }
    if let refusal = PlaybackVolumes.refusal(of: device) {
      throw Failure(
        device, found: "a card that \(refusal.found)", expected: "one whose volume controls can be read",
        remedy: "\(refusal.remedy.prefix(1).uppercased())\(refusal.remedy.dropFirst()).",
        exit: .noPermission)
    }
    if !show {
      let left = CardMixer.restore(measured.map(\.mixerVolume), on: device)
      guard left.isEmpty else {
        throw Failure(
          device, inWords: "The volume control \(English.list(left, "and")) cannot be set",
          remedy: "Set it by hand, with alsamixer.", exit: .unavailable)
      }
    }
    guard case .read(let present) = PlaybackVolumes.now(of: device) else { return .software }
    let difference = VolumeSetting.difference(present, from: measured)
    let places = measured.map { "\($0.control) at \($0.place)" }
    let message =
      difference.map { "Not as calibrated: \($0)." }
      ?? "As calibrated: \(English.list(places, "and"))."
    return try self.show(DoneReport(message: message), exit: difference == nil ? .done : .no)
  }
}
