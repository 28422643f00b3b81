import Acoustics
import Base

extension Verification {
  /// `auricle verify --json`. Levels of silence are absent: JSON has no −∞.
  ///
  /// - Parameters:
  ///   - name: Name of what was measured.
  ///   - moment: Time of the measurement, s since 1970.
  ///   - version: The program's.
  ///   - inForce: Settings of the running aid that are left out of the measurement; nil: none.
  package func json(of name: String, at moment: Int, version: String, inForce: String?) -> JSONValue {
    let hearing = subject.hearing
    return [
      "schema": .number(100), "measured_unix_seconds": .number(Double(moment)), "version": .text(version),
      "subject": .text(name), "program_in_force": inForce.map(JSONValue.text),
      "rule": .text(hearing.fittedEars.isEmpty ? "none" : hearing.ruleName),
      "nature": .text(VerificationTable.nature),
      "calibration_status": .text(hearing.calibrationStatus.rawValue),
      "sample_rate_hz": .number(subject.geometry.sampleRate),
      "block_frames": .number(Double(subject.geometry.blockFrames)),
      "block_latency_seconds": .number(subject.blockLatency),
      "device_latency_seconds": .number(subject.deviceLatency), "met": .boolean(isMet),
      "ears": .array(ears.map(\.json)), "limits": .array(findings.map(\.json)),
    ]
  }
}

extension Finding {
  var json: JSONValue {
    let (least, most): (Double?, Double?) =
      switch bound {
      case .atMost(let limit): (nil, limit)
      case .atLeast(let limit): (limit, nil)
      case .within(let range): (range.lowerBound, range.upperBound)
      }
    return [
      "source": .text(source.rawValue), "clause": clause.isEmpty ? nil : .text(clause),
      "name": .text(name), "ear": ear.map { .text($0.rawValue) }, "measured": .finite(measured),
      "unit": .text(unit), "at_least": .finite(least), "at_most": .finite(most),
      "known": .text(knowledge.rawValue), "verdict": .text(verdict.rawValue),
      "note": note.isEmpty ? nil : .text(note),
    ]
  }
}

extension EarMeasurements {
  /// Figures and curves; a curve's points are pairs of numbers.
  var json: JSONValue {
    let curves = inputOutput.map { curve in
      JSONValue.Member(
        key: curve.frequency.map { "\(Int($0))" } ?? "speech_shaped_noise", value: Self.pairs(curve.curve))
    }
    return [
      "ear": .text(ear.rawValue), "maximum_output_db_spl": .number(maximumOutput.y),
      "hfa_ospl90_db_spl": .number(highFrequencyOutput), "hfa_full_on_gain_db": .number(softGain),
      "hfa_gain_60_db": .number(highFrequencyGain), "reference_test_gain_db": .number(referenceTestGain),
      "distortions": .array(
        distortions.map {
          [
            "frequency_hz": .number($0.frequency), "input_db_spl": .number($0.level),
            "percent": .number($0.share * 100),
          ]
        }),
      "self_generated_noise_dba": .finite(noise.output),
      "equivalent_input_noise_dba": .finite(equivalentInputNoise),
      "attack_seconds": .finite(steps.attack), "release_seconds": .finite(steps.release),
      "compression_ratio_2_khz": .finite(staticRatio),
      "bandwidth_hz": [.number(bandwidth.lower), .number(bandwidth.upper)],
      "third_octave_peak_db": .number(smoothness.excess), "delay_hz_seconds": Self.pairs(delays),
      "response_60_hz_db_spl": Self.pairs(response), "ospl90_hz_db_spl": Self.pairs(loudResponse),
      "input_output_db_spl": .object(curves),
      "insertion_gain": .array(
        speechGains.map {
          [
            "input_db_spl": .number($0.level), "measured_hz_db": Self.pairs($0.measured),
            "target_hz_db": Self.pairs($0.target),
          ]
        }),
      "speech": .array(speech.map(\.json)),
    ]
  }

  private static func pairs(_ curve: [CurvePoint]) -> JSONValue {
    .array(
      curve.filter { $0.x.isFinite && $0.y.isFinite }.map { [.number($0.x), .number($0.y)] })
  }
}

extension SpeechDynamics {
  /// Rows of frequency, 30th, 65th and 99th percentile of the input, the same of the output, and the ratio.
  fileprivate var json: JSONValue {
    let rows = bands.map { band in
      let (x, y) = (band.input, band.output)
      return JSONValue.array(
        [
          band.frequency, x.valleys, x.middle, x.peaks, y.valleys, y.middle, y.peaks,
          band.compressionRatio,
        ].map(JSONValue.number))
    }
    return [
      "input_db_spl": .number(level), "compression_ratio": .number(compressionRatio),
      "bands": .array(rows),
    ]
  }
}
