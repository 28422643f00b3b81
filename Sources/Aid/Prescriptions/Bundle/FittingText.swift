import Acoustics
import Base
import Fitting

/// The fitting as one line: the value of the DeviceRequest's parameter.
///
/// A coded FHIR parameter for each number would say the same in five times the bytes.
///
///     fitting     = environment ";" target *(";" field)
///     environment = "quiet" / "conversation-in-noise" / "music" / "outdoors" / "other " words
///     target      = identifier " " version [" " ratio] / "tables " words
///     field       = "adaptation " number               ; share of the gain; absent: 1
///                 / "ceiling " number                  ; dB SPL; always there
///                 / "volume " number " " number        ; dB, lowest and highest; absent: none
///                 / "tone " number " " number          ; dB, likewise
///                 / "trial " number                    ; s after issue; absent: final
///                 / "acceptance wearer"               ; of a trial; absent: the clinic alone makes it final
///                 / ("targets-" / "tuning-") ("left" / "right") " " rows
///                 / "lowering-" ("left" / "right") " " number " " number   ; Hz, ratio; absent: none
///                 / "tinnitus-" ("left" / "right") " " sound               ; absent: none
///     sound       = "broadband " number                                   ; dB SPL
///                 / ("band " / "notched ") number " " number " " number    ; Hz, octaves, dB SPL
///
/// Fields come in this order, each at most once. `words` is the clinic's own text with `%` as `%25` and `;`
/// as `%3B`; after `tables` it names the tool that the targets come from. `rows` are those of
/// ``NumberRows``. There is one text for each fitting, and no other is read.
///
/// `quiet;NAL-RP-compressive 3 1.8;adaptation 0.8;ceiling 105;volume -10 5;tone -3 3`
struct FittingText: Equatable {
  let environment: ListeningEnvironment
  let plan: FittingPlan
  let adjustment: PatientAdjustment
  /// Length of the trial, s after issue.
  let trial: Int?
  let wearerMayAccept: Bool

  enum Field: String {
    case adaptation, ceiling, volume, tone, trial, acceptance
    case targets, tuning, lowering, tinnitus
  }

  /// Name of a field of one ear.
  static func name(_ field: Field, _ ear: Ear) -> String { "\(field.rawValue)-\(ear.rawValue)" }

  /// Value of ``Field/acceptance``, the only one.
  static let wearer = "wearer"
  static let tables = "tables "
  static let other = "other "
}

extension FittingText {
  init(_ prescription: Prescription) {
    environment = prescription.environment
    plan = prescription.plan
    adjustment = prescription.adjustment
    trial = prescription.trialEnds.map { $0 - prescription.issued }
    wearerMayAccept = prescription.wearerMayAccept
  }

  var text: String {
    var parts: [String] = []
    func add(_ name: String, _ text: String) { parts.append(name + " " + text) }
    func add(_ field: Field, _ numbers: Double...) {
      add(field.rawValue, numbers.map(NumberText.exact).joined(separator: " "))
    }
    func add(_ field: Field, range: ClosedRange<Double>) {
      if range != 0...0 { add(field, range.lowerBound, range.upperBound) }
    }
    func addEars<Value>(_ field: Field, _ values: Binaural<Value>, _ text: (Value) -> String?) {
      for ear in Ear.allCases { text(values[ear]).map { add(Self.name(field, ear), $0) } }
    }
    let isOther = !ListeningEnvironment.known.contains(environment)
    parts.append(isOther ? Self.other + Self.escaped(environment.word) : environment.word)
    switch plan.target {
    case .rule(let rule):
      let ratio = rule.compressionRatio.map { " " + NumberText.exact($0) } ?? ""
      parts.append("\(rule.identifier) \(rule.version)\(ratio)")
    case .tables(_, let source): parts.append(Self.tables + Self.escaped(source))
    }
    if plan.adaptation != 1 { add(.adaptation, plan.adaptation) }
    add(.ceiling, plan.outputCeiling.decibels)
    add(.volume, range: adjustment.volume)
    add(.tone, range: adjustment.tone)
    if let trial { add(.trial, Double(trial)) }
    if wearerMayAccept { add(Field.acceptance.rawValue, Self.wearer) }
    if case .tables(let tables, _) = plan.target {
      addEars(.targets, tables) { $0.points.isEmpty ? nil : NumberRows.text($0.points) }
    }
    addEars(.tuning, plan.fineTuning) { tuning in
      let points = tuning.points.map { TargetTable.Point(frequency: $0.frequency, gains: $0.changes) }
      return points.isEmpty ? nil : NumberRows.text(points)
    }
    addEars(.lowering, plan.lowering) {
      $0.map { NumberText.exact($0.cutoff) + " " + NumberText.exact($0.ratio) }
    }
    addEars(.tinnitus, plan.tinnitusSound) { $0.map(SoundText.text) }
    return parts.joined(separator: ";")
  }

  /// By scalars: an accent behind a semicolon makes another character of it, and a reader still finds the semicolon.
  private static func escaped(_ words: String) -> String {
    words.unicodeScalars.map { (scalar) -> String in
      switch scalar {
      case "%": "%25"
      case ";": "%3B"
      default: String(scalar)
      }
    }.joined()
  }
}

/// A table of numbers as text: rows joined by `/`, numbers by a space, `-` where there is none. The first
/// row has the frequencies, Hz; then one row for each speech level, soft to loud, and for targets one of
/// maximum outputs, dB SPL, unless no frequency has one.
///
/// `250 1000 4000/12 20 30/10 15 22.5/4 8 12/100 104 -`
enum NumberRows {
  static func text(_ points: [TargetTable.Point]) -> String {
    let gains = SpeechLevel.allCases.map { level in points.map { $0.gains[level] } }
    let outputs = points.map { $0.maximumOutput?.decibels }
    let rows: [[Double?]] = [points.map(\.frequency)] + gains + [outputs]
    return rows.filter { row in row.contains { $0 != nil } }
      .map { row in row.map { $0.map(NumberText.exact) ?? "-" }.joined(separator: " ") }
      .joined(separator: "/")
  }

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)`` when rows differ in length or a number
  ///   is missing.
  static func points(
    _ text: String, rows count: ClosedRange<Int>, _ place: JSONPlace
  ) throws(PrescriptionError) -> [TargetTable.Point] {
    let lines = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard count.contains(lines.count) else {
      throw place.failure("found \(lines.count) rows, expected \(count.lowerBound) to \(count.upperBound)")
    }
    var rows: [[Double?]] = []
    for (index, line) in lines.enumerated() {
      var row: [Double?] = []
      for word in line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
        if word.elementsEqual("-".utf8), index == 4 {
          row.append(nil)
        } else if let number = JSONNumber.value(of: word) {
          row.append(number)
        } else {
          throw place.failure("row \(index + 1): expected numbers separated by single spaces")
        }
      }
      guard row.count <= TargetTable.greatestCount, row.count == rows.first?.count ?? row.count else {
        throw place.failure(
          "row \(index + 1): expected at most \(TargetTable.greatestCount) numbers, as many in each row")
      }
      rows.append(row)
    }
    // Only the fifth row may have gaps.
    return rows[0].indices.map { index in
      let numbers = rows.map { $0[index] }
      return TargetTable.Point(
        frequency: numbers[0] ?? .nan,
        gains: SpeechLevels(
          soft: numbers[1] ?? .nan, ordinary: numbers[2] ?? .nan, loud: numbers[3] ?? .nan),
        maximumOutput: (numbers.count > 4 ? numbers[4] : nil).map { SoundPressureLevel($0) })
    }
  }
}

/// A tinnitus sound as text: its shape, then its numbers, pitch in Hz, width in octaves, level in dB SPL.
///
/// `notched 6000 0.5 45`, `broadband 40`
enum SoundText {
  static func text(_ sound: TinnitusSound) -> String {
    let numbers = sound.shape.numbers + [sound.level.decibels]
    return ([sound.shape.word] + numbers.map(NumberText.exact)).joined(separator: " ")
  }

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)`` when the shape is unknown, or numbers
  ///   are missing or out of range.
  static func sound(_ text: String, _ place: JSONPlace) throws(PrescriptionError) -> TinnitusSound {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let numbers = words.dropFirst().compactMap { JSONNumber.value(of: $0) }
    guard let level = numbers.last,
      let shape = TinnitusSound.Shape(String(Substring(words[0])), numbers.dropLast())
    else {
      throw place.failure(
        "found tinnitus sound \"\(PrintableText.short(text))\", expected broadband and a level, or band or notched"
          + " and pitch, width, level")
    }
    guard numbers.count == words.count - 1 else {
      throw place.failure("tinnitus sound: expected numbers separated by single spaces")
    }
    return try place.making { try TinnitusSound(shape: shape, level: SoundPressureLevel(level)) }
  }
}

/// A shape's word in texts, and its numbers: pitch in Hz and width in octaves, where it has them.
extension TinnitusSound.Shape {
  var word: String {
    switch self {
    case .broadband: "broadband"
    case .band: "band"
    case .notched: "notched"
    }
  }

  var numbers: [Double] {
    switch self {
    case .broadband: []
    case .band(let pitch, let width), .notched(let pitch, let width): [pitch, width]
    }
  }

  /// Nil for another word or count.
  init?(_ word: String, _ numbers: [Double]) {
    switch (word, numbers.count) {
    case ("broadband", 0): self = .broadband
    case ("band", 2): self = .band(pitch: numbers[0], width: numbers[1])
    case ("notched", 2): self = .notched(pitch: numbers[0], width: numbers[1])
    default: return nil
    }
  }
}
