import Acoustics
import Base

/// A verification on a terminal.
package struct VerificationText {
  private let table: VerificationTable
  private let style: Style

  package init(_ table: VerificationTable, style: Style) {
    (self.table, self.style) = (table, style)
  }

  /// Several lines with their breaks.
  package var text: String {
    let head = ([style.bold("Electroacoustic verification: \(table.title)")] + table.conditions)
      .joined(separator: "\n")
    let verdict = table.isMet ? style.good(table.verdict) : style.bad(table.verdict)
    return ([head, figures] + table.ears.map(curves) + [limits, verdict]).joined(separator: "\n\n") + "\n"
  }

  private var figures: String {
    var rows = TextTable([.leading, .trailing, .trailing])
    rows.append([style.bold("Figures"), "right", "left"])
    for figure in table.figures { rows.append([figure.name, figure.ears.right, figure.ears.left]) }
    return rows.text.trimmed
  }

  private var limits: String {
    var rows = TextTable([.leading, .leading, .leading, .trailing, .trailing, .leading, .leading])
    rows.append([style.bold("Limits"), "source", "figure", "right", "left", "limit", "known"])
    for limit in table.limits {
      let verdict =
        switch limit.verdict {
        case .met: style.good("met")
        case .broken: style.bad("BROKEN")
        case .notJudged: style.warning("not judged")
        case .notApplicable: style.faint("–")
        }
      rows.append([
        verdict, limit.source, limit.first.name, limit.value(.right), limit.value(.left), limit.bound,
        limit.known,
      ])
    }
    var text = rows.text.trimmed + "\n" + style.faint(VerificationTable.origin)
    for limit in table.limits {
      for finding in limit.findings where finding.verdict != .met && !finding.note.isEmpty {
        let ear = finding.ear.map { "\($0.rawValue) ear, " } ?? ""
        let line = "\(limit.source), \(limit.first.name): \(ear)\(finding.note)"
        let mark = [.broken: style.bad, .notJudged: style.warning][finding.verdict] ?? style.faint
        text += "\n" + mark(line)
      }
    }
    return text
  }

  // MARK: - Curves

  private func curves(_ ear: EarMeasurements) -> String {
    [inputOutput(ear), frequencies(ear), speech(ear)].joined(separator: "\n\n")
  }

  private func inputOutput(_ ear: EarMeasurements) -> String {
    let inputs = ear.inputOutput.first?.curve.map(\.x) ?? []
    var table = TextTable([.leading] + inputs.map { _ in .trailing })
    table.append(
      [style.bold("\(name(ear)): output for input, dB SPL")] + inputs.map { NumberText.fixed($0, 0) })
    for curve in ear.inputOutput {
      table.append(
        [curve.frequency.map { "\(Int($0)) Hz" } ?? "speech-shaped noise"]
          + curve.curve.map { NumberText.fixed($0.y) })
    }
    return table.text.trimmed
  }

  private func frequencies(_ ear: EarMeasurements) -> String {
    let delays = ear.delays
    var table = TextTable([.leading] + delays.map { _ in .trailing })
    table.append([style.bold("\(name(ear)): by frequency, Hz")] + delays.map { NumberText.fixed($0.x, 0) })
    func row(_ name: String, _ places: Int = 1, _ value: (Double) -> Double?) {
      table.append([name] + delays.map { NumberText.fixed(value($0.x), places) })
    }
    row("gain for tones of 60 dB SPL, dB") { nearest(ear.response, $0).map { $0 - 60 } }
    row("output for tones of 90 dB SPL, dB SPL") { nearest(ear.loudResponse, $0) }
    for gain in ear.speechGains {
      row("gain for speech of \(Int(gain.level)) dB SPL, dB") { nearest(gain.measured, $0) }
      row("  target") { nearest(gain.target, $0) }
    }
    row("delay of the chain, ms", 2) { frequency in delays.first { $0.x == frequency }.map { $0.y * 1000 } }
    return table.text.trimmed
  }

  private func speech(_ ear: EarMeasurements) -> String {
    let shown = [250.0, 500, 1000, 2000, 4000, 6300]
    var table = TextTable([.leading] + shown.map { _ in .trailing })
    table.append(
      [style.bold("\(name(ear)): speech-like sound, 30/65/99 %, dB SPL")]
        + shown.map { NumberText.fixed($0, 0) })
    for speech in ear.speech {
      let bands = shown.compactMap { frequency in
        speech.bands.first { abs($0.frequency / frequency - 1) < 0.05 }
      }
      func text(_ value: SpeechDynamics.Percentiles) -> String {
        [value.valleys, value.middle, value.peaks].map { NumberText.fixed($0, 0) }.joined(separator: "/")
      }
      table.append(["\(Int(speech.level)) dB SPL in"] + bands.map { text($0.input) })
      table.append(["  out"] + bands.map { text($0.output) })
      table.append(["  compression ratio"] + bands.map { NumberText.fixed($0.compressionRatio, 2) })
    }
    return table.text.trimmed
  }

  private func name(_ ear: EarMeasurements) -> String { ear.ear == .right ? "Right ear" : "Left ear" }

  /// The value at the point nearest to a frequency, if one lies within a sixth of an octave.
  private func nearest(_ curve: [CurvePoint], _ frequency: Double) -> Double? {
    let point = curve.min { abs($0.x / frequency - 1) < abs($1.x / frequency - 1) }
    return point.flatMap { abs($0.x / frequency - 1) < 0.12 ? $0.y : nil }
  }
}

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
      "schema": .number(201), "measured_unix_seconds": .number(Double(moment)), "version": .text(version),
      "subject": .text(name), "program_in_force": inForce.map(JSONValue.text),
      "rule": .text(hearing.fittedEars.isEmpty ? "none" : hearing.ruleName),
      "nature": .text(VerificationTable.nature),
      "calibration_status": .text(hearing.calibrationStatus.rawValue),
      "sample_rate_hz": .number(subject.geometry.sampleRate),
      "block_frames": .number(Double(subject.geometry.blockFrames)),
      "block_latency_seconds": .number(subject.blockLatency),
      "block_latency_source": .text(subject.surroundings.word),
      "device_latency_seconds": .number(subject.deviceLatency), "met": .boolean(isMet),
      "counts": ["met": count(.met), "broken": count(.broken), "not_judged": count(.notJudged)],
      "ears": .array(ears.map(\.json)), "limits": .array(findings.map(\.json)),
    ]
  }
}

extension Verification {
  /// Number of limits, those of both ears taken together as in the table.
  private func count(_ verdict: Finding.Verdict) -> JSONValue {
    .number(Double(VerificationTable.limits(findings).count { $0.verdict == verdict }))
  }
}

extension Finding {
  var json: JSONValue {
    [
      "source": .text(source.rawValue), "clause": clause.isEmpty ? nil : .text(clause), "name": .text(name),
      "ear": ear.map { .text($0.rawValue) }, "measured": .finite(measured), "unit": .text(unit),
      "at_least": .finite(bound.lowerBound), "at_most": .finite(bound.upperBound),
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
    .array(curve.filter { $0.x.isFinite && $0.y.isFinite }.map { [.number($0.x), .number($0.y)] })
  }
}

extension SpeechDynamics {
  /// Rows of frequency, 30th, 65th and 99th percentile of the input, the same of the output, and the ratio.
  fileprivate var json: JSONValue {
    let rows = bands.map { band in
      let (x, y) = (band.input, band.output)
      return JSONValue.array(
        [band.frequency, x.valleys, x.middle, x.peaks, y.valleys, y.middle, y.peaks, band.compressionRatio]
          .map(JSONValue.number))
    }
    return [
      "input_db_spl": .number(level), "compression_ratio": .number(compressionRatio), "bands": .array(rows),
    ]
  }
}
