import Acoustics
import Base
import Fitting

extension FittingText {
  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  init(_ place: JSONPlace) throws(PrescriptionError) {
    let text = try place.text()
    let parts = text.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3 else {
      throw place.failure("expected at least three parts joined by semicolons")
    }
    let fields = try FittingFields(parts.dropFirst(2), place)
    environment = try Self.environment(parts[0], place)
    adjustment = try fields.adjustment()
    trial = try fields.trial()
    plan = try fields.plan(try Self.target(parts[1], fields, place))
    guard self.text == text else {
      throw place.failure("expected it in its one form: fields in order, numbers as short as they can be")
    }
  }

  private static func environment(
    _ part: String, _ place: JSONPlace
  ) throws(PrescriptionError) -> ListeningEnvironment {
    if let known = ListeningEnvironment.known.first(where: { $0.word == part }) { return known }
    guard let words = rest(of: part, after: other) else {
      throw place.failure(
        "found no environment, expected quiet, music … or \"other\" and the clinic's word")
    }
    let environment = try place.making { try ListeningEnvironment(word: unescaped(words)) }
    guard case .other = environment else {
      throw place.failure("found a known environment written as the clinic's own")
    }
    return environment
  }

  private static func target(
    _ part: String, _ fields: FittingFields, _ place: JSONPlace
  ) throws(PrescriptionError) -> FittingPlan.Target {
    if let words = rest(of: part, after: tables) {
      let source = unescaped(words)
      _ = try place.making { try PlainText.checked(source, field: "source") as String }
      return .tables(try fields.tables(), source: source)
    }
    let parts = part.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let ratio = parts.count == 3 ? JSONNumber.value(of: Array(parts[2].utf8)) : nil
    guard 2...3 ~= parts.count, (parts.count == 3) == (ratio != nil), let version = Int(parts[1]),
      let rule = PrescribedRule(identifier: parts[0], version: version, compressionRatio: ratio)
    else {
      throw place.failure("found rule \"\(PrintableText.short(part))\", which is not known here")
    }
    return .rule(rule)
  }

  /// Text after a word and a space; nil when `part` begins otherwise.
  static func rest(of part: String, after word: String) -> String? {
    part.hasPrefix(word + " ") ? String(part.dropFirst(word.count + 1)) : nil
  }

  /// Other escapes stay as they are, which the comparison with the one form finds.
  private static func unescaped(_ words: String) -> String {
    let parts = words.split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts.first ?? "")) { text, part in
      if part.hasPrefix("25") {
        text += "%" + part.dropFirst(2)
      } else if part.hasPrefix("3B") {
        text += ";" + part.dropFirst(2)
      } else {
        text += "%" + part
      }
    }
  }
}

/// The named fields of a ``FittingText``.
struct FittingFields {
  private let place: JSONPlace
  /// By the names of fields, those of an ear with the ear.
  private var values: [String: String] = [:]

  private static let names: [String] =
    [.adaptation, .ceiling, .volume, .tone, .trial].map(\FittingText.Field.rawValue)
    + [.targets, .tuning, .lowering, .tinnitus].flatMap { field in
      Ear.allCases.map { FittingText.name(field, $0) }
    }

  init(_ parts: ArraySlice<String>, _ place: JSONPlace) throws(PrescriptionError) {
    self.place = place
    for part in parts {
      guard let name = Self.names.first(where: { part.hasPrefix($0 + " ") }) else {
        throw place.failure("found \"\(PrintableText.short(part))\", a field that is unknown here")
      }
      guard values.updateValue(String(part.dropFirst(name.count + 1)), forKey: name) == nil else {
        throw place.failure("found \"\(name)\" twice")
      }
    }
  }

  private func numbers(_ name: String, count: Int) throws(PrescriptionError) -> [Double]? {
    guard let text = values[name] else { return nil }
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let numbers = words.compactMap { JSONNumber.value(of: $0) }
    guard numbers.count == count, words.count == count else {
      throw place.failure("\(name): expected \(count == 1 ? "a number" : "\(count) numbers")")
    }
    return numbers
  }

  private func range(_ field: FittingText.Field) throws(PrescriptionError) -> ClosedRange<Double> {
    guard let ends = try numbers(field.rawValue, count: 2) else { return 0...0 }
    guard ends[0] <= ends[1] else {
      throw place.failure("\(field.rawValue): expected the low end not above the high one")
    }
    return ends[0]...ends[1]
  }

  func adjustment() throws(PrescriptionError) -> PatientAdjustment {
    let (volume, tone) = (try range(.volume), try range(.tone))
    return try place.making { try PatientAdjustment(volume: volume, tone: tone) }
  }

  func trial() throws(PrescriptionError) -> Int? {
    guard let number = try numbers("trial", count: 1)?[0] else { return nil }
    guard let seconds = Int(exactly: number), 1...Prescription.longestTrial ~= seconds else {
      throw place.failure("trial: expected 1 to \(Prescription.longestTrial) s")
    }
    return seconds
  }

  func plan(_ target: FittingPlan.Target) throws(PrescriptionError) -> FittingPlan {
    if case .rule = target, Ear.allCases.contains(where: { value(.targets, $0) != nil }) {
      throw place.failure("found a rule and a table of targets, expected one of them")
    }
    let tuning = Binaural(left: try tuning(.left), right: try tuning(.right))
    let lowering = Binaural(left: try lowering(.left), right: try lowering(.right))
    let sound = Binaural(left: try sound(.left), right: try sound(.right))
    let adaptation = try numbers("adaptation", count: 1)?[0] ?? 1
    guard let ceiling = try numbers("ceiling", count: 1)?[0] else {
      throw place.failure("\"ceiling\" is missing")
    }
    return try place.making {
      try FittingPlan(
        target: target, fineTuning: tuning, adaptation: adaptation,
        outputCeiling: SoundPressureLevel(ceiling), lowering: lowering, tinnitusSound: sound)
    }
  }

  private func value(_ field: FittingText.Field, _ ear: Ear) -> String? {
    values[FittingText.name(field, ear)]
  }

  private func lowering(_ ear: Ear) throws(PrescriptionError) -> FrequencyLowering? {
    guard let values = try numbers(FittingText.name(.lowering, ear), count: 2) else { return nil }
    return try place.making { try FrequencyLowering(cutoff: values[0], ratio: values[1]) }
  }

  private func sound(_ ear: Ear) throws(PrescriptionError) -> TinnitusSound? {
    guard let text = value(.tinnitus, ear) else { return nil }
    return try SoundText.sound(text, place)
  }

  func tables() throws(PrescriptionError) -> Binaural<TargetTable> {
    Binaural(left: try table(.left), right: try table(.right))
  }

  private func table(_ ear: Ear) throws(PrescriptionError) -> TargetTable {
    guard let text = value(.targets, ear) else {
      throw place.failure("\"\(FittingText.name(.targets, ear))\" is missing")
    }
    let rows = try NumberRows.rows(text, count: 4...5, place)
    return try place.making {
      try TargetTable(
        points: rows[0].indices.map { index in
          TargetTable.Point(
            frequency: rows[0][index] ?? .nan, gains: Self.levels(rows, index),
            maximumOutput: rows.count > 4 ? rows[4][index].map { SoundPressureLevel($0) } : nil)
        })
    }
  }

  private func tuning(_ ear: Ear) throws(PrescriptionError) -> FineTuning {
    guard let text = value(.tuning, ear) else { return .none }
    let rows = try NumberRows.rows(text, count: 4...4, place)
    return try place.making {
      try FineTuning(
        points: rows[0].indices.map { index in
          FineTuning.Point(frequency: rows[0][index] ?? .nan, changes: Self.levels(rows, index))
        })
    }
  }

  /// The three rows after the frequencies; only a fifth one may have gaps.
  private static func levels(_ rows: [[Double?]], _ index: Int) -> SpeechLevels<Double> {
    SpeechLevels(
      soft: rows[1][index] ?? .nan, ordinary: rows[2][index] ?? .nan, loud: rows[3][index] ?? .nan)
  }
}
