import Acoustics
import ArgumentParser
import Base
import Clinic
import Control
import Drawing
import Prescriptions
import Service

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

/// A prescription as a picture for the screen: audiogram and targets.
struct PrescriptionPicture {
  private let drawing: PrescriptionDrawing

  init(_ prescription: Prescription, verdict: PrescriptionReport.Verdict) {
    let report = PrescriptionReport(prescription, verdict: verdict)
    let words = PrescriptionWords(report)
    drawing = PrescriptionDrawing(
      title: "Prescription \(report.serial) for \(report.environment)",
      lines: [
        "\(prescription.patient.name), born \(report.birthDate)", "\(report.prescriber), \(report.clinic)",
        "\(words.fitting), issued \(words.issued)",
      ],
      verdict: (verdict.isVerified ? "Verified: " : "Not verified: ") + verdict.words,
      isVerified: verdict.isVerified,
      audiograms: prescription.audiograms.map { $0 },
      targets: report.targets.map { $0.map(GainTarget.init) })
  }

  func write(to path: String) throws(Failure) { try PictureFile(path: path).write(drawing.picture()) }
}

/// `auricle rx sheet`: a page to print and hand out.
struct SheetPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Make a printable page of a card: code, audiogram, targets, instructions.")

  @OptionGroup var source: CardSource

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The page, .pdf, .png or .svg.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let content = try ShownCard(
        try source.text(), trusting: BookDoor.trustedClinics(socket), known: BookDoor.ownClinic,
        from: source.place.name)
      try content.writePage(to: output)
    }
    try report(
      DoneReport(
        message: "Wrote \(output). Print it at full size: a smaller code is harder to scan.", file: output))
    return .done
  }
}
