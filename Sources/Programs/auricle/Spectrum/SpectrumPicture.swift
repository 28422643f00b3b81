import Acoustics
import Base
import HearingDSP
import Laboratory
import Paper
import Service

/// The picture of a spectrum.
extension SpectrumDrawing {
  /// - Parameter remarks: Sentences about the average.
  init(_ report: SpectrumReport, title: String, remarks: [String] = []) {
    let unfitted = [("right", report.right), ("left", report.left)].filter { $0.1.isFitted == false }
      .map(\.0)
    let note = [
      report.isMuted == true ? "MUTED" : nil,
      unfitted.isEmpty
        ? nil : "not fitted" + (unfitted.count == 2 ? "" : " (\(unfitted[0]) ear)"),
      "\(NumberText.fixed(report.timeSeconds)) s",
      "calibration of the microphone \(report.inputCalibration)",
      "of the earphone \(report.outputCalibration)", report.scene.map { "scene \($0)" },
      report.loadShare > 0 ? "load \(NumberText.percent(report.loadShare))" : nil,
      report.debug.map { "debug mode" + ($0.isEmpty ? "" : ": " + $0.joined(separator: "; ")) },
    ]
    self.init(
      // Scene and debug mode are another program's text.
      title: title, note: LogLine.printable(note.compactMap(\.self).joined(separator: ", ")),
      remarks: remarks,
      ears: Binaural { Curves(report.ear($0), report.frequencies, isMuted: report.isMuted == true) })
  }
}

extension SpectrumDrawing.Curves {
  init(_ ear: SpectrumReport.Ear, _ frequencies: SpectrumReport.Frequencies, isMuted: Bool) {
    self.init()
    func curve(_ centres: [Double], _ values: [Double]) -> [CurvePoint] {
      zip(centres, values).map { CurvePoint(x: $0, y: $1) }
    }
    // 0 Hz has no place on the axis.
    let bins = ear.input.binsDBSPL.indices.dropFirst().map { Double($0) * frequencies.binWidthHz }
    inputBins = curve(bins, Array(ear.input.binsDBSPL.dropFirst()))
    outputBins = curve(bins, Array(ear.output.binsDBSPL.dropFirst()))
    input = curve(frequencies.thirdOctavesHz, ear.input.thirdOctavesDBSPL)
    output = curve(frequencies.thirdOctavesHz, ear.output.thirdOctavesDBSPL)
    guard let gain = ear.gain else { return }
    let played = gain.appliedDB.map(SpectrumReport.Silence.gain)
    (target, applied) = (curve(frequencies.bandsHz, gain.targetDB), curve(frequencies.bandsHz, played))
    columns = [
      ("Hz", frequencies.bandsHz), ("dB SPL in", gain.levelDBSPL.map(SpectrumReport.Silence.level)),
      ("target", gain.targetDB), ("applied", played),
    ]
    guard !isMuted else { return }
    let parts = GainPart.allCases.compactMap { part in gain.partsDB[part.key].map { (part.words, $0) } }
    // There is room for the two greatest, and for the sum of the others.
    let greatest = parts.sorted { $0.1.map(abs).max() ?? 0 > $1.1.map(abs).max() ?? 0 }
      .filter { $0.1.contains { abs($0) >= 0.05 } }
    columns += greatest.prefix(2).map { (name: $0.0, values: $0.1.map(SpectrumReport.Silence.gain)) }
    let others = greatest.dropFirst(2).map(\.1)
    guard !others.isEmpty else { return }
    columns.append(
      ("other parts", gain.targetDB.indices.map { band in others.reduce(0) { $0 + $1[band] } }))
  }
}
