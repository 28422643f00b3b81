import Acoustics
import Fitting

/// Reads the parameters of a DeviceRequest.
struct ParameterReader {
  private typealias Parameter = BundleVocabulary.Parameter

  private let list: JSONPlace
  private var values: [BundleVocabulary.Parameter: JSONMembers] = [:]

  init(_ list: JSONPlace) throws(CardError) {
    self.list = list
    for element in try list.elements(1...BundleVocabulary.Parameter.allCases.count) {
      let members = try element.members("code", "valueCodeableConcept", "valueQuantity", "valueRange")
      let coding = try BundleReader.coding(try members("code"))
      guard coding.system == BundleVocabulary.parameters, let parameter = Parameter(rawValue: coding.code)
      else {
        throw coding.place.failure("found parameter \"\(JSONPlace.shown(coding.code))\", unknown here")
      }
      guard members.members.count == 2 else { throw element.failure("expected one value") }
      guard values.updateValue(members, forKey: parameter) == nil else {
        throw element.failure("parameter \"\(parameter.rawValue)\" twice")
      }
    }
  }

  private func value(_ parameter: Parameter, _ key: String) throws(CardError) -> JSONPlace {
    guard let members = values[parameter] else {
      throw list.failure("parameter \"\(parameter.rawValue)\" is missing")
    }
    return try members(key)
  }

  private func text(_ parameter: Parameter) throws(CardError) -> JSONPlace {
    try value(parameter, "valueCodeableConcept").members("text")("text")
  }

  private func number(_ parameter: Parameter) throws(CardError) -> Double {
    try value(parameter, "valueQuantity").members("value")("value").number()
  }

  private func range(_ parameter: Parameter) throws(CardError) -> ClosedRange<Double> {
    guard values[parameter] != nil else { return 0...0 }
    let range = try value(parameter, "valueRange").members("low", "high")
    let low = try range("low").members("value")("value").number()
    let high = try range("high").members("value")("value").number()
    guard low <= high else { throw range.place.failure("expected the low end not above the high one") }
    return low...high
  }

  func environment() throws(CardError) -> ListeningEnvironment {
    let concept = try value(.environment, "valueCodeableConcept")
    let members = try concept.members("text", "coding")
    if let place = members.optional("text"), members.members.count == 1 {
      do {
        let environment = try ListeningEnvironment(word: try place.text())
        if case .other = environment { return environment }
      } catch { throw place.failure("\(error)") }
      throw place.failure("expected the code of a known environment")
    }
    let coding = try BundleReader.coding(concept)
    guard coding.system == BundleVocabulary.environments,
      let known = ListeningEnvironment.known.first(where: { $0.word == coding.code })
    else { throw coding.place.failure("found an unknown environment") }
    return known
  }

  func adjustment() throws(CardError) -> PatientAdjustment {
    let volume = try range(.volume)
    let tone = try range(.tone)
    do { return try PatientAdjustment(volume: volume, tone: tone) } catch { throw list.failure("\(error)") }
  }

  func plan() throws(CardError) -> FittingPlan {
    let target = try target()
    let tuning = Binaural(left: try tuning(.left), right: try tuning(.right))
    let adaptation = values[.adaptation] == nil ? 1 : try number(.adaptation)
    let ceiling = SoundPressureLevel(try number(.ceiling))
    do {
      return try FittingPlan(
        target: target, fineTuning: tuning, adaptation: adaptation, outputCeiling: ceiling)
    } catch { throw list.failure("\(error)") }
  }

  private func target() throws(CardError) -> FittingPlan.Target {
    if values[.rule] != nil {
      for parameter in [Parameter.source, .targetsLeft, .targetsRight] where values[parameter] != nil {
        throw list.failure("found a rule and a table of targets, expected one of them")
      }
      return .rule(try rule())
    }
    guard values[.ratio] == nil else { throw list.failure("found a ratio without a rule") }
    let source = try text(.source)
    do { _ = try PlainText.checked(try source.text(), field: "source") } catch {
      throw source.failure("\(error)")
    }
    let tables = Binaural(left: try table(.left), right: try table(.right))
    return .tables(tables, source: try source.text())
  }

  private func rule() throws(CardError) -> PrescribedRule {
    let coding = try value(.rule, "valueCodeableConcept").members("coding")("coding").elements(1...1)[0]
    let members = try coding.members("system", "version", "code")
    try members("system").fixed(BundleVocabulary.rules)
    let version = try members("version").text()
    let identifier = try members("code").text()
    let ratio = values[.ratio] == nil ? nil : try number(.ratio)
    guard let number = Int(version), "\(number)" == version,
      let rule = PrescribedRule(identifier: identifier, version: number, compressionRatio: ratio)
    else {
      throw coding.failure(
        "found rule \"\(JSONPlace.shown(identifier))\" version \"\(JSONPlace.shown(version))\""
          + (ratio.map { " with ratio \($0)" } ?? " without a ratio") + ", which is not known here")
    }
    return rule
  }

  private func table(_ ear: Ear) throws(CardError) -> TargetTable {
    let place = try text(.targets(ear))
    let rows = try NumberRows.rows(place, count: 4...5)
    do {
      return try TargetTable(
        points: rows[0].indices.map { index in
          TargetTable.Point(
            frequency: rows[0][index] ?? .nan, gains: Self.levels(rows, index),
            maximumOutput: rows.count > 4 ? rows[4][index].map { SoundPressureLevel($0) } : nil)
        })
    } catch { throw place.failure("\(error)") }
  }

  private func tuning(_ ear: Ear) throws(CardError) -> FineTuning {
    guard values[.tuning(ear)] != nil else { return .none }
    let place = try text(.tuning(ear))
    let rows = try NumberRows.rows(place, count: 4...4)
    do {
      return try FineTuning(
        points: rows[0].indices.map { index in
          FineTuning.Point(frequency: rows[0][index] ?? .nan, changes: Self.levels(rows, index))
        })
    } catch { throw place.failure("\(error)") }
  }

  /// The three rows after the frequencies; only a fifth one may have gaps.
  private static func levels(_ rows: [[Double?]], _ index: Int) -> SpeechLevels<Double> {
    SpeechLevels(
      soft: rows[1][index] ?? .nan, ordinary: rows[2][index] ?? .nan, loud: rows[3][index] ?? .nan)
  }
}
