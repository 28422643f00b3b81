import Acoustics
import Fitting
import Prescriptions

extension PrescriptionReport {
  /// Frequencies at which targets are told where the audiogram has them, Hz.
  static let targetFrequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]

  /// - Parameter verdict: Nil for one that is not signed yet.
  package init(_ prescription: Prescription, verdict: Verdict?) {
    let plan = prescription.plan
    self.verdict = verdict
    serial = prescription.serial
    supersedes = prescription.supersedes
    environment = prescription.environment.word
    givenName = prescription.patient.givenName
    familyName = prescription.patient.familyName
    birthDate = "\(prescription.patient.birthDate)"
    reference = prescription.patient.reference
    prescriber = prescription.prescriber.name
    clinic = prescription.prescriber.clinic
    issued = prescription.issued.text
    expires = prescription.expires?.text
    trialEnds = prescription.trialEnds?.text
    switch plan.target {
    case .rule(let prescribed):
      rule = prescribed.identifier
      ruleVersion = prescribed.version
      compressionRatio = prescribed.compressionRatio
      hasExplicitTargets = false
    case .tables(_, let source):
      rule = source
      ruleVersion = nil
      compressionRatio = nil
      hasExplicitTargets = true
    }
    adaptation = plan.adaptation
    outputCeiling = plan.outputCeiling.decibels
    volume = [prescription.adjustment.volume.lowerBound, prescription.adjustment.volume.upperBound]
    tone = [prescription.adjustment.tone.lowerBound, prescription.adjustment.tone.upperBound]
    thresholds = prescription.audiograms.map { $0.points.map(Threshold.init) }
    fineTuning = plan.fineTuning.map { $0.points.map(Tuning.init) }
    lowering = plan.lowering.map { $0.map(Lowering.init) }
    tinnitusSound = plan.tinnitusSound.map { $0.map(Sound.init) }
    targets = Binaural(
      left: Self.targets(.left, prescription), right: Self.targets(.right, prescription))
    findings = AudiogramReview(prescription.audiograms, plan: plan).findings.map {
      Finding(severity: "\($0.severity)", sentence: $0.sentence)
    }
  }

  /// Targets of one ear; empty when the rule gives none, which a prescription does not allow.
  private static func targets(_ ear: Ear, _ prescription: Prescription) -> [Target] {
    let (plan, audiogram) = (prescription.plan, prescription.audiograms[ear])
    guard let bands = try? BandLayout(centres: targetFrequencies),
      let gains = try? plan.targets(for: ear, audiogram: audiogram, at: targetFrequencies)
    else { return [] }
    let limits = plan.outputLimits(for: ear, audiogram: audiogram, bands: bands)
    return targetFrequencies.indices.map { index in
      Target(
        frequency: targetFrequencies[index], soft: gains[index].soft.tenths,
        ordinary: gains[index].ordinary.tenths, loud: gains[index].loud.tenths,
        maximumOutput: limits[index].decibels.tenths)
    }
  }
}

extension PrescriptionReport.Threshold {
  init(_ point: Audiogram.Point) {
    frequency = point.frequency
    level = point.threshold.decibels
    conduction = point.conduction.rawValue
    isMasked = point.isMasked
    isHeard = point.hasResponse
  }
}

extension PrescriptionReport.Tuning {
  init(_ point: FineTuning.Point) {
    frequency = point.frequency
    soft = point.changes.soft
    ordinary = point.changes.ordinary
    loud = point.changes.loud
  }
}

extension PrescriptionReport.Lowering {
  init(_ lowering: FrequencyLowering) {
    cutoff = lowering.cutoff
    ratio = lowering.ratio
    words = "\(lowering)"
  }
}

extension PrescriptionReport.Sound {
  init(_ sound: TinnitusSound) {
    (shape, pitch, width) =
      switch sound.shape {
      case .broadband: ("broadband", nil, nil)
      case .band(let pitch, let width): ("band", pitch, width)
      case .notched(let pitch, let width): ("notched", pitch, width)
      }
    level = sound.level.decibels
    words = "\(sound)"
  }
}

extension Double {
  /// Rounded to 0.1.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
