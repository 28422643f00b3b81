import Acoustics
import Engine
import Fitting
import HearingDSP

/// Figures of a fitting together with every limit they were held against.
package struct Verification: Sendable {
  package let subject: Subject
  package let ears: [EarMeasurements]
  /// In the order of a report: by source, then as the source has them, then by ear.
  package let findings: [Finding]

  /// Measures and judges.
  ///
  /// - Parameter progress: Told the share that is done, 0...1.
  /// - Throws: ``FittingFailure`` where the settings make no sound.
  package init(_ subject: Subject, progress: (Double) -> Void = { _ in }) throws(FittingFailure) {
    let ears = try TestBox(subject).measurements(progress: progress)
    var findings: [Finding] = []
    for measured in ears {
      let fitting = try subject.hearing.fitting(for: measured.ear)
      let target = FittedTarget(fitting, bands: subject.hearing.bands)
      let quiet = FittedTarget(
        fitting.curves.map(\.withoutExpansion), limits: fitting.bandLimits,
        outputLimit: fitting.outputLimit, bands: subject.hearing.bands)
      findings += Judgement(measured: measured, subject: subject, target: target, quiet: quiet).findings
    }
    self.subject = subject
    self.ears = ears
    self.findings = Finding.Source.allCases.flatMap { source in
      findings.filter { $0.source == source }
    }
  }

  /// Limits that are broken.
  package var broken: [Finding] { findings.filter { $0.verdict == .broken } }

  /// True when every limit that applies is met.
  package var isMet: Bool { broken.isEmpty }
}
