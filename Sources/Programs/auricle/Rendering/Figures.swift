import Acoustics
import Control
import Engine

/// The figures of a rendering as `--json` prints them.
struct Figures: Encodable {
  let schema = 101
  let output: String
  let sampleRate: Double
  let duration: Double
  let time: Double
  let rule: String
  let calibrationStatus: String
  let programs: [HeardProgram]
  let left: EarFigures
  let right: EarFigures

  init(_ result: RenderingResult) {
    output = result.output
    sampleRate = result.sampleRate
    duration = result.duration
    time = result.time
    rule = result.settings.ruleName
    calibrationStatus = result.settings.calibrationStatus.rawValue
    programs = result.programs.map { HeardProgram(program: $0.program.word, from: $0.time) }
    left = EarFigures(result.ears.left)
    right = EarFigures(result.ears.right)
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
struct EarFigures: Encodable {
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
