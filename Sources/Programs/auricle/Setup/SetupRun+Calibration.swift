import Acoustics
import Base
import Control
import Engine
import Glibc
import Service

extension SetupRun {
  /// Takes calibration files where there are any.
  mutating func nameCalibration() throws {
    let ends = [(Configuration.End.earphone, "earphones"), (.microphone, "microphone")]
    let loaded = try file.loaded()
    // One that was made with other devices does not count.
    let hearing = try AidSettings(loaded).hearing
    let foreign = hearing.foreignCalibrations(for: loaded)
    for (end, what) in ends where foreign.contains(end) {
      interview.say(Self.refusal(of: end, what, hearing.calibrated(for: loaded)))
    }
    let missing = ends.filter {
      !file.configuration.calibration[$0.0].isCalibrated || foreign.contains($0.0)
    }
    guard !missing.isEmpty else {
      interview.say("Microphone and earphones are calibrated.")
      return try finish(.calibration)
    }
    let unknown = missing.filter { !foreign.contains($0.0) }
    let (names, verb) = (
      English.list(unknown.map(\.1), "and"), unknown.map(\.1) == ["microphone"] ? "is" : "are"
    )
    interview.say(
      (unknown.isEmpty
        ? "Without one that counts "
        : "Nobody has measured yet how loud the \(names) \(verb). Without that ")
        + "the gain is held to 20 dB, which is safe and for a moderate loss too little. Who has measured it, an audiologist for "
        + "instance, gives you a file for each. To measure it yourself: auricle calibrate.")
    for (end, what) in missing {
      guard try takeCalibration(of: end, what) else {
        interview.say("None: gain stays held to 20 dB. When there are files: auricle setup --again.")
        break
      }
    }
    try finish(.calibration)
  }

  /// - Returns: False when there is none.
  private mutating func takeCalibration(of end: Configuration.End, _ what: String) throws -> Bool {
    while true {
      let answer = path(try interview.ask("File with the calibration of the \(what) (Enter: none):"))
      if answer.isEmpty { return false }
      guard access(answer, F_OK) == 0 else {
        interview.say("Found no such file, expected a calibration. Type its path, or Enter for none.")
        continue
      }
      let (before, written) = (file, progress.written)
      do {
        // A file is instead of all that was stated: a number, which may be what the confirmed loudness left, and another device.
        try file.unsetCalibration(of: end)
        try file.set(
          "calibration.\(end.rawValue).file", to: TOMLParser.literal(answer), from: Self.folder,
          subject: "calibration")
        let loaded = try file.loaded()
        let hearing = try AidSettings(loaded).hearing
        guard !hearing.foreignCalibrations(for: loaded).contains(end) else {
          interview.say(
            Self.refusal(of: end, what, hearing.calibrated(for: loaded)) + " It is left out, then.")
          (file, progress.written) = (before, written)
          continue
        }
        tell(of: end, hearing.calibrated(for: loaded))
        guard end == .earphone, let level = progress.level else {
          try keep()
          return true
        }
        if let confirmed = try hold(to: level) {
          try keep(level: confirmed)
          return true
        }
        interview.say("This calibration is left out, then: what you confirmed would be exceeded.")
        (file, progress.written) = (before, written)
      } catch let failure as Failure where failure.subject == "setup" { throw failure } catch {
        (file, progress.written) = (before, written)
        say(error)
      }
    }
  }

  /// A sentence on a calibration that was made with another device.
  ///
  /// - Parameter counted: With the calibrations that count.
  private static func refusal(
    of end: Configuration.End, _ what: String, _ counted: HearingSettings
  ) -> String {
    let caveat = counted.calibration(of: end).caveat ?? "it was made with another device"
    return "The calibration of the \(what) does not count: \(caveat)."
  }

  /// Tells whose calibration it is, for somebody who has other earphones in their ears.
  private func tell(of end: Configuration.End, _ hearing: HearingSettings) {
    let (device, levels) =
      switch end {
      case .earphone:
        (hearing.earphones.device, Ear.allCases.map { hearing.earphones.sensitivity[$0].nominalLevel })
      case .microphone: (hearing.microphones.device, hearing.microphones.channels.map(\.nominalLevel))
      }
    let date = device.date.map { ", \($0)" } ?? ""
    let numbers = levels.map { NumberText.fixed($0.decibels) }
    interview.say(
      "\(device.device), \(device.status.rawValue)\(date): full scale at 1 kHz is \(English.list(numbers, "and")) dB SPL."
        + (device.caveat.map { " Provisional: \($0)." } ?? ""))
  }
}
