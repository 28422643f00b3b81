import Acoustics
import ArgumentParser
import Base

/// `auricle calibrate`: what the digital levels of microphone and earphones are in dB SPL.
struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Calibrate earphones and microphone: measure what their levels are in dB SPL.",
    discussion: """
      Without a calibration no gain exceeds 20 dB. auricle-calibration(7) leads through it, from a data sheet to a coupler.
      """,
    subcommands: [
      CalibrateEarphone.self, CalibrateMicrophone.self, CalibrateEars.self, CalibrateVolume.self,
      CalibrationProfiles.self,
    ])
}

/// `auricle calibrate profiles`: models of earphones whose levels are known.
struct CalibrationProfiles: Verb {
  static let configuration = CommandConfiguration(
    commandName: "profiles", abstract: "List models of earphones whose levels are known.",
    discussion: """
      They are provisional: another pair, another seat in the ear and another volume differ by some dB.
      EXAMPLE: auricle config set calibration.earphone.profile=airpods-pro-2
      """)

  @OptionGroup var form: AnswerOptions

  func answer() throws -> ExitStatus {
    let report = ProfilesReport(DeviceProfile.all)
    return try show(report, report.text(form.style))
  }
}

/// Profiles as `--json` prints them.
struct ProfilesReport: Encodable {
  struct Profile: Encodable {
    let name: String
    let description: String
    let status: CalibrationStatus
    let transducer: String?
    let coupler: String
    let condition: String
    let source: String
    let date: String?
    let examiner: String
    let maximumDBSPL: Double?
    let products: [String]
    let levels: [Level]
  }

  struct Level: Encodable {
    let frequencyHz: Double
    let fullScaleDBSPL: Double
  }

  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private let schema = 200
  let profiles: [Profile]

  init(_ profiles: [DeviceProfile]) {
    self.profiles = profiles.map { profile in
      let frequencies = profile.sensitivity.frequencies ?? [1000]
      return Profile(
        name: profile.identifier, description: profile.name, status: profile.status,
        transducer: profile.transducer?.identifier, coupler: profile.coupler, condition: profile.condition,
        source: profile.source, date: profile.date.map { "\($0)" }, examiner: profile.examiner,
        maximumDBSPL: profile.maximumLevel?.decibels,
        products: (profile.identity?.products ?? []).map(\.description),
        levels: frequencies.compactMap { frequency in
          guard let level = try? profile.sensitivity.level(at: frequency) else { return nil }
          return Level(frequencyHz: frequency, fullScaleDBSPL: (level.decibels * 100).rounded() / 100)
        })
    }
  }

  /// Several lines with their breaks.
  func text(_ style: Style) -> String {
    var table = TextTable([.leading, .leading, .trailing, .leading])
    table.append([
      style.bold("Profile"), style.bold("Earphones"), style.bold("0 dB FS, 1 kHz"), style.bold("Holds for"),
    ])
    for profile in profiles {
      let level = profile.levels.first { $0.frequencyHz == 1000 } ?? profile.levels.first
      table.append([
        profile.name, profile.description,
        level.map { "\(NumberText.fixed($0.fullScaleDBSPL)) dB SPL" } ?? "",
        profile.condition,
      ])
    }
    let sources = Set(
      profiles.map {
        "\($0.source) (\($0.date ?? "no day")), measured by \($0.examiner); coupler \($0.coupler)"
      })
    return table.text + "\nAll are provisional. Figures: \(sources.sorted().joined(separator: "; ")).\n"
      + "To use one, instead of all that the configuration states of the earphones:\n"
      + "  auricle config unset \(StatedCalibration.keysBesideProfile.joined(separator: " "))\n"
      + "  auricle config set calibration.earphone.profile=NAME\n"
  }
}

/// Options of every calibration that is measured.
struct MeasurementOptions: ParsableArguments {
  @Option(help: .init("Person who measures.", valueName: "name")) var by: String?

  @Option(
    help: .init("Day of the measurement, such as 2026-01-31. Default: today.", valueName: "day"),
    transform: { text in
      guard let day = CalendarDate(text) else {
        throw ValidationError("found \(text), expected a day, such as 2026-01-31")
      }
      return day
    })
  var date: CalendarDate?

  @Option(
    name: .shortAndLong,
    help: .file(
      "The calibration file to make; an existing one is not replaced. Default: one beside the configuration."
    ),
    completion: .file())
  var output: String?

  @Flag(help: "Name the file in the configuration, without asking.") var use = false

  @OptionGroup var form: JSONOption
  @OptionGroup var configuration: ConfigurationOption
}
