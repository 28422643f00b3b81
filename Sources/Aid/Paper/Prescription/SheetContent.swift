import Acoustics
import Fitting
import Prescriptions

/// Texts and numbers of a prescription's printed page.
///
/// Every text is one line of any length; the page wraps it and, at the end of its room, shortens it.
struct SheetContent: Sendable, Equatable {
  var clinic: String
  var prescriber: String
  var patientName: String
  /// Date, such as "1951-03-12".
  var birthDate: String
  /// The clinic's or the patient's own number for the person.
  var reference: String?
  var environment: String
  var serial: Int
  /// Serial of the prescription that this one replaces.
  var supersedes: Int?
  /// Date.
  var issued: String
  /// Date after which it cannot be loaded; nil: does not expire.
  var expires: String?
  /// Moment at which the trial ends; nil: no trial.
  var trialUntil: String?
  var audiograms: Binaural<Audiogram?>
  /// Rule and version, or the source of explicit targets, such as "NAL-RP, version 1".
  var targetSource: String
  /// One line for each thing tuned; none: as the rule or table says.
  var fineTuning: [String] = []
  /// One line for each ear in which high sounds are lowered.
  var lowering: [String] = []
  /// One line for each ear in which a sound for tinnitus is added.
  var tinnitusSound: [String] = []
  /// Share of the gain that a new user begins with, such as "80 % of the gain"; nil: all of it.
  var adaptation: String?
  /// Ranges within which the patient may adjust volume and tone; empty: none.
  var adjustments: [String] = []
  /// The same frequencies for both ears.
  var targets: Binaural<[TargetTable.Point]>
  var code: QRSymbol
  /// Fingerprint of the clinic's key in groups, as people compare it.
  var keyFingerprint: String
  /// Notes and cautions that the audiologist was shown before signing, one line each.
  var findings: [String] = []
}

extension SheetContent {
  init(_ report: PrescriptionReport, code: QRSymbol, key: KeyFingerprint?) {
    let prescription = report.prescription
    self.init(
      clinic: prescription.prescriber.clinic, prescriber: prescription.prescriber.name,
      patientName: prescription.patient.name, birthDate: "\(prescription.patient.birthDate)",
      reference: prescription.patient.reference, environment: prescription.environment.word,
      serial: prescription.serial, supersedes: prescription.supersedes,
      issued: prescription.issued.dayText, expires: prescription.expires?.dayText,
      trialUntil: prescription.trialEnds?.localText, audiograms: prescription.audiograms.map { $0 },
      targetSource: prescription.fittingWords, fineTuning: prescription.fineTuningWords,
      lowering: prescription.loweringWords, tinnitusSound: prescription.tinnitusSoundWords,
      adaptation: prescription.adaptationWords, adjustments: prescription.adjustmentWords,
      targets: report.targets, code: code, keyFingerprint: key?.grouped ?? "unknown",
      findings: report.findings.map(\.sentence))
  }
}
