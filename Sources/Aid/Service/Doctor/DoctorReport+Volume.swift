import Acoustics
import AudioIO
import Base
import Control
import Engine

/// Findings on the volume controls of the earphones' card.
extension DoctorReport {
  /// Gain of a control from which on hardly anything is heard, dB: speech of 62 dB SPL (normal vocal effort at 1 m, ANSI S3.5, from memory)
  /// becomes 22 dB SPL by it, about the softest of which an ear that hears normally understands half (20 dB SPL, ISO 8253-3, from memory).
  /// Own choice.
  static let inaudible = -40.0
  /// Controls that are in the way of earphones wherever a card has them, as the kernel's drivers name them
  /// (Documentation/sound/designs/control-names.rst, from memory). Others, as of loudspeakers, are muted while earphones are plugged in.
  private static let inTheWay: Set = ["Master", "PCM", "Headphone", "Headset"]

  /// Controls by which the earphones of an ear that is fitted are silent, or nearly; nothing where a calibration that counts was measured
  /// with the card's controls, which tells of a difference itself.
  ///
  /// - Parameter hearing: Of the configuration; nil: it cannot be read.
  static func volume(
    _ machine: Machine, _ hearing: HearingSettings?, _ loaded: LoadedConfiguration
  ) -> [Finding] {
    let calibration = calibration(machine, hearing, loaded)
    guard !calibration.hasControls, let controls = machine.volumes.settings else { return [] }
    let ears = ears(machine, hearing)
    let silent = controls.filter { !$0.isOn || !lowEars(of: [$0], ears).isEmpty }
    // Of a card that has no such control all others together.
    let named = silent.filter { control in
      // Of several of one name, as of two jacks, one that is not silent may be the earphones'.
      inTheWay.contains(name(of: control))
        && !controls.contains { name(of: $0) == name(of: control) && !silent.contains($0) }
    }
    let told = !named.isEmpty ? named : silent.count == controls.count ? silent : []
    guard !told.isEmpty else { return [] }
    let low = lowEars(of: told, ears)
    return [
      Finding(
        "card's volume", .warning,
        found: English.list(told.map { "\($0.control) stands at \($0.place)" }, "and") + ": "
          + heard(told, low),
        remedy: remedy(told, isLow: !low.isEmpty, calibration.status, machine), repair: .none(.hearing))
    ]
  }

  /// Status of the earphones' calibration in force, and true where it was measured with the card's controls.
  private static func calibration(
    _ machine: Machine, _ hearing: HearingSettings?, _ loaded: LoadedConfiguration
  ) -> (status: CalibrationStatus, hasControls: Bool) {
    guard machine.otherFile == nil else {
      // Of a daemon with another configuration the controls are not known here; no calibration is verified without any.
      let status = machine.report?.calibration.earphone.status ?? .none
      return (status, status == .verified)
    }
    guard let counted = hearing?.calibrated(for: loaded) else { return (.none, false) }
    let status = counted.earphones.device.status
    return (status, status != .none && !counted.measuredVolumes.isEmpty)
  }

  /// Ears that hear by the aid; both where that is not known.
  private static func ears(_ machine: Machine, _ hearing: HearingSettings?) -> [Ear] {
    let told = machine.report?.fitting.ears.compactMap(Ear.init(rawValue:)) ?? hearing?.fittedEars ?? []
    return told.isEmpty ? Ear.allCases : told
  }

  /// Ears of these at which a control stands so low that hardly anything is heard.
  private static func lowEars(of controls: [VolumeSetting], _ ears: [Ear]) -> [Ear] {
    ears.filter { ear in
      // Of a control that tells no dB, its lowest place alone is known to be silence.
      controls.contains { $0.gain[ear] <= ($0.isScaled ? inaudible : 0) }
    }
  }

  private static func heard(_ controls: [VolumeSetting], _ low: [Ear]) -> String {
    let words = "little or nothing is heard"
    guard low.count < Ear.allCases.count else { return words }
    // A control counts as muted where one of its two channels is.
    guard controls.allSatisfy(\.isOn) else { return words + ", at one ear at least" }
    return words + low.map { " at the \($0) ear" }.joined()
  }

  /// The way to sound that leaves a limit: turned up without a measured calibration, a card plays louder than anybody has confirmed.
  private static func remedy(
    _ controls: [VolumeSetting], isLow: Bool, _ status: CalibrationStatus, _ machine: Machine
  ) -> String {
    let it = controls.count == 1 ? "it" : "them"
    let unmute = controls.allSatisfy(\.isOn) ? nil : "unmute \(it)"
    let off = "Take the earphones off the ears"
    guard isLow else { return "\(off), and \(unmute ?? ""): \(mixer(machine))" }
    let way = English.list([off, unmute, "turn \(it) up"].compactMap(\.self), "and")
    // Setup finds a limit for an aid of the person's own, and leaves that of another one as it is.
    let isOwn = !machine.isAnothers && !machine.start.isSystems
    let (stop, setup) = (machine.report == nil ? "" : "auricle stop --daemon", "auricle setup --again")
    guard status == .none else {
      let asked = isOwn ? (stop.isEmpty ? "" : "\(stop), then ") + setup : "whoever runs the machine"
      return
        "\(way) to where the calibration's source has \(it), not above: \(mixer(machine)). If nobody knows where: your clinic, or \(asked)"
    }
    guard isOwn else {
      return
        "First lower safety.maximum-output of the aid's configuration by as many dB as \(it) will go up, auricle.toml(5), "
        + "or ask whoever runs the machine, or your clinic. Then: \(way): \(mixer(machine))"
    }
    return (stop.isEmpty ? "" : "Stop the aid: \(stop). ")
      + "\(way): \(mixer(machine)). The limit does not hold then: before you listen, find the greatest loudness anew: \(setup)"
  }

  /// Name of a control without its number on the card: `PCM` of `PCM,1`.
  private static func name(of control: VolumeSetting) -> String {
    String(control.control.prefix { $0 != "," })
  }

  private static func mixer(_ machine: Machine) -> String {
    let place = machine.earphones.map { DevicePlace.name(of: $0) }
    let card = place.flatMap { place in machine.devices.first { $0.isCalled(place) }?.card }
    return "alsamixer" + (card.map { " -c \($0)" } ?? "")
  }
}
