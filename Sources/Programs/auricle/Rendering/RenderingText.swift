import Acoustics
import Base
import Engine
import Paper

/// A rendering in words.
struct RenderingText {
  let result: RenderingResult
  /// Files that were written besides the sound.
  var others: [String] = []
  /// Program that was asked for.
  var choice: ProgramChoice?
  /// Name of the audiogram or prescription.
  var hearing = ""
  /// Cautions about recording and audiogram, a sentence each.
  var cautions: [String] = []

  /// Summary in a few lines.
  var lines: [String] {
    [
      "Wrote \(English.list([result.output] + others, "and")): \(seconds(result.duration)) of sound at "
        + "\(Int(result.sampleRate)) Hz in \(seconds(result.time)), \(pace) times real time.",
      "Heard through: \(LogLine.printable(hearing)).", line(.right), line(.left),
    ] + programs + cautions.map { "Caution: \($0)" }
  }

  private var programs: [String] {
    guard let heard = result.programNames else { return [] }
    return [choice == .automatic ? "Program, chosen by what was heard: \(heard)." : "Program: \(heard)."]
  }

  /// One ear: levels before and after, and whether a limiter worked.
  func line(_ ear: Ear) -> String {
    let seen = result.ears[ear]
    let share = "limited \(NumberText.fixed(seen.limitedShare * 100)) % of the time"
    let limited = seen.limitedShare < 0.0005 ? "never limited" : share
    let clipped =
      seen.clippedInput == 0 ? "" : "; \(seen.clippedInput) samples of the recording are clipped"
    return "\(ear == .left ? "Left ear: " : "Right ear:") "
      + "\(DecibelText.level(seen.input.equivalentLevel.value)) in, "
      + "\(DecibelText.level(seen.output.equivalentLevel.value)) out "
      + "(loudest, Fast: \(DecibelText.level(seen.output.maximumFastLevel.value))), \(limited)\(clipped)."
  }

  /// Seconds of sound in a second of work.
  var pace: String { NumberText.fixed(result.duration / max(result.time, 1e-9), 0) }

  private func seconds(_ time: Double) -> String { DecibelText.seconds(time) }
}

/// Numbers as a person reads them.
enum DecibelText {
  /// "65.0 dB SPL", "silence" for −∞.
  static func level(_ level: SoundPressureLevel) -> String {
    level.decibels.isFinite ? "\(NumberText.fixed(level.decibels)) dB SPL" : "silence"
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

  /// Cautions about samples that the chain took as silence, a sentence for each recording.
  ///
  /// - Parameters:
  ///   - input: The recording.
  ///   - stream: Recording that was streamed meanwhile; nil: none was.
  func silenced(of input: String, streaming stream: String?) -> [String] {
    let (left, right) = (ears.left.nonFinite, ears.right.nonFinite)
    let places =
      left == right
      ? [(left, " of each ear")] : [(right, " of the right ear"), (left, " of the left ear")]
    let heard = places.filter { $0.0 > 0 }.map { English.count($0.0, "block") + $0.1 }
    let own =
      heard.isEmpty
      ? nil : "\(input) \(Self.wrongSamples) \(English.list(heard, "and")). Both ears are silent there."
    let blocks = English.count(streamedNonFinite, "block")
    let streamed = stream.flatMap {
      streamedNonFinite == 0 ? nil : "\($0) \(Self.wrongSamples) \(blocks). It is silent there."
    }
    return [own, streamed].compactMap(\.self)
  }

  private static let wrongSamples = "has samples that are infinite, not numbers or far beyond any sound, in"

  /// Draws hearing, target and achieved gain, spectra and levels of both ears.
  ///
  /// - Parameter inputName: Name of the sound; nil takes the name of the first recording.
  func writePicture(to file: PageFile, audiogramName: String, inputName: String? = nil) throws(Failure) {
    let report = RenderingReport(
      self, audiogramName: audiogramName, inputName: inputName, programName: programNames)
    MissingLetters.caution(of: [audiogramName], on: "the picture", whole: "audiogram")
    if inputName == nil, let input = inputs.first {
      MissingLetters.caution(
        of: [FilePath.name(of: input)], on: "the picture", whole: "name of the recording's file")
    }
    try file.write([report.picture()])
  }

  /// The figures as `--json` prints them.
  ///
  /// - Parameters:
  ///   - cautions: About recording and audiogram, a sentence each.
  ///   - hearing: Name of the audiogram or prescription.
  ///   - picture: Picture that was drawn; nil: none was.
  ///   - spectrum: File of the spectra; nil: there is none.
  func json(
    _ cautions: [String] = [], hearing: String, picture: String?, spectrum: String? = nil
  ) -> JSONValue {
    [
      "schema": 103, "cautions": .array(cautions.map(JSONValue.text)), "output": .text(output),
      "hearing": .text(hearing), "picture": picture.map(JSONValue.text),
      "spectrum": spectrum.map(JSONValue.text),
      "sample_rate_hz": .number(sampleRate),
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
