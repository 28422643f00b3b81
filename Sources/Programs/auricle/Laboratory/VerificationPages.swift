import Acoustics
import Base
import Control
import Drawing
import Laboratory

/// A verification as a report on paper.
struct VerificationPages {
  private let report: VerificationReport

  init(_ tables: VerificationTables, _ verification: Verification) {
    var ears = Binaural<VerificationCurves?>(both: nil)
    for ear in verification.ears { ears[ear.ear] = VerificationCurves(ear) }
    report = VerificationReport(
      title: tables.title, conditions: tables.conditions, verdict: tables.verdict,
      isMet: verification.isMet,
      figures: tables.figures.map {
        VerificationReport.Figure(name: $0.name, right: $0.ears.right, left: $0.ears.left)
      },
      limits: tables.limits.map {
        VerificationReport.Limit(
          source: $0.source, name: $0.first.name, right: $0.value(.right), left: $0.value(.left),
          bound: $0.bound, knowledge: $0.first.knowledge.rawValue, verdict: $0.verdict,
          isBroken: $0.isBroken)
      }, ears: ears)
  }

  func write(to path: String) throws(Failure) {
    do throws(PictureError) {
      try PictureDocument(VerificationDrawing(report).pages()).write(to: path, isPrivate: true)
    } catch {
      throw RenderingFailures.failure(error)
    }
  }
}

extension VerificationCurves {
  /// An ear's curves as they are drawn.
  init(_ ear: EarMeasurements) {
    func points(_ curve: [CurvePoint], by factor: Double = 1) -> [SpectrumPoint] {
      curve.map { SpectrumPoint(frequency: $0.x, level: $0.y * factor) }
    }
    let middle = ear.speech.first { $0.level == 65 }?.bands ?? []
    func speech(_ side: (SpeechDynamics.Band) -> SpeechDynamics.Percentiles) -> Speech {
      func line(_ value: (SpeechDynamics.Percentiles) -> Double) -> [SpectrumPoint] {
        middle.map { SpectrumPoint(frequency: $0.frequency, level: value(side($0))) }
      }
      return Speech(valleys: line(\.valleys), middle: line(\.middle), peaks: line(\.peaks))
    }
    self.init(
      gains: ear.speechGains.map {
        Gain(name: "\(Int($0.level))", measured: points($0.measured), target: points($0.target))
      },
      response: points(ear.response), loudResponse: points(ear.loudResponse),
      inputOutput: ear.inputOutput.map { curve in
        InputOutput(
          name: curve.frequency.map { $0 < 1000 ? "\(Int($0))" : "\(Int($0 / 1000))k" } ?? "noise",
          inputs: curve.curve.map(\.x), outputs: curve.curve.map(\.y))
      },
      speechInput: speech(\.input), speechOutput: speech(\.output), delays: points(ear.delays, by: 1000))
  }
}
