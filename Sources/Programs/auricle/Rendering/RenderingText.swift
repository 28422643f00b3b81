import Acoustics
import Base
import Control
import Engine
import Glibc
import Paper

/// A rendering in words and in JSON.
struct RenderingText {
  private let result: RenderingResult
  private let picture: String?
  private let choice: ProgramChoice?

  /// - Parameter choice: Program that was asked for.
  init(_ result: RenderingResult, picture: String?, choice: ProgramChoice? = nil) {
    self.result = result
    self.choice = choice
    self.picture = picture
  }

  /// Summary in a few lines.
  var lines: [String] {
    [
      "Wrote \(result.output)\(picture.map { " and \($0)" } ?? ""): \(seconds(result.duration)) of sound at "
        + "\(Int(result.sampleRate)) Hz in \(seconds(result.time)), \(pace) times real time.",
      line(.left), line(.right),
    ] + programs
  }

  private var programs: [String] {
    guard let heard = result.programNames else { return [] }
    return [choice == .automatic ? "Program, chosen by what was heard: \(heard)." : "Program: \(heard)."]
  }

  /// One ear: levels before and after, and whether a limiter worked.
  func line(_ ear: Ear) -> String {
    let seen = result.ears[ear]
    let limited =
      seen.limitedShare < 0.0005
      ? "never limited" : "limited \(NumberText.fixed(seen.limitedShare * 100, 1)) % of the time"
    let clipped =
      seen.clippedInput == 0 ? "" : "; \(seen.clippedInput) samples of the recording are clipped"
    return "\(ear == .left ? "Left ear: " : "Right ear:") "
      + "\(DecibelText.level(seen.input.equivalentLevel.value)) SPL in, "
      + "\(DecibelText.level(seen.output.equivalentLevel.value)) SPL out "
      + "(loudest, Fast: \(DecibelText.level(seen.output.maximumFastLevel.value)) SPL), \(limited)\(clipped)."
  }

  private var pace: String { NumberText.fixed(result.duration / max(result.time, 1e-9), 0) }
  private func seconds(_ time: Double) -> String { DecibelText.seconds(time) }
}

/// Numbers as a person reads them.
enum DecibelText {
  /// "65.0 dB".
  static func level(_ level: SoundPressureLevel) -> String { decibels(level.decibels) }

  /// "−3.2 dB", "silence" for −∞.
  static func decibels(_ value: Double) -> String {
    value.isFinite ? "\(NumberText.fixed(value, 1)) dB" : "silence"
  }

  /// "12.34 s".
  static func seconds(_ time: Double) -> String { "\(NumberText.fixed(time, 2)) s" }
}

extension RenderingResult {
  /// Names of the programs that were heard, and when each of the later ones began; nil without a program.
  var programNames: String? {
    guard let first = programs.first else { return nil }
    let rest = programs.dropFirst().map { "from \(DecibelText.seconds($0.time)) on \($0.program.name)" }
    return ([first.program.name] + rest).joined(separator: ", ")
  }

  /// Draws hearing, target and achieved gain, spectra and levels of both ears.
  ///
  /// - Parameter inputName: Name of the sound; nil takes the name of the first recording.
  func writePicture(
    to path: String, audiogramName: String, inputName: String? = nil
  ) throws(Failure) {
    try PageFile(path: path).write { () throws(PaperError) in
      let report = RenderingReport(
        self, audiogramName: audiogramName, inputName: inputName, programName: programNames)
      try report.picture().write(to: path)
    }
  }
}

/// The figures of a rendering as `--json` prints them.
struct RenderingFigures: Encodable {
  let schema = 101
  let output: String
  let sampleRate: Double
  let duration: Double
  let time: Double
  let rule: String
  let calibrationStatus: String
  let programs: [HeardProgram]
  let left: RenderedEar
  let right: RenderedEar

  init(_ result: RenderingResult) {
    output = result.output
    sampleRate = result.sampleRate
    duration = result.duration
    time = result.time
    rule = result.settings.ruleName
    calibrationStatus = result.settings.calibrationStatus.rawValue
    programs = result.programs.map { HeardProgram(program: $0.program.word, from: $0.time) }
    left = RenderedEar(result.ears.left)
    right = RenderedEar(result.ears.right)
  }

  enum CodingKeys: String, CodingKey {
    case schema, output, rule, programs, left, right
    case sampleRate = "sample_rate_hz"
    case duration = "duration_seconds"
    case time = "processing_seconds"
    case calibrationStatus = "calibration_status"
  }
}

/// A program and from when on it was heard.
struct HeardProgram: Encodable {
  let program: String
  let from: Double

  enum CodingKeys: String, CodingKey {
    case program
    case from = "from_seconds"
  }
}

/// One ear's figures. Levels of silence are absent: JSON has no −∞.
struct RenderedEar: Encodable {
  let inputLevel: Double?
  let outputLevel: Double?
  let maximumOutput: Double?
  let limitedShare: Double
  let clippedInput: Int
  let nonFinite: Int

  init(_ ear: EarResult) {
    inputLevel = Self.finite(ear.input.equivalentLevel.value)
    outputLevel = Self.finite(ear.output.equivalentLevel.value)
    maximumOutput = Self.finite(ear.output.maximumFastLevel.value)
    limitedShare = ear.limitedShare
    clippedInput = ear.clippedInput
    nonFinite = ear.nonFinite
  }

  private static func finite(_ level: SoundPressureLevel) -> Double? {
    level.decibels.isFinite ? level.decibels : nil
  }

  enum CodingKeys: String, CodingKey {
    case inputLevel = "input_level_db_spl"
    case outputLevel = "output_level_db_spl"
    case maximumOutput = "maximum_fast_output_db_spl"
    case limitedShare = "limited_share"
    case clippedInput = "clipped_input_samples"
    case nonFinite = "non_finite_hops"
  }
}
