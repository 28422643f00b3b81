import Acoustics
import Fitting

extension Prescription {
  /// A number with the step in which a card writes it.
  struct ExactNumber {
    let field: String
    let value: Double
    let step: Double
  }

  /// Every number that a card writes with decimals.
  var exactNumbers: [ExactNumber] {
    var numbers = [
      ExactNumber(field: "adaptation", value: plan.adaptation, step: 0.01),
      ExactNumber(field: "output ceiling", value: plan.outputCeiling.decibels, step: 0.1),
      ExactNumber(field: "volume", value: adjustment.volume.lowerBound, step: 0.1),
      ExactNumber(field: "volume", value: adjustment.volume.upperBound, step: 0.1),
      ExactNumber(field: "tone", value: adjustment.tone.lowerBound, step: 0.1),
      ExactNumber(field: "tone", value: adjustment.tone.upperBound, step: 0.1),
    ]
    if case .rule(let rule) = plan.target, let ratio = rule.compressionRatio {
      numbers.append(ExactNumber(field: "compression ratio", value: ratio, step: 0.01))
    }
    for ear in Ear.allCases { numbers += exactNumbers(of: ear) }
    return numbers
  }

  private func exactNumbers(of ear: Ear) -> [ExactNumber] {
    var numbers: [ExactNumber] = []
    func frequency(_ value: Double, _ field: String) {
      numbers.append(ExactNumber(field: "\(ear) \(field) frequency", value: value, step: 1))
    }
    func level(_ value: Double, _ field: String) {
      numbers.append(ExactNumber(field: "\(ear) \(field)", value: value, step: 0.1))
    }
    for point in audiograms[ear].points {
      frequency(point.frequency, "threshold")
      level(point.threshold.decibels, "threshold")
    }
    for point in plan.fineTuning[ear].points {
      frequency(point.frequency, "fine tuning")
      for speech in SpeechLevel.allCases { level(point.changes[speech], "fine tuning") }
    }
    if let lowering = plan.lowering[ear] {
      frequency(lowering.cutoff, "frequency lowering")
      numbers.append(
        ExactNumber(field: "\(ear) frequency lowering ratio", value: lowering.ratio, step: 0.01))
    }
    if let sound = plan.tinnitusSound[ear] {
      level(sound.level.decibels, "tinnitus sound")
      switch sound.shape {
      case .broadband: break
      case .band(let pitch, let width), .notched(let pitch, let width):
        frequency(pitch, "tinnitus sound")
        numbers.append(ExactNumber(field: "\(ear) tinnitus sound width", value: width, step: 0.01))
      }
    }
    if case .tables(let tables, _) = plan.target {
      for point in tables[ear].points {
        frequency(point.frequency, "target")
        for speech in SpeechLevel.allCases { level(point.gains[speech], "target gain") }
        if let output = point.maximumOutput { level(output.decibels, "maximum output") }
      }
    }
    return numbers
  }
}
