import Acoustics
import Control
import Laboratory
import Service

/// A verification as `--json` prints it. Levels of silence are absent: JSON has no −∞.
struct VerificationFigures: Encodable {
  let schema = 100
  let measuredAt: Int
  let version = Version.number
  let subject: String
  let inForce: String?
  let rule: String
  let nature = VerificationTables.nature
  let calibration: String
  let sampleRate: Double
  let block: Int
  let blockLatency: Double
  let deviceLatency: Double
  let isMet: Bool
  let ears: [EarFigures]
  let limits: [LimitFigures]

  init(_ specimen: Specimen, _ verification: Verification) {
    let measured = verification.subject
    measuredAt = specimen.moment.seconds
    subject = specimen.name
    inForce = specimen.inForce
    rule = measured.hearing.fittedEars.isEmpty ? "none" : measured.hearing.ruleName
    calibration = measured.hearing.calibrationStatus.rawValue
    sampleRate = measured.geometry.sampleRate
    block = measured.geometry.blockFrames
    blockLatency = measured.blockLatency
    deviceLatency = measured.deviceLatency
    isMet = verification.isMet
    ears = verification.ears.map { EarFigures($0) }
    limits = verification.findings.map { LimitFigures($0) }
  }

  enum CodingKeys: String, CodingKey {
    case schema, version, subject, rule, nature, ears, limits
    case measuredAt = "measured_unix_seconds"
    case inForce = "program_in_force"
    case calibration = "calibration_status"
    case sampleRate = "sample_rate_hz"
    case block = "block_frames"
    case blockLatency = "block_latency_seconds"
    case deviceLatency = "device_latency_seconds"
    case isMet = "met"
  }

  /// One limit.
  struct LimitFigures: Encodable {
    let source: String
    let clause: String?
    let name: String
    let ear: String?
    let measured: Double?
    let unit: String
    let atLeast: Double?
    let atMost: Double?
    let known: String
    let verdict: String
    let note: String?

    init(_ finding: Finding) {
      source = finding.source.rawValue
      clause = finding.clause.isEmpty ? nil : finding.clause
      name = finding.name
      ear = finding.ear?.rawValue
      measured = finding.measured.flatMap { $0.isFinite ? $0 : nil }
      unit = finding.unit
      switch finding.bound {
      case .atMost(let limit): (atLeast, atMost) = (nil, limit)
      case .atLeast(let limit): (atLeast, atMost) = (limit, nil)
      case .within(let range): (atLeast, atMost) = (range.lowerBound, range.upperBound)
      }
      known = finding.knowledge.rawValue
      verdict = finding.verdict.rawValue
      note = finding.note.isEmpty ? nil : finding.note
    }

    enum CodingKeys: String, CodingKey {
      case source, clause, name, ear, measured, unit, known, verdict, note
      case atLeast = "at_least"
      case atMost = "at_most"
    }
  }

  /// One ear's figures and curves; a curve's points are pairs of numbers.
  struct EarFigures: Encodable {
    let ear: String
    let maximumOutput: Double
    let highFrequencyOutput: Double
    let softGain: Double
    let highFrequencyGain: Double
    let referenceTestGain: Double
    let distortions: [DistortionFigure]
    let noise: Double?
    let equivalentInputNoise: Double?
    let attack: Double?
    let release: Double?
    let staticRatio: Double?
    let bandwidth: [Double]
    let peak: Double
    let delays: [[Double]]
    let response: [[Double]]
    let loudResponse: [[Double]]
    let inputOutput: [String: [[Double]]]
    let speechGains: [SpeechGainFigure]
    let speech: [SpeechFigure]

    init(_ measured: EarMeasurements) {
      func pairs(_ curve: [CurvePoint]) -> [[Double]] {
        curve.filter { $0.x.isFinite && $0.y.isFinite }.map { [$0.x, $0.y] }
      }
      func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
      ear = measured.ear.rawValue
      maximumOutput = measured.maximumOutput.y
      highFrequencyOutput = measured.highFrequencyOutput
      softGain = measured.softGain
      highFrequencyGain = measured.highFrequencyGain
      referenceTestGain = measured.referenceTestGain
      distortions = measured.distortions.map {
        DistortionFigure(frequency: $0.frequency, level: $0.level, percent: $0.share * 100)
      }
      noise = finite(measured.noise.output)
      equivalentInputNoise = finite(measured.equivalentInputNoise)
      attack = measured.steps.attack
      release = measured.steps.release
      staticRatio = measured.staticRatio
      bandwidth = [measured.bandwidth.lower, measured.bandwidth.upper]
      peak = measured.smoothness.excess
      delays = pairs(measured.delays)
      response = pairs(measured.response)
      loudResponse = pairs(measured.loudResponse)
      var curves: [String: [[Double]]] = [:]
      for curve in measured.inputOutput {
        curves[curve.frequency.map { "\(Int($0))" } ?? "speech_shaped_noise"] = pairs(curve.curve)
      }
      inputOutput = curves
      speechGains = measured.speechGains.map {
        SpeechGainFigure(level: $0.level, measured: pairs($0.measured), target: pairs($0.target))
      }
      speech = measured.speech.map { SpeechFigure($0) }
    }

    enum CodingKeys: String, CodingKey {
      case ear, speech, distortions
      case maximumOutput = "maximum_output_db_spl"
      case highFrequencyOutput = "hfa_ospl90_db_spl"
      case softGain = "hfa_full_on_gain_db"
      case highFrequencyGain = "hfa_gain_60_db"
      case referenceTestGain = "reference_test_gain_db"
      case noise = "self_generated_noise_dba"
      case equivalentInputNoise = "equivalent_input_noise_dba"
      case attack = "attack_seconds"
      case release = "release_seconds"
      case staticRatio = "compression_ratio_2_khz"
      case bandwidth = "bandwidth_hz"
      case peak = "third_octave_peak_db"
      case delays = "delay_hz_seconds"
      case response = "response_60_hz_db_spl"
      case loudResponse = "ospl90_hz_db_spl"
      case inputOutput = "input_output_db_spl"
      case speechGains = "insertion_gain"
    }
  }

  struct DistortionFigure: Encodable {
    let frequency: Double
    let level: Double
    let percent: Double

    enum CodingKeys: String, CodingKey {
      case percent
      case frequency = "frequency_hz"
      case level = "input_db_spl"
    }
  }

  struct SpeechGainFigure: Encodable {
    let level: Double
    let measured: [[Double]]
    let target: [[Double]]

    enum CodingKeys: String, CodingKey {
      case level = "input_db_spl"
      case measured = "measured_hz_db"
      case target = "target_hz_db"
    }
  }

  /// Rows of frequency, 30th, 65th and 99th percentile of the input, the same of the output, and the ratio.
  struct SpeechFigure: Encodable {
    let level: Double
    let ratio: Double
    let bands: [[Double]]

    init(_ speech: SpeechDynamics) {
      level = speech.level
      ratio = speech.compressionRatio
      bands = speech.bands.map { band in
        let (x, y) = (band.input, band.output)
        return [
          band.frequency, x.valleys, x.middle, x.peaks, y.valleys, y.middle, y.peaks, band.compressionRatio,
        ]
      }
    }

    enum CodingKeys: String, CodingKey {
      case bands
      case level = "input_db_spl"
      case ratio = "compression_ratio"
    }
  }
}
