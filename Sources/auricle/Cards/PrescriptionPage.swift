import Acoustics
import Clinic
import Control
import Drawing
import Prescriptions

/// A prescription as the page that a patient is handed.
struct PrescriptionPage {
  private let content: SheetContent

  /// - Parameters:
  ///   - text: The card's text.
  ///   - key: Fingerprint of the key that signed it.
  init(_ text: String, _ prescription: Prescription, key: KeyFingerprint?) throws(Failure) {
    let report = PrescriptionReport(prescription, verdict: nil)
    let words = PrescriptionWords(report)
    content = SheetContent(
      clinic: report.clinic, prescriber: report.prescriber, patientName: prescription.patient.name,
      birthDate: report.birthDate, reference: report.reference, environment: report.environment,
      serial: report.serial, supersedes: report.supersedes, issued: words.issued, expires: words.expires,
      trialUntil: words.trialUntil, audiograms: prescription.audiograms.map { $0 },
      targetSource: words.fitting, fineTuning: words.fineTuning,
      lowering: words.lowering, tinnitusSound: words.tinnitusSound, adaptation: words.adaptation,
      volume: words.volume, tone: words.tone, targets: report.targets.map { $0.map(GainTarget.init) },
      code: try CardSymbol.modules(for: text), keyFingerprint: key?.grouped ?? "unknown",
      findings: report.findings.map(\.sentence))
  }

  func write(to path: String) throws(Failure) {
    let sheet: PrescriptionSheet
    do throws(SheetError) {
      sheet = try PrescriptionSheet(content)
    } catch {
      throw Failure(path, saying: "\(error)", exit: .badData)
    }
    try PictureFile(path: path).write(sheet.picture())
  }
}

extension GainTarget {
  init(_ target: PrescriptionReport.Target) {
    self.init(
      frequency: target.frequency, soft: target.soft, ordinary: target.ordinary, loud: target.loud,
      maximumOutput: target.maximumOutput.rounded())
  }
}
