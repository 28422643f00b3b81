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
    wearerMayAccept = try fields.wearerMayAccept()
    guard trial != nil || !wearerMayAccept else {
      throw place.failure("acceptance: expected a trial before it")
    }
    plan = try fields.plan(parts[1])
    guard self.text == text else {
      throw place.failure("expected it in its one form: fields in order, numbers as short as they can be")
    }
  }

  private static func environment(
    _ part: String, _ place: JSONPlace
  ) throws(PrescriptionError) -> ListeningEnvironment {
    if let known = ListeningEnvironment.known.first(where: { $0.word == part }) { return known }
    guard let words = unescaped(part, after: other) else {
      throw place.failure(
        "found no environment, expected quiet, music … or \"other\" and the clinic's word")
    }
    let environment = try place.making { try ListeningEnvironment(word: words) }
    guard case .other = environment else {
      throw place.failure("found a known environment written as the clinic's own")
    }
    return environment
  }

  /// The clinic's own text after a word; nil when `part` begins otherwise. Unknown escapes stay as
  /// they are, which the comparison with the one form finds.
  static func unescaped(_ part: String, after word: String) -> String? {
    // By bytes, as it was escaped: an accent can follow a space or an escape.
    guard part.utf8.starts(with: word.utf8) else { return nil }
    let words = Array(part.utf8.dropFirst(word.utf8.count))
    let unescaped = words.replacing("%3B".utf8, with: ";".utf8).replacing("%25".utf8, with: "%".utf8)
    return String(decoding: unescaped, as: UTF8.self)
  }
}

/// The named fields of a ``FittingText``.
struct FittingFields {
  private let place: JSONPlace
  /// By the names of fields, those of an ear with the ear.
  private var values: [String: String] = [:]

  private static let names: [String] =
    [.adaptation, .ceiling, .volume, .tone, .trial, .acceptance].map(\FittingText.Field.rawValue)
    + [.targets, .tuning, .lowering, .tinnitus].flatMap { field in
      Ear.allCases.map { FittingText.name(field, $0) }
    }

  init(_ parts: ArraySlice<String>, _ place: JSONPlace) throws(PrescriptionError) {
    self.place = place
    for part in parts {
      guard let name = Self.names.first(where: { part.utf8.starts(with: ($0 + " ").utf8) }) else {
        throw place.failure("found \"\(PrintableText.short(part))\", a field that is unknown here")
      }
      let value = String(Substring(part.utf8.dropFirst(name.utf8.count + 1)))
      guard values.updateValue(value, forKey: name) == nil else {
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

  func wearerMayAccept() throws(PrescriptionError) -> Bool {
    guard let word = values[FittingText.Field.acceptance.rawValue] else { return false }
    guard word == FittingText.wearer else {
      throw place.failure("acceptance: found \"\(PrintableText.short(word))\", expected \"wearer\"")
    }
    return true
  }

  /// - Parameter target: The part of the text that names rule or tables.
  func plan(_ target: String) throws(PrescriptionError) -> FittingPlan {
    let target = try self.target(target)
    let tuning = try ears(.tuning) { text throws(PrescriptionError) in
      let points = try NumberRows.points(text, rows: 4...4, place)
      return try place.making {
        try FineTuning(points: points.map { .init(frequency: $0.frequency, changes: $0.gains) })
      }
    }
    let lowering = try Binaural(lowering)
    let sound = try ears(.tinnitus) { text throws(PrescriptionError) in try SoundText.sound(text, place) }
    let adaptation = try numbers("adaptation", count: 1)?[0] ?? 1
    guard let ceiling = try numbers("ceiling", count: 1)?[0] else {
      throw place.failure("\"ceiling\" is missing")
    }
    return try place.making {
      try FittingPlan(
        target: target, fineTuning: tuning.map { $0 ?? .none }, adaptation: adaptation,
        outputCeiling: SoundPressureLevel(ceiling), lowering: lowering, tinnitusSound: sound)
    }
  }

  private func lowering(_ ear: Ear) throws(PrescriptionError) -> FrequencyLowering? {
    guard let values = try numbers(FittingText.name(.lowering, ear), count: 2) else { return nil }
    return try place.making { try FrequencyLowering(cutoff: values[0], ratio: values[1]) }
  }

  /// Value of a field of each ear; nil where it is absent.
  private func ears<Value>(
    _ field: FittingText.Field, _ read: (String) throws(PrescriptionError) -> Value
  ) throws(PrescriptionError) -> Binaural<Value?> {
    try Binaural { ear throws(PrescriptionError) in try values[FittingText.name(field, ear)].map(read) }
  }

  private func target(_ part: String) throws(PrescriptionError) -> FittingPlan.Target {
    let tables = try ears(.targets) { text throws(PrescriptionError) in
      let points = try NumberRows.points(text, rows: 4...5, place)
      return try place.making { try TargetTable(points: points) }
    }
    if let source = FittingText.unescaped(part, after: FittingText.tables) {
      _ = try place.making { try PlainText.checked(source, field: "source") as String }
      guard tables != Binaural(both: nil) else {
        throw place.failure("\"\(FittingText.name(.targets, .left))\" is missing")
      }
      return .tables(tables.map { $0 ?? .none }, source: source)
    }
    let parts = part.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let ratio = parts.count == 3 ? JSONNumber.value(of: Array(parts[2].utf8)) : nil
    guard 2...3 ~= parts.count, (parts.count == 3) == (ratio != nil), let version = Int(parts[1]),
      let rule = PrescribedRule(identifier: parts[0], version: version, compressionRatio: ratio)
    else { throw place.failure("found rule \"\(PrintableText.short(part))\", which is not known here") }
    guard tables == Binaural(both: nil) else {
      throw place.failure("found a rule and a table of targets, expected one of them")
    }
    return .rule(rule)
  }
}
