import Acoustics
import Base
import Fitting
import Laboratory
import Prescriptions

/// A prescription for the screen: audiogram, gain of each ear for soft, ordinary and loud speech, greatest
/// output, audible speech.
///
/// - Threads: any but audio.
package struct PrescriptionDrawing: Sendable {
  /// Upright edges of the page, points.
  static let width = 860.0
  static let height = 632.0
  static let margin = 30.0
  /// Below the words, points.
  static let top = 122.0
  /// Top of the audiogram's frame and the first plot's.
  static let plotTop = top + 14
  static let audiogramHeight = 386.0
  static let plotLeft = 566.0
  static let gainHeight = 120.0
  static let outputHeight = 76.0
  /// Between plots: heading of the next one.
  static let plotGap = 35.0

  let report: PrescriptionReport
  /// Drawn as a warning unless the signature is that of an enrolled clinic.
  let verdict: PrescriptionReport.Verdict

  private var prescription: Prescription { report.prescription }
  private var audiogram: AudiogramDrawing { AudiogramDrawing(prescription.audiograms.map { $0 }) }

  package init(_ report: PrescriptionReport, verdict: PrescriptionReport.Verdict) {
    (self.report, self.verdict) = (report, verdict)
  }

  /// Puts the page together.
  package func picture() -> Picture {
    var page = SheetPage(title: "Auricle prescription", width: Self.width, height: Self.height)
    drawHeader(on: &page)
    drawAudiogram(on: &page)
    for (row, ear) in [Ear.right, .left].enumerated() {
      drawGains(ear, top: Self.plotTop + Double(row) * (Self.gainHeight + Self.plotGap), on: &page)
    }
    drawOutputs(top: Self.plotTop + 2 * (Self.gainHeight + Self.plotGap), on: &page)
    drawAudibility(on: &page)
    return page.finish()
  }

  // MARK: - Words

  private func drawHeader(on page: inout SheetPage) {
    let room = Self.width - 2 * Self.margin
    let (patient, prescriber) = (prescription.patient, prescription.prescriber)
    let lines = [
      patient.words, "\(prescriber.name), \(prescriber.clinic)",
      "\(prescription.fittingWords), issued \(prescription.issued.dayText)",
    ]
    page.line(
      "Prescription \(prescription.serial) for \(prescription.environment.word)",
      at: Point(x: Self.margin, y: 38), width: room, .title)
    page.line(
      lines.joined(separator: " · "), at: Point(x: Self.margin, y: 55), width: room, TextStyle(size: 9))
    let style = TextStyle(size: 9, isBold: true, colour: verdict.isVerified ? .ink : .paper)
    let box = Rectangle(x: Self.margin, y: 63, width: room, height: 18)
    page.picture.fill(.rectangle(box), verdict.isVerified ? .panel : .warning)
    let place = Point(x: box.x + 8, y: box.midY + style.size * Label.capitalHeight / 2)
    let mark = verdict.isVerified ? "Verified: " : "Not verified: "
    page.line(mark + verdict.words, at: place, width: room - 16, style)
  }

  /// Audible speech at the lower edge, a line for each ear that has thresholds.
  private func drawAudibility(on page: inout SheetPage) {
    for (row, ear) in [Ear.right, .left].enumerated() {
      guard let audibility = report.audibility[ear] else { continue }
      func words(_ indices: SpeechLevels<Double>) -> String {
        SpeechLevel.allCases.map { NumberText.fixed(indices[$0], 2) }.joined(separator: ", ")
      }
      page.line(
        "\(ear == .right ? "Right" : "Left") ear: audible speech (SII) at 50, 65, 80 dB SPL:"
          + " \(words(audibility.unaided)) without an aid; \(words(audibility.aided)) as prescribed",
        at: Point(x: Self.margin, y: Self.height - 26 + 13 * Double(row)),
        width: Self.width - 2 * Self.margin,
        TextStyle(size: 9, colour: .ear(ear)))
    }
  }

  // MARK: - Hearing

  private func drawAudiogram(on page: inout SheetPage) {
    let drawing = audiogram
    let corner = Point(x: Self.margin + 36, y: Self.plotTop)
    // An audiogram that goes on to 16 kHz is lower, not wider.
    let width = Self.audiogramHeight * AudiogramDrawing(Binaural(both: nil)).proportion
    let plot = drawing.plot(at: corner, height: width / drawing.proportion)
    page.picture.add(
      Label(text: "Audiogram", place: Point(x: Self.margin, y: Self.top - 16), style: .heading))
    drawing.drawFrame(plot, isSmall: false, on: &page.picture)
    drawing.drawPoints([.right, .left], in: plot, size: 9, on: &page.picture)
    let place = Point(x: corner.x, y: plot.frame.maxY + 22)
    drawing.drawKey(at: place, width: plot.frame.width, leading: 13, on: &page)
  }

  // MARK: - Targets

  /// Frequencies shown, Hz: those of the audiogram, so that the two can be read together.
  private var frequencies: ClosedRange<Double> {
    let highest = Ear.allCases.compactMap { report.targets[$0].last?.frequency }.max()
    let shown = audiogram.frequencies
    // A sixth of an octave above 8 kHz still has room in the margin, as in the audiogram.
    return shown.lowerBound...max(shown.upperBound, (highest ?? 0) > 9000 ? 16_000 * 2.squareRoot() : 0)
  }

  /// Gains shown, the same for both ears.
  var gains: ClosedRange<Double> {
    let values = Ear.allCases.flatMap { ear in
      report.targets[ear].flatMap { [$0.gains.soft, $0.gains.ordinary, $0.gains.loud] }
    }
    return Axis.range(values, step: 10, least: 0...30, span: 100)
  }

  /// Greatest outputs shown.
  var outputs: ClosedRange<Double> {
    let values = Ear.allCases.flatMap { ear in
      report.targets[ear].compactMap { $0.maximumOutput?.decibels.rounded() }
    }
    return Axis.range(values, step: 20, least: 80...120, span: 100)
  }

  func frame(top: Double, height: Double) -> Rectangle {
    Rectangle(x: Self.plotLeft, y: top, width: Self.width - Self.margin - Self.plotLeft, height: height)
  }

  private func drawGains(_ ear: Ear, top: Double, on page: inout SheetPage) {
    let plot = Plot(in: frame(top: top, height: Self.gainHeight), x: frequencies, .logarithmic, y: gains)
    plot.drawFrame(
      x: Tick.octaves + Tick.halfOctaves, y: Tick.multiples(of: 10, in: gains), title: "Gain / dB",
      on: &page.picture)
    let series: [(name: String, level: SpeechLevel, stroke: Stroke)] = [
      ("speech at 50", .soft, Stroke(colour: .ear(ear), width: 1.2, dashes: [1.5, 2])),
      ("65", .ordinary, Stroke(colour: .ear(ear), width: 1.7)),
      ("80 dB SPL", .loud, Stroke(colour: .ear(ear), width: 1.2, dashes: [5, 2.5])),
    ]
    for (_, level, stroke) in series {
      let points = report.targets[ear].map { CurvePoint(x: $0.frequency, y: $0.gains[level]) }
      plot.line(points, stroke, on: &page.picture)
    }
    let marker = Symbol(
      marker: .threshold(ear, .air, isMasked: false), centre: Point(x: 0, y: 0), size: 4.5,
      colour: .ear(ear), width: 1, fill: .paper)
    plot.markers(
      report.targets[ear].map { CurvePoint(x: $0.frequency, y: $0.gains.ordinary) }, marker,
      on: &page.picture)
    let name = ear == .right ? "Right ear" : "Left ear"
    plot.drawHeading(
      name + ": gain", series.map { Legend.Entry(sample: .line($0.stroke), text: $0.name) },
      style: .heading.coloured(.ear(ear)), on: &page)
    if report.targets[ear].isEmpty { plot.note("none stated", on: &page.picture) }
  }

  private func drawOutputs(top: Double, on page: inout SheetPage) {
    let plot = Plot(
      in: frame(top: top, height: Self.outputHeight), x: frequencies, .logarithmic, y: outputs)
    plot.drawFrame(
      x: Tick.octaves + Tick.halfOctaves, y: Tick.multiples(of: 20, in: outputs), title: "dB SPL",
      below: "Frequency / Hz", on: &page.picture)
    var entries: [Legend.Entry] = []
    for ear in [Ear.right, .left] {
      let points = report.targets[ear].compactMap { target in
        target.maximumOutput.map { CurvePoint(x: target.frequency, y: $0.decibels.rounded()) }
      }
      guard !points.isEmpty else { continue }
      let stroke = Stroke(colour: .ear(ear), width: 1.5, dashes: ear == .right ? [] : [4, 2.5])
      plot.line(points, stroke, on: &page.picture)
      entries.append(Legend.Entry(sample: .line(stroke), text: ear == .right ? "right" : "left"))
    }
    plot.drawHeading("Greatest output", entries, style: .heading.coloured(.ink), on: &page)
    if entries.isEmpty { plot.note("none stated", on: &page.picture) }
  }
}
