import Acoustics
import Base

/// One figure held against one limit.
package struct Finding: Sendable, Equatable {
  /// Origin of a limit.
  package enum Source: String, Sendable, CaseIterable {
    /// The rule for over-the-counter hearing aids.
    case overTheCounter = "21 CFR 800.30"
    case soundAmplifier = "ANSI/CTA-2051"
    /// Tolerances around the fitting's targets.
    case tolerance = "ANSI/ASA S3.22"
    /// The fitting's own settings.
    case fitting = "fitting"
  }

  /// Reliability of a limit. The standards themselves were not at hand, so nothing is better than
  /// secondary.
  package enum Knowledge: String, Sendable, CaseIterable {
    /// Read in a public program or text that quotes or follows the standard.
    case secondary = "secondary source"
    case memory = "from memory"
    case own = "own choice"

    /// True when somebody has read the number in a text; otherwise a report marks the limit.
    package var isRead: Bool { self == .secondary }
  }

  package enum Verdict: String, Sendable {
    case met
    case broken
    /// It applies, and what its figure needs is not known.
    case notJudged = "not judged"
    case notApplicable = "not applicable"
  }

  package var source: Source
  /// Place in the source, such as "(d)(2)"; empty where it is not known.
  package var clause = ""
  /// Limited quantity, such as "Maximum output".
  package var name: String
  /// Nil: both ears alike.
  package var ear: Ear?
  /// Nil: there is nothing to measure, or not all that it needs is known; ``note`` says why.
  package var measured: Double?
  package var unit: String
  /// Infinite at the end that has no limit.
  package var bound: ClosedRange<Double>
  package var knowledge: Knowledge
  /// Place or method of the measurement, a few words.
  package var note = ""
  /// Verdict without a figure: ``Verdict/notApplicable``, or ``Verdict/notJudged``.
  package var withoutFigure = Verdict.notApplicable

  /// A figure that is not a number meets no limit.
  package var verdict: Verdict {
    measured.map { bound.contains($0) ? Verdict.met : .broken } ?? withoutFigure
  }
}

extension ClosedRange<Double> {
  static func atMost(_ limit: Double) -> ClosedRange<Double> { -Double.infinity...limit }
  static func atLeast(_ limit: Double) -> ClosedRange<Double> { limit...Double.infinity }
}

/// Holds one ear's figures against the limits.
struct Judgement {
  let measured: EarMeasurements
  let subject: Subject
  /// Target of the fitting.
  let target: FittedTarget
  /// The same without expansion.
  let quiet: FittedTarget

  var findings: [Finding] { overTheCounter + soundAmplifier + tolerances + fitting }

  /// Chain, blocks and stated device, ms.
  private var latency: Double {
    (measured.longestDelay + subject.blockLatency + subject.deviceLatency) * 1000
  }

  /// The limits of one source, to each of which a figure is held.
  private struct Limits {
    let source: Finding.Source
    /// Reliability of most of them.
    let knowledge: Finding.Knowledge
    let ear: Ear

    func callAsFunction(
      _ name: String, _ measured: Double?, _ unit: String, _ bound: ClosedRange<Double>,
      clause: String = "", note: String = "", from knowledge: Finding.Knowledge? = nil,
      withoutFigure: Finding.Verdict = .notApplicable
    ) -> Finding {
      Finding(
        source: source, clause: clause, name: name, ear: ear, measured: measured, unit: unit, bound: bound,
        knowledge: knowledge ?? self.knowledge, note: note, withoutFigure: withoutFigure)
    }
  }

  private func distortion(_ frequency: Double, _ level: Double) -> Double? {
    measured.distortions.first { $0.frequency == frequency && $0.level == level }.map { $0.share * 100 }
  }

  private func hertz(_ frequency: Double) -> String { "\(Int(frequency.rounded())) Hz" }

  // MARK: - 21 CFR 800.30

  private var overTheCounter: [Finding] {
    let limit = Limits(source: .overTheCounter, knowledge: .secondary, ear: measured.ear)
    let maximum = measured.maximumOutput
    let place = "at \(hertz(maximum.x)), tones of up to 100 dB SPL"
    let isCompressive = target.isCompressive
    return [
      limit(
        "Maximum output", isCompressive ? nil : maximum.y, "dB SPL", .atMost(111), clause: "(d)(1)",
        note: isCompressive ? "input-controlled compression is on: (d)(2)" : place),
      limit(
        "Maximum output, compression on", isCompressive ? maximum.y : nil, "dB SPL", .atMost(117),
        clause: "(d)(2)", note: isCompressive ? place : "no input-controlled compression: (d)(1)"),
    ]
      + [70.0, 100].map { level in
        limit(
          "Distortion and noise, 500 Hz at \(Int(level)) dB SPL", distortion(500, level), "%", .atMost(5),
          clause: "(e)(1)")
      } + [
        limit(
          "Self-generated noise", noise, "dBA", .atMost(Self.greatestNoise), clause: "(e)(2)",
          note: noiseNote, withoutFigure: .notJudged),
        limit("Latency", latency, "ms", .atMost(15), clause: "(e)(3)", note: latencyNote),
        limit(
          "Bandwidth, lower edge", measured.bandwidth.lower, "Hz", .atMost(250), clause: "(e)(4)",
          note: "method from memory"),
        limit(
          "Bandwidth, upper edge", measured.bandwidth.upper, "Hz", .atLeast(5000), clause: "(e)(4)",
          note: "method from memory"),
        limit(
          "Third-octave peak", measured.smoothness.excess, "dB", .atMost(12), clause: "(e)(5)",
          note: "at \(hertz(measured.smoothness.frequency))"),
      ]
  }

  /// Greatest self-generated noise, dBA.
  private static let greatestNoise = 32.0

  /// Self-generated noise, dBA; nil where it cannot be judged: noise of the converter alone can break the
  /// limit, but not meet it without the microphone's.
  private var noise: Double? {
    let noise = measured.noise.output
    return subject.microphoneNoise == nil && noise <= Self.greatestNoise ? nil : noise
  }

  private var noiseNote: String {
    if subject.microphoneNoise != nil { return "with the microphone's stated noise" }
    return noise == nil
      ? "not judged: the microphone's own noise is not known. State it by its data sheet: --microphone-noise"
      : "\(subject.converterBits)-bit converter, microphone's own noise not stated"
  }

  private var latencyNote: String {
    let stated = subject.deviceLatency > 0
    return switch subject.surroundings {
    case .configured, .running(nil):
      stated ? "chain, periods and stated device" : "chain and periods; no device delay stated"
    case .running:
      stated ? "chain, running and stated devices" : "chain and running devices; no device delay stated"
    case .measured: "chain, and devices as measured"
    }
  }

  // MARK: - ANSI/CTA-2051

  private var soundAmplifier: [Finding] {
    let limit = Limits(source: .soundAmplifier, knowledge: .secondary, ear: measured.ear)
    let loudest = measured.distortions.filter { $0.level >= 100 }.max { $0.share < $1.share }
    let gain = expectedHighFrequency { target.gain(at: $0, level: 60) }
    return (Self.distortionTones + [(500, 100)]).map { frequency, level in
      limit(
        "Distortion and noise, \(hertz(frequency)) at \(Int(level)) dB SPL", distortion(frequency, level),
        "%", .atMost(5))
    } + [
      limit(
        "Distortion and noise at greatest output", loudest.map { $0.share * 100 }, "%", .atMost(5),
        note: loudest.map { "\(hertz($0.frequency)) at 100 dB SPL" } ?? ""),
      limit(
        "Third-octave peak", measured.smoothness.excess, "dB", .atMost(12), clause: "5.2",
        note: "at \(hertz(measured.smoothness.frequency))"),
      limit("Output for digital silence", max(measured.noise.silence, -200), "dB FS", .atMost(-68)),
      limit(
        "Gain (HFA) less stated", measured.highFrequencyGain - gain, "dB", -1...1,
        note: "tones of 60 dB SPL; stated: the fitting's own"),
      limit(
        "Maximum output", measured.maximumOutput.y, "dB SPL", .atMost(120),
        note: "at \(hertz(measured.maximumOutput.x))", from: .memory),
      limit("Latency", latency, "ms", .atMost(30), note: latencyNote, from: .memory),
    ]
  }

  /// Frequency, Hz, and level, dB SPL, of the tones whose distortion both standards read.
  private static let distortionTones = [(500.0, 70.0), (800, 70), (1600, 65)]

  private func expectedHighFrequency(_ value: (Double) -> Double) -> Double {
    ToneCurves.highFrequencies.reduce(0) { $0 + value($1) } / 3
  }

  // MARK: - ANSI/ASA S3.22

  private var tolerances: [Finding] {
    let limit = Limits(source: .tolerance, knowledge: .memory, ear: measured.ear)
    let maximum = ToneCurves.frequencies.map { target.output(at: $0, level: 90) }.max() ?? 0
    let loud = measured.loudResponse.map(\.y).max() ?? 0
    let output = expectedHighFrequency { target.output(at: $0, level: 90) }
    let gain = expectedHighFrequency { target.gain(at: $0, level: 50) }
    let softGain = expectedHighFrequency { quiet.gain(at: $0, level: 50) }
    let expectedNoise = measured.noise.input + quiet.softNoiseGain - softGain
    let (low, high) = (deviation(200..<2000), deviation(2000..<5001))
    let harmonics = Self.distortionTones.compactMap { distortion($0.0, $0.1) }.max()
    return [
      limit(
        "OSPL90 (maximum) less stated", loud - maximum, "dB", .atMost(3),
        note: "stated: what the fitting asks for"),
      limit("OSPL90 (HFA) less stated", measured.highFrequencyOutput - output, "dB", -4...4),
      limit(
        "Full-on gain (HFA) less stated", measured.softGain - gain, "dB", -5...5, note: "50 dB SPL"
      ),
      limit(
        "Response less stated, 200 to 2000 Hz", low.y, "dB", -4...4,
        note: "worst at \(hertz(low.x)), 60 dB SPL"),
      limit(
        "Response less stated, 2000 to 5000 Hz", high.y, "dB", -6...6,
        note: "worst at \(hertz(high.x)), 60 dB SPL"),
      limit(
        "Total harmonic distortion", harmonics, "%", .atMost(3),
        note: "stated: 0 %; worst of 500, 800, 1600 Hz"),
      limit(
        "Equivalent input noise less stated", measured.equivalentInputNoise - expectedNoise, "dB",
        .atMost(3), note: "stated: what went in, by the fitting's gain"),
    ]
  }

  /// Greatest distance of the response from what the fitting asks for.
  private func deviation(_ range: Range<Double>) -> CurvePoint {
    measured.response.filter { range.contains($0.x) }.map {
      CurvePoint(x: $0.x, y: $0.y - 60 - target.gain(at: $0.x, level: 60))
    }.max { abs($0.y) < abs($1.y) } ?? CurvePoint(x: range.lowerBound, y: .nan)
  }

  // MARK: - The fitting's own numbers

  private var fitting: [Finding] {
    let limit = Limits(source: .fitting, knowledge: .own, ear: measured.ear)
    let dynamics = subject.hearing.dynamics
    let fifth = 0.8...1.2
    let expected = slope(55, 80).map { 1 / $0 }
    let ratio = measured.staticRatio.flatMap { found in expected.map { found / $0 } }
    let (attack, release) = (measured.steps.attack, measured.steps.release)
    return [
      limit(
        "Attack over stated attack", attack.map { $0 / dynamics.attack }, "", fifth,
        note: stepNote(attack, dynamics.attack)),
      limit(
        "Release over stated release", release.map { $0 / dynamics.standardRelease }, "", fifth,
        note: stepNote(release, dynamics.standardRelease)),
      limit(
        "Compression ratio over stated ratio", ratio, "", fifth, note: "2 kHz, 55 to 80 dB SPL"),
    ]
      + measured.speechGains.map { gain in
        limit(
          "Gain less target, speech noise of \(Int(gain.level)) dB SPL", gain.worst.y, "dB",
          -5...5, note: "worst at \(hertz(gain.worst.x))" + holdNote, from: .memory)
      }
  }

  /// Reason for which a target that a calibrated aid would meet is out of reach.
  private var holdNote: String {
    subject.hearing.gainCap.map {
      "; gain is held to \($0.shortText) dB until microphone and earphone are calibrated"
    } ?? ""
  }

  /// Output over input that the fitting asks for at 2 kHz.
  private func slope(_ low: Double, _ high: Double) -> Double? {
    let frequency = StepResponse.frequency
    let slope =
      (target.output(at: frequency, level: high) - target.output(at: frequency, level: low)) / (high - low)
    return slope > 0.01 ? slope : nil
  }

  private func stepNote(_ time: Double?, _ stated: Double) -> String {
    guard let time else { return "the gain changes by little more than the standard leaves out" }
    return "\(Self.milliseconds(time)) for \(Self.milliseconds(stated)), 2 kHz, 55 and 90 dB SPL"
  }

  private static func milliseconds(_ seconds: Double) -> String { "\((seconds * 1000).shortText) ms" }
}
