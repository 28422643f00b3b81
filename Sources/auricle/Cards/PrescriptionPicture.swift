import Acoustics
import Clinic
import Control
import Drawing
import Prescriptions

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
