import Acoustics
import Base
import Control
import Engine
import Glibc

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
}
