import Acoustics
import Fitting

extension PrescriptionBundle {
  /// How the fitting is done. What is as usual (no fine tuning, full gain, no freedom) is left out.
  static func parameters(_ prescription: Prescription) -> [JSONValue] {
    var list: [JSONValue] = []
    func add(_ parameter: BundleVocabulary.Parameter, _ key: String, _ value: JSONValue) {
      let code = concept(BundleVocabulary.parameters, parameter.rawValue)
      list.append(.object([.init(key: "code", value: code), .init(key: key, value: value)]))
    }
    func add(_ parameter: BundleVocabulary.Parameter, number: Double) {
      add(parameter, "valueQuantity", ["value": .number(number)])
    }
    func add(_ parameter: BundleVocabulary.Parameter, text: String) {
      add(parameter, "valueCodeableConcept", ["text": .text(text)])
    }
    func add(_ parameter: BundleVocabulary.Parameter, range: ClosedRange<Double>) {
      guard range != 0...0 else { return }
      add(
        parameter, "valueRange",
        ["low": ["value": .number(range.lowerBound)], "high": ["value": .number(range.upperBound)]])
    }

    let plan = prescription.plan
    switch plan.target {
    case .rule(let rule):
      let version = JSONValue.text("\(rule.version)")
      let coding: JSONValue = [
        "system": .text(BundleVocabulary.rules), "version": version, "code": .text(rule.identifier),
      ]
      add(.rule, "valueCodeableConcept", ["coding": [coding]])
      if let ratio = rule.compressionRatio { add(.ratio, number: ratio) }
    case .tables(let tables, let source):
      add(.source, text: source)
      for ear in Ear.allCases { add(.targets(ear), text: NumberRows.text(NumberRows.rows(tables[ear]))) }
    }
    for ear in Ear.allCases where !plan.fineTuning[ear].points.isEmpty {
      add(.tuning(ear), text: NumberRows.text(NumberRows.rows(plan.fineTuning[ear])))
    }
    if plan.adaptation != 1 { add(.adaptation, number: plan.adaptation) }
    add(.ceiling, number: plan.outputCeiling.decibels)
    switch prescription.environment {
    case .other(let word): add(.environment, text: word)
    case let known:
      add(.environment, "valueCodeableConcept", concept(BundleVocabulary.environments, known.word))
    }
    add(.volume, range: prescription.adjustment.volume)
    add(.tone, range: prescription.adjustment.tone)
    return list
  }
}
