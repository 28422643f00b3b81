import Acoustics
import Base
import Engine

/// A verification as it is reported: figures and limits as rows of text, and the curves.
///
/// The text for a terminal, the JSON and the printed page are renderings of it.
///
/// - Threads: any.
package struct VerificationTable: Sendable {
  /// One figure; an ear that was not measured has a dash.
  package struct Figure: Sendable, Equatable {
    package var name: String
    package var ears: Binaural<String>
  }

  /// One limit with the finding of each ear.
  package struct Limit: Sendable, Equatable {
    /// At least one, all of one source, clause and name.
    package var findings: [Finding]

    package var first: Finding { findings[0] }
    package var isBroken: Bool { findings.contains { $0.verdict == .broken } }

    /// Broken when one ear breaks it; met when no ear's is open and one ear meets it.
    package var verdict: Finding.Verdict {
      let verdicts = findings.map(\.verdict)
      return [.broken, .notJudged, .met].first(where: verdicts.contains) ?? .notApplicable
    }

    /// "secondary source"; marked where nobody has read it, see ``VerificationTable/origin``.
    package var known: String { (first.knowledge.isRead ? "" : "* ") + first.knowledge.rawValue }

    /// "21 CFR 800.30 (e)(3)".
    package var source: String {
      first.clause.isEmpty ? first.source.rawValue : "\(first.source.rawValue) \(first.clause)"
    }

    /// "4.6 ms", "–" where there is nothing to measure.
    package func value(_ ear: Ear) -> String {
      findings.first { $0.ear == ear }.map { VerificationTable.number($0.measured, $0.unit) } ?? "–"
    }

    /// "≤ 15 ms".
    package var bound: String {
      func text(_ value: Double, _ unit: String = first.unit) -> String {
        value.readText + (unit.isEmpty ? "" : " \(unit)")
      }
      let (least, most) = (first.bound.lowerBound, first.bound.upperBound)
      if least == -.infinity { return "≤ " + text(most) }
      if most == .infinity { return "≥ " + text(least) }
      return least == -most ? "± " + text(most) : "\(text(least, "")) to \(text(most))"
    }
  }

  /// Origin of the limits that are marked, and of the others.
  package static let origin =
    "* read in no text: from memory, or this program's own choice. The others follow a public text; no standard itself was at hand."

  /// Scope of the figures.
  package static let nature =
    "Figures of the digital chain with the devices' stated calibration, not of a coupler or an ear."

  /// Name of the specimen and its rule.
  package var title: String
  /// Devices, sizes, program; one sentence each.
  package var conditions: [String]
  package var figures: [Figure]
  package var limits: [Limit]
  /// Counts of limits met, broken and not judged, one sentence.
  package var verdict: String
  /// True when no limit is broken.
  package var isMet: Bool
  /// Curves of the ears that were measured.
  package var ears: [EarMeasurements]
}

extension VerificationTable {
  /// - Parameters:
  ///   - name: Name of what was measured, such as "Bisgaard N3".
  ///   - measured: Date and program of the measurement, one sentence.
  ///   - inForce: Settings of the running aid that are left out of the measurement; nil: none.
  package init(_ verification: Verification, of name: String, measured: String, inForce: String?) {
    let subject = verification.subject
    let isFitted = !subject.hearing.fittedEars.isEmpty
    let limits = Self.limits(verification.findings)
    self.init(
      title: "\(name), \(isFitted ? subject.hearing.ruleName : "not fitted")",
      conditions: [measured] + Self.conditions(subject)
        + (inForce.map { ["In force, and not in these figures: \($0)."] } ?? []),
      figures: Self.figures(verification), limits: limits,
      verdict: Self.verdict(limits)
        + (isFitted ? "." : ". The aid amplifies nothing: a prescription has still to be measured."),
      isMet: verification.broken.isEmpty, ears: verification.ears)
  }

  /// "29 limits met, 1 broken: Latency; 1 not judged: Self-generated noise", without a full stop.
  static func verdict(_ limits: [Limit]) -> String {
    func names(_ verdict: Finding.Verdict) -> [String] {
      limits.filter { $0.verdict == verdict }.map(\.first.name)
    }
    let (met, broken, open) = (names(.met), names(.broken), names(.notJudged))
    let parts = [
      broken.isEmpty ? "none broken" : "\(broken.count) broken: \(broken.joined(separator: ", "))",
      open.isEmpty ? nil : "\(open.count) not judged: \(open.joined(separator: ", "))",
    ]
    return "\(English.count(met.count, "limit")) met, " + parts.compactMap(\.self).joined(separator: "; ")
  }

  static func limits(_ findings: [Finding]) -> [Limit] {
    findings.reduce(into: []) { limits, finding in
      let place = limits.firstIndex {
        ($0.first.source, $0.first.clause, $0.first.name) == (finding.source, finding.clause, finding.name)
      }
      if let place {
        limits[place].findings.append(finding)
      } else {
        limits.append(Limit(findings: [finding]))
      }
    }
  }

  // MARK: - Conditions

  private static func conditions(_ subject: Subject) -> [String] {
    let hearing = subject.hearing
    let microphone = hearing.microphones.channels[0].nominalLevel.decibels
    let earphone = hearing.earphones.sensitivity
    func end(_ device: DeviceCalibration) -> String {
      (device.status == .none ? "assumed, not calibrated" : "\(device.status.rawValue), \(device.device)")
        + (device.caveat.map { ": \($0)" } ?? "")
    }
    let geometry = subject.geometry
    let blocks = "periods of \(geometry.blockFrames) frames at \(Int(geometry.sampleRate)) Hz"
    let delay = NumberText.milliseconds(subject.blockLatency)
    let device =
      switch subject.surroundings {
      case .configured:
        "\(subject.periods) \(blocks), \(delay), by the configuration, of which the device may choose others"
      case .running(nil): "\(subject.periods) \(blocks), \(delay), of the running aid"
      case .running: "\(blocks) of the running aid, \(delay) as its devices tell it"
      case .measured:
        "\(blocks) of the running aid, \(delay) as it was measured, converters included, no stated delay added"
      }
    let stated =
      subject.deviceLatency > 0
      ? "; stated device delay \(NumberText.milliseconds(subject.deviceLatency))"
      : "; no device delay stated"
    var lines = [
      nature,
      "Microphone: full scale is \(microphone.shortText) dB SPL (\(end(hearing.microphones.device))); "
        + "\(subject.converterBits)-bit converter, "
        + (subject.microphoneNoise.map { "own noise \($0.shortText) dBA." }
          ?? "its own noise not stated and in no figure."),
      "Earphone: full scale is \(earphone.right.nominalLevel.decibels.shortText) dB SPL right, "
        + "\(earphone.left.nominalLevel.decibels.shortText) left (\(end(hearing.earphones.device))).",
      "Program: adaptive features off, nothing lowered or added, as ANSI/ASA S3.22 asks. Attack "
        + "\((hearing.dynamics.attack * 1000).shortText) ms, release "
        + "\((hearing.dynamics.release * 1000).shortText) ms, output at most "
        + "\(hearing.outputCeiling.decibels.shortText) dB SPL.",
      "Device: \(device)\(subject.surroundings.isMeasured ? "" : stated).",
    ]
    if let cap = hearing.gainCap, !hearing.fittedEars.isEmpty {
      lines.append("Gain is held to \(cap.shortText) dB until both ends are calibrated.")
    }
    if hearing.fittedEars.isEmpty { lines.append("Not fitted: nothing is amplified.") }
    return lines
  }

  // MARK: - Figures

  private static func figures(_ verification: Verification) -> [Figure] {
    func figure(_ name: String, _ text: (EarMeasurements) -> String) -> Figure {
      var figure = Figure(name: name, ears: Binaural(both: "–"))
      for ear in verification.ears { figure.ears[ear.ear] = text(ear) }
      return figure
    }
    func latency(_ chain: Double) -> Double {
      chain + verification.subject.blockLatency + verification.subject.deviceLatency
    }
    let levels = SpeechDynamics.levels.map { "\(Int($0))" }.joined(separator: ", ")
    var figures = [
      figure("OSPL90, maximum") { ear in
        let loudest = ear.loudResponse.max { $0.y < $1.y } ?? CurvePoint(x: 0, y: 0)
        return "\(number(loudest.y, "dB SPL")) at \(Int(loudest.x.rounded())) Hz"
      },
      figure("OSPL90, high-frequency average") { number($0.highFrequencyOutput, "dB SPL") },
      figure("Full-on gain (50 dB SPL), high-frequency average") { number($0.softGain, "dB") },
      figure("Gain (60 dB SPL), high-frequency average") { number($0.highFrequencyGain, "dB") },
      figure("Reference test gain") {
        "\(number($0.referenceTestGain, "dB"))\($0.isFullOn ? ", not reached" : "")"
      },
    ]
    for index in verification.ears.first?.distortions.indices ?? 0..<0 {
      let tone = verification.ears[0].distortions[index]
      figures.append(
        figure("THD+N, \(Int(tone.frequency)) Hz at \(Int(tone.level)) dB SPL") {
          number($0.distortions[index].share * 100, "%")
        })
    }
    figures += [
      figure("Self-generated noise") { number($0.noise.output, "dBA") },
      figure("Equivalent input noise") { number($0.equivalentInputNoise, "dBA") },
      figure("Attack, release") { "\(milliseconds($0.steps.attack)), \(milliseconds($0.steps.release))" },
      figure("Compression ratio, 2 kHz, 55 to 80 dB SPL") { number($0.staticRatio, "") },
      figure("Compression ratio of speech, \(levels) dB SPL") { ear in
        ear.speech.map { number($0.compressionRatio, "") }.joined(separator: ", ")
      },
      figure("Bandwidth") {
        "\(Int($0.bandwidth.lower.rounded())) to \(Int($0.bandwidth.upper.rounded())) Hz"
      },
      figure("Greatest third-octave peak") {
        "\(number($0.smoothness.excess, "dB")) at \(Int($0.smoothness.frequency.rounded())) Hz"
      },
      figure("Delay of the chain, at most") { NumberText.milliseconds($0.longestDelay) },
      figure("Latency with the device's periods") { NumberText.milliseconds(latency($0.longestDelay)) },
    ]
    return figures
  }

  private static func milliseconds(_ time: Double?) -> String {
    time.map { NumberText.fixed($0 * 1000, 1) + " ms" } ?? "none"
  }

  /// "4.57 ms"; more decimals for small numbers.
  static func number(_ value: Double?, _ unit: String) -> String {
    guard let value, value.isFinite else { return "–" }
    let places = abs(value) < 10 ? 2 : abs(value) < 1000 ? 1 : 0
    return NumberText.fixed(value, places) + (unit.isEmpty ? "" : " \(unit)")
  }
}
