import Acoustics
import Base
import Engine
import Fitting

/// One change in debug mode, as it is asked for, against what the settings have.
extension HearingSettings {
  /// Changes the threshold from which gain is made.
  ///
  /// - Parameter change: dB; nil or 0: as measured.
  /// - Throws: ``Failure``; nothing is changed then.
  func changeThreshold(
    of ear: Ear, at frequency: Double, by change: Double?, in debug: inout DebugSettings
  ) throws(Failure) {
    let measured = (audiograms?[ear].airPoints ?? []).map(\.frequency)
    guard !measured.isEmpty else {
      throw .debug("threshold", found: "no thresholds of the \(ear.rawValue) ear", expected: "a fitted ear")
    }
    if case .tables(_, let source) = plan.target {
      throw .debug(
        "threshold", found: "gain by a table (\(source)), in which thresholds play no part",
        expected: "gain by a rule")
    }
    guard measured.contains(frequency) else {
      throw .debug(
        "frequency", found: "\(frequency.shortText) Hz",
        expected: "a measured one: \(English.list(measured.map(\.shortText), "or")) Hz")
    }
    let change = change ?? 0
    try Self.check("threshold", change, in: DebugSettings.thresholdChanges, "dB")
    debug.thresholds[ear][frequency] = change == 0 ? nil : change
  }

  /// Sets a number.
  ///
  /// - Parameter value: In the quantity's unit; nil: as the program or the prescription has it.
  /// - Throws: ``Failure``; nothing is changed then.
  func set(
    _ quantity: DebugSettings.Quantity, to value: Double?, in debug: inout DebugSettings
  ) throws(Failure) {
    if quantity == .compressionRatio, plan.target.compressionRatio == nil {
      throw .debug(
        quantity.rawValue, found: "\(plan.target.name), which leaves no ratio open",
        expected: "a rule that does", remedy: "Linear gain is heard by: stage compression off")
    }
    if let value {
      try Self.check(quantity.rawValue, value, in: quantity.range, quantity.shownUnit)
    }
    debug.numbers[quantity] = value
  }

  /// Leaves a stage out, or takes it in again.
  ///
  /// - Throws: ``Failure`` for one that is not there; nothing is changed then.
  func turn(
    _ stage: DebugSettings.Stage, on isOn: Bool, in debug: inout DebugSettings
  ) throws(Failure) {
    let isThere =
      switch stage {
      case .frequencyLowering: Ear.allCases.contains { plan.lowering[$0] != nil }
      case .tinnitusSound: Ear.allCases.contains { plan.tinnitusSound[$0] != nil }
      default: true
      }
    guard isThere else {
      throw .debug(stage.rawValue, found: "nothing of it in the prescription", expected: "a stage in use")
    }
    if isOn { debug.stagesOff.remove(stage) } else { debug.stagesOff.insert(stage) }
  }

  /// Caution about what is left out; nil: none.
  func caution(without stage: DebugSettings.Stage) -> String? {
    guard stage == .feedbackCanceller else { return nil }
    let isMeasured = Ear.allCases.allSatisfy { feedback.measurements[$0] != nil }
    return "Caution: without the canceller whistling is nearer; "
      + (isMeasured
        ? "gain is held to what is stable without it."
        : "feedback was not measured in both ears, so gain is not held below it. Measure with: auricle fit feedback")
  }

  private static func check(
    _ name: String, _ value: Double, in range: ClosedRange<Double>, _ unit: String
  ) throws(Failure) {
    guard !range.contains(value) else { return }
    let unit = unit.isEmpty ? "" : " \(unit)"
    let (least, most) = (NumberText.exact(range.lowerBound), NumberText.exact(range.upperBound))
    throw .debug(name, found: NumberText.exact(value) + unit, expected: "\(least) to \(most)\(unit)")
  }
}

extension Failure {
  fileprivate static func debug(
    _ subject: String, found: String, expected: String, remedy: String? = nil
  ) -> Failure { Failure(subject, found: found, expected: expected, remedy: remedy, exit: .usage) }
}

extension DebugSettings {
  /// Each change, a clause: `right ear, 2000 Hz: threshold +5 dB`.
  package var words: [String] {
    let changed = [Ear.right, .left].flatMap { ear in
      thresholds[ear].sorted { $0.key < $1.key }.map { frequency, change in
        "\(ear.rawValue) ear, \(frequency.shortText) Hz: threshold \(NumberText.signed(change)) dB"
      }
    }
    let set = Quantity.allCases.compactMap { quantity in numbers[quantity].map { quantity.words($0) } }
    let without = Stage.allCases.filter(stagesOff.contains).map {
      "without \($0.rawValue.split(separator: "-").joined(separator: " "))"
    }
    return changed + set + without
      + (attenuation > 0 ? ["turned down by \(NumberText.fixed(attenuation)) dB"] : [])
  }
}

extension DebugSettings.Quantity {
  /// Unit behind a number, empty for none.
  fileprivate var shownUnit: String { unit == .share ? "" : unit.rawValue }

  /// `attack 10 ms`.
  fileprivate func words(_ value: Double) -> String {
    let name = rawValue.split(separator: "-").joined(separator: " ")
    if unit == .seconds { return "\(name) \((value * 1000).shortText) ms" }
    return "\(name) \(value.shortText)" + (shownUnit.isEmpty ? "" : " \(shownUnit)")
  }
}
