import Acoustics
import Base
import Fitting

/// A prescription with its targets and findings, for people and programs: `auricle rx show`. Health data.
package struct PrescriptionReport: Sendable {
  /// Credibility of a card.
  package struct Verdict: Sendable {
    /// True when the signature is a trusted clinic's and the card is valid now.
    package let isVerified: Bool
    /// The signing clinic, or the reason why the card is not believed; one sentence.
    package let words: String
    /// Fingerprint of the key that signed it, in groups; nil when there is none.
    package let key: String?

    package init(isVerified: Bool, words: String, key: String?) {
      self.isVerified = isVerified
      self.words = words
      self.key = key
    }

    package var json: JSONValue {
      ["verified": .boolean(isVerified), "words": .text(words), "key": key.map(JSONValue.text)]
    }
  }

  /// Frequencies of the targets, Hz; those of an ear's table are added.
  static let targetFrequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]

  package let prescription: Prescription
  /// Nil for a prescription that is not signed yet.
  package let verdict: Verdict?
  /// Insertion gains, dB, and greatest outputs, dB SPL, to 0.1. Empty for an ear that gets no gain.
  package var targets: Binaural<[TargetTable.Point]>
  /// Speech that each ear can hear; nil where its thresholds do not suffice.
  package var audibility: Binaural<Audibility?>
  /// Notes and cautions about audiogram, gain and age.
  package var findings: [AudiogramReview.Finding]

  package init(_ prescription: Prescription, verdict: Verdict?) {
    self.prescription = prescription
    self.verdict = verdict
    targets = Binaural { Self.targets($0, prescription) }
    audibility = Binaural {
      try? prescription.plan.audibility(for: $0, audiogram: prescription.audiograms[$0])
    }
    let (birth, day) = (prescription.patient.birthDate, CalendarDate(prescription.issued.dayText))
    let age = birth.flatMap { birth in day.map { birth.years(to: $0) } }
    findings = AudiogramReview(prescription.audiograms, plan: prescription.plan, age: age).findings
  }

  private static func targets(_ ear: Ear, _ prescription: Prescription) -> [TargetTable.Point] {
    let (plan, audiogram) = (prescription.plan, prescription.audiograms[ear])
    var frequencies = targetFrequencies
    if case .tables(let tables, _) = plan.target {
      // A row between or beyond the usual frequencies would be signed and played without having been seen.
      frequencies = Set(frequencies + tables[ear].points.map(\.frequency)).sorted()
    }
    // As the aid does it, an ear without thresholds is not amplified, whatever a table says.
    guard plan.hasGain(for: ear), !audiogram.airPoints.isEmpty,
      let bands = try? BandLayout(centres: frequencies),
      let gains = try? plan.targets(for: ear, audiogram: audiogram, at: frequencies)
    else { return [] }
    let limits = plan.outputLimits(for: ear, audiogram: audiogram, bands: bands)
    return frequencies.indices.map { index in
      TargetTable.Point(
        frequency: frequencies[index], gains: SpeechLevels { gains[index][$0].tenths },
        maximumOutput: SoundPressureLevel(limits[index].decibels.tenths))
    }
  }
}

extension Double {
  /// Rounded to 0.1.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}

// MARK: - JSON

extension PrescriptionReport {
  /// `auricle rx show --json`; moments in UTC, ISO 8601.
  package var json: JSONValue {
    let (plan, patient) = (prescription.plan, prescription.patient)
    let adjustment = prescription.adjustment
    return [
      "schema": .number(102), "verdict": verdict?.json, "serial": .number(Double(prescription.serial)),
      "supersedes": prescription.supersedes.map { .number(Double($0)) },
      "environment": .text(prescription.environment.word),
      "given_name": patient.givenName.map(JSONValue.text),
      "family_name": patient.familyName.map(JSONValue.text),
      "birth_date": patient.birthDate.map { .text("\($0)") },
      "reference": patient.reference.map(JSONValue.text),
      "prescriber": .text(prescription.prescriber.name), "clinic": .text(prescription.prescriber.clinic),
      "issued": .text(prescription.issued.text), "expires": prescription.expires.map { .text($0.text) },
      "trial_ends": prescription.trialEnds.map { .text($0.text) },
      "patient_may_accept": prescription.trialEnds.map { _ in .boolean(prescription.wearerMayAccept) },
      "rule": .text(plan.ruleOrSource), "rule_version": plan.rule.map { .number(Double($0.version)) },
      "compression_ratio": .finite(plan.rule?.compressionRatio),
      "explicit_targets": .boolean(plan.rule == nil), "adaptation": .number(plan.adaptation),
      "output_ceiling_db_spl": .number(plan.outputCeiling.decibels),
      "volume_db": Self.json(adjustment.volume), "tone_db": Self.json(adjustment.tone),
      "thresholds": Self.ears { .array(prescription.audiograms[$0].points.map(Self.json)) },
      "fine_tuning": Self.ears { ear in
        .array(plan.fineTuning[ear].points.map { Self.json($0.frequency, $0.changes, "change") })
      },
      "frequency_lowering": Self.ears { plan.lowering[$0].map(Self.json) ?? JSONValue(.null) },
      "tinnitus_sound": Self.ears { plan.tinnitusSound[$0].map(Self.json) ?? JSONValue(.null) },
      "targets": Self.ears { ear in
        .array(targets[ear].map { Self.json($0.frequency, $0.gains, "gain", output: $0.maximumOutput) })
      },
      "audibility": Self.ears { audibility[$0].map(Self.json) ?? JSONValue(.null) },
      "findings": .array(
        findings.map {
          [
            "kind": .text($0.kind.rawValue), "severity": .text("\($0.severity)"),
            "sentence": .text($0.sentence),
          ]
        }),
    ]
  }

  private static func ears(_ value: (Ear) -> JSONValue) -> JSONValue {
    ["left": value(.left), "right": value(.right)]
  }

  private static func json(_ range: ClosedRange<Double>) -> JSONValue {
    [.number(range.lowerBound), .number(range.upperBound)]
  }

  private static func json(_ point: Audiogram.Point) -> JSONValue {
    [
      "frequency_hz": .number(point.frequency), "threshold_db_hl": .number(point.threshold.decibels),
      "conduction": .text(point.conduction.rawValue), "masked": .boolean(point.isMasked),
      "response": .boolean(point.hasResponse),
    ]
  }

  /// A number for speech of each level at a frequency.
  private static func json(
    _ frequency: Double, _ values: SpeechLevels<Double>, _ name: String, output: SoundPressureLevel? = nil
  ) -> JSONValue {
    [
      "frequency_hz": .number(frequency), "\(name)_50_db": .number(values.soft),
      "\(name)_65_db": .number(values.ordinary), "\(name)_80_db": .number(values.loud),
      "maximum_output_db_spl": output.map { .number($0.decibels) },
    ]
  }

  /// Speech intelligibility index, 0…1, rounded to 0.001.
  private static func json(_ audibility: Audibility) -> JSONValue {
    func index(_ levels: SpeechLevels<Double>, _ level: SpeechLevel) -> JSONValue {
      .number((levels[level] * 1000).rounded() / 1000)
    }
    let (unaided, aided) = (audibility.unaided, audibility.aided)
    return [
      "unaided_50_sii": index(unaided, .soft), "unaided_65_sii": index(unaided, .ordinary),
      "unaided_80_sii": index(unaided, .loud), "aided_50_sii": index(aided, .soft),
      "aided_65_sii": index(aided, .ordinary), "aided_80_sii": index(aided, .loud),
    ]
  }

  private static func json(_ lowering: FrequencyLowering) -> JSONValue {
    [
      "cutoff_hz": .number(lowering.cutoff), "ratio": .number(lowering.ratio),
      "words": .text("\(lowering)"),
    ]
  }

  private static func json(_ sound: TinnitusSound) -> JSONValue {
    [
      "shape": .text(sound.shape.word), "pitch_hz": .finite(sound.shape.numbers.first),
      "width_octaves": .finite(sound.shape.numbers.last),
      "level_db_spl": .number(sound.level.decibels), "words": .text("\(sound)"),
    ]
  }
}

extension FittingPlan {
  /// Nil for explicit targets.
  var rule: PrescribedRule? { if case .rule(let rule) = target { rule } else { nil } }

  /// `NAL-RP-compressive`, or the tool that explicit targets come from.
  var ruleOrSource: String {
    switch target {
    case .rule(let rule): rule.identifier
    case .tables(_, let source): source
    }
  }
}
