import Acoustics
import Base
import Control
import Engine
import Glibc
import Paper

/// A rendering in words.
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
  func writePicture(to path: String, audiogramName: String, inputName: String? = nil) throws(Failure) {
    try PageFile(path: path).write { () throws(PaperError) in
      let report = RenderingReport(
        self, audiogramName: audiogramName, inputName: inputName, programName: programNames)
      try report.picture().write(to: path)
    }
  }
}

extension RenderingResult {
  /// The figures as `--json` prints them.
  var json: JSONValue {
    [
      "schema": .number(101), "output": .text(output), "sample_rate_hz": .number(sampleRate),
      "duration_seconds": .number(duration), "processing_seconds": .number(time),
      "rule": .text(settings.ruleName), "calibration_status": .text(settings.calibrationStatus.rawValue),
      "programs": .array(
        programs.map { ["program": .text($0.program.word), "from_seconds": .number($0.time)] }),
      "left": ears.left.json, "right": ears.right.json,
    ]
  }
}

extension EarResult {
  /// One ear's figures. Levels of silence are absent: JSON has no −∞.
  fileprivate var json: JSONValue {
    [
      "input_level_db_spl": .finite(input.equivalentLevel.value.decibels),
      "output_level_db_spl": .finite(output.equivalentLevel.value.decibels),
      "maximum_fast_output_db_spl": .finite(output.maximumFastLevel.value.decibels),
      "limited_share": .number(limitedShare), "clipped_input_samples": .number(Double(clippedInput)),
      "non_finite_hops": .number(Double(nonFinite)),
    ]
  }
}
