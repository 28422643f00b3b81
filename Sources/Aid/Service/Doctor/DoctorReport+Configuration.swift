import Base
import Control
import Engine
import Fitting

/// Findings on the configuration and on what follows from it.
extension DoctorReport {
  static func configuration(
    _ loaded: LoadedConfiguration,
    _ settings: Result<(settings: AidSettings, leftOut: Failure?), ConfigurationFailures>,
    prescription: Finding?, _ machine: Machine
  ) -> [Finding] {
    let file =
      loaded.file.map { Finding("configuration", .good, found: $0) }
      ?? Finding(
        "configuration", .warning, found: "no file, all values are defaults",
        remedy: "By questions with auricle setup, or a file to edit: mkdir -p ~/.config/auricle && "
          + "auricle config reference > ~/.config/auricle/auricle.toml")
    if let report = machine.report, let other = machine.otherFile {
      var findings = [file]
      if case .failure(let error) = settings {
        findings += error.failures.map { finding("configuration", $0) }
      }
      findings += [otherFile(other), prescription ?? heardPrescription(report)]
      return findings + calibration(report) + limit(report.fitting)
    }
    switch settings {
    case .failure(let error): return [file] + error.failures.map { finding("prescription", $0) }
    case .success(let (settings, leftOut)):
      return [file, prescription ?? configuredPrescription(settings.hearing, loaded)]
        + audiogram(leftOut, isUnknown: isPrescriptionUnknown(machine))
        + calibration(settings.hearing.calibrated(for: loaded), loaded, machine)
        + limit(settings.hearing, machine.report)
    }
  }

  /// Calibration as the card's controls stand. Where it was measured with them and whoever asks cannot read them, that of the daemon,
  /// which has this configuration and may read them; without a daemon the way to the right to read them.
  private static func calibration(
    _ hearing: HearingSettings, _ loaded: LoadedConfiguration, _ machine: Machine
  ) -> [Finding] {
    guard machine.volumes == .read(nil), !hearing.measuredVolumes.isEmpty else {
      // Of the device that the file names, which a daemon need not have open.
      return calibration(hearing.countingVolumes(on: loaded))
    }
    if let report = machine.report { return calibration(report) }
    let refusal = PlaybackVolumes.refusal(of: machine.earphones, among: machine.devices)
    // One that is provisional whatever its controls say is to be measured as well.
    let measure = hearing.earphones.device.status == .verified ? "" : " " + measuring("earphone")
    // The system's aid may read them.
    let start =
      machine.start.isSystems
      ? " While the system's aid runs, its calibration is told here: \(machine.start.command)." : ""
    return calibration(
      hearing.counting(machine.volumes, refusedBecause: refusal?.found),
      right: refusal.map { sentence($0.remedy) + start + measure })
  }

  /// A daemon that has another configuration than the one that is examined.
  private static func otherFile(_ file: String) -> Finding {
    Finding(
      "configuration", .warning,
      found: file == Machine.noFile
        ? "the daemon has none, all its values are defaults" : "the daemon has another one, \(file)",
      remedy: "Prescription, calibration and limit, below, are the daemon's. "
        + (file == Machine.noFile
          ? "To let it read this one: auricle reload, or start it with --config."
          : "To examine its file: auricle doctor --config \(file.shellWord)"))
  }

  /// Limit of a daemon with this configuration, in which a clinic's card counts, otherwise the configuration's own.
  private static func limit(_ hearing: HearingSettings, _ report: StatusReport?) -> [Finding] {
    let heard = report.map { limit($0.fitting) } ?? []
    return heard.isEmpty ? limit(StatusReport.Fitting(hearing)) : heard
  }

  /// A limit so low that nothing can be amplified; nothing otherwise.
  private static func limit(_ fitting: StatusReport.Fitting) -> [Finding] {
    guard fitting.maximumOutputDBSPL < OutputRoom.little else { return [] }
    return [
      Finding(
        "greatest output", .warning,
        found: "\(fitting.maximumOutputDBSPL.shortText) dB SPL. \(OutputRoom.words)",
        remedy: OutputRoom.remedy(isPrescribed: fitting.isMaximumOutputPrescribed == true),
        repair: .none(.hearing))
    ]
  }
}
