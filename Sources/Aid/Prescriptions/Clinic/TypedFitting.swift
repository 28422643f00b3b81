import Acoustics
import Base
import Fitting

/// Ears that a decision is for, as an audiologist types them: `left`, `right` or `both`.
enum EarsText {
  /// Nil for another word.
  static func ears(_ text: some StringProtocol) -> [Ear]? {
    text == "both" ? Ear.allCases : Ear(rawValue: String(text)).map { [$0] }
  }

  /// Values that texts say, `ear:` and more fields.
  ///
  /// - Parameters:
  ///   - option: Option with which they were typed, for messages.
  ///   - make: Makes a value of the fields after the ear; nil when they cannot be read.
  /// - Throws: ``Failure`` (``ExitStatus/usage``) naming the first bad text, or an ear that has two.
  static func values<Value>(
    _ texts: [String], option: String, expected: String, remedy: String? = nil,
    _ make: ([Substring]) throws -> Value?
  ) throws(Failure) -> Binaural<Value?> {
    var found = Binaural<Value?>(both: nil)
    for text in texts {
      let fields = text.split(separator: ":", omittingEmptySubsequences: false)
      guard let ears = ears(fields[0]),
        let value = try Failure.saying(option, exit: .usage, { try make(Array(fields.dropFirst())) })
      else {
        throw Failure(
          option, found: "\"\(text.prefix(40))\"", expected: expected, remedy: remedy, exit: .usage)
      }
      for ear in ears {
        guard found[ear] == nil else {
          throw Failure(
            option, found: "two for the \(ear.rawValue) ear", expected: "one for each ear at most",
            exit: .usage)
        }
        found[ear] = value
      }
    }
    return found
  }
}

/// A range of dB as people type it: `-10..5`.
package struct RangeText: Sendable, Hashable {
  package let range: ClosedRange<Double>

  /// Nil when it is not two decimal numbers in order with two points between them.
  package init?(_ text: String) {
    guard let cut = text.firstRange(of: ".."),
      let low = NumberText.value(of: text[..<cut.lowerBound]),
      let high = NumberText.value(of: text[cut.upperBound...]),
      low <= high
    else { return nil }
    range = low...high
  }
}

/// Fine tuning as an audiologist types it: `right:2000:+3`, or `both:500:+2/0/-3` for speech at 50, 65 and
/// 80 dB SPL.
package enum TuningText {
  /// - Throws: ``Failure`` (``ExitStatus/usage``) naming the first bad text.
  package static func tuning(_ texts: [String]) throws(Failure) -> Binaural<FineTuning> {
    var points = Binaural<[FineTuning.Point]>(both: [])
    for text in texts {
      let (ears, point) = try Self.point(text)
      for ear in ears { points[ear].append(point) }
    }
    return try Failure.saying("--tune", exit: .usage) {
      try points.map { try FineTuning(points: $0.sorted { $0.frequency < $1.frequency }) }
    }
  }

  private static func point(_ text: String) throws(Failure) -> ([Ear], FineTuning.Point) {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    let refusal = Failure(
      "--tune", found: "\"\(text.prefix(40))\"",
      expected: "ear:frequency:change, as right:2000:+3 or both:500:+2/0/-3 (50/65/80 dB SPL)",
      exit: .usage)
    guard fields.count == 3, let frequency = NumberText.value(of: fields[1]),
      let ears = EarsText.ears(fields[0])
    else { throw refusal }
    let words = fields[2].split(separator: "/", omittingEmptySubsequences: false)
    let changes = words.compactMap { NumberText.value(of: $0) }
    guard changes.count == words.count, [1, 3].contains(changes.count) else { throw refusal }
    let levels = SpeechLevels(
      soft: changes[0], ordinary: changes[changes.count / 2], loud: changes[changes.count - 1])
    return (ears, FineTuning.Point(frequency: frequency, changes: levels))
  }
}

/// Frequency lowering as an audiologist types it: ear, cutoff in Hz, ratio, as `right:2000:2`.
package enum LoweringText {
  /// - Throws: ``Failure`` (``ExitStatus/usage``) naming the first bad text.
  package static func lowering(_ texts: [String]) throws(Failure) -> Binaural<FrequencyLowering?> {
    try EarsText.values(
      texts, option: "--lowering", expected: "ear:cutoff:ratio, as right:2000:2 or both:3000:1.5"
    ) { fields in
      let numbers = fields.compactMap { NumberText.value(of: $0) }
      guard fields.count == 2, numbers.count == 2 else { return nil }
      return try FrequencyLowering(cutoff: numbers[0], ratio: numbers[1])
    }
  }
}

/// A tinnitus sound as an audiologist types it: ear, shape, where it has them pitch in Hz and width in
/// octaves, and level in dB SPL, as `left:notched:6000:0.5:45` or `both:broadband:40`.
package enum TinnitusSoundText {
  /// - Throws: ``Failure`` (``ExitStatus/usage``) naming the first bad text.
  package static func sounds(_ texts: [String]) throws(Failure) -> Binaural<TinnitusSound?> {
    try EarsText.values(
      texts, option: "--tinnitus-sound",
      expected: "ear:broadband:level or ear:band:pitch:width:level, as left:notched:6000:0.5:45",
      remedy:
        "Shapes are broadband, band (only around the pitch) and notched (all but it); Hz, octaves, dB SPL."
    ) { fields in
      let numbers = fields.dropFirst().compactMap { NumberText.value(of: $0) }
      guard numbers.count == fields.count - 1, let level = numbers.last,
        let shape = TinnitusSound.Shape(String(fields[0]), numbers.dropLast())
      else { return nil }
      return try TinnitusSound.prescribed(shape: shape, level: SoundPressureLevel(level))
    }
  }
}

/// Thresholds of one ear as an audiologist types them: `250:35 500:40 4000:>110 8000:70m b1000:20`.
///
/// Frequency in Hz, a colon, the threshold in dB HL. `>` before the threshold: the loudest tone, not heard.
/// `m` after it: the other ear was masked. `b` before the frequency: bone conduction.
package enum ThresholdText {
  /// - Parameters:
  ///   - text: Points, separated by spaces or commas.
  ///   - place: Option with which it was typed, `--left`, for messages.
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the first bad point.
  package static func audiogram(_ text: String, at place: String) throws(Failure) -> Audiogram {
    var points: [Audiogram.Point] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," || $0.isNewline }) {
      points.append(try point(word, place))
    }
    return try Failure.saying(place, exit: .badData) { [points] in try Audiogram(points: points) }
  }

  private static func point(_ word: Substring, _ place: String) throws(Failure) -> Audiogram.Point {
    let halves = word.split(separator: ":", omittingEmptySubsequences: false)
    func refusal() -> Failure {
      Failure(
        place, found: "\"\(word.prefix(30))\"",
        expected:
          "frequency:threshold, as 1000:40, 4000:>110 (not heard), 1000:40m (masked), b1000:20 (bone)",
        exit: .badData)
    }
    guard halves.count == 2 else { throw refusal() }
    let isBone = halves[0].hasPrefix("b")
    let isUnheard = halves[1].hasPrefix(">")
    let isMasked = halves[1].hasSuffix("m")
    let frequency = NumberText.value(of: halves[0].dropFirst(isBone ? 1 : 0))
    let level = NumberText.value(of: halves[1].dropFirst(isUnheard ? 1 : 0).dropLast(isMasked ? 1 : 0))
    guard let frequency, let level else { throw refusal() }
    return Audiogram.Point(
      frequency: frequency, threshold: HearingLevel(level), conduction: isBone ? .bone : .air,
      isMasked: isMasked, hasResponse: !isUnheard)
  }
}

/// Targets of a licensed tool (NAL-NL2, DSL v5) as a table of comma-separated values.
///
/// A first line `ear,frequency,gain50,gain65,gain80,maximum-output`, then one line for each ear and
/// frequency: Hz, insertion gain in dB for speech at 50, 65 and 80 dB SPL, and the greatest output in dB
/// SPL, which may be left empty. `both` means either ear; one without a line gets no gain. Columns are separated
/// by comma, semicolon or tab; with the last two, or in quotes, a decimal comma is read.
package enum TargetTableText {
  static let header = "ear,frequency,gain50,gain65,gain80,maximum-output"

  /// - Parameters:
  ///   - text: The whole file.
  ///   - name: The file's name, for messages.
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the line.
  package static func tables(_ text: String, named name: String) throws(Failure) -> Binaural<TargetTable> {
    var points = Binaural<[TargetTable.Point]>(both: [])
    let table: CSVTable
    do { table = try CSVTable(text) } catch {
      throw Failure(
        "\(name):\(error.line)", found: "a quotation mark missing or out of place",
        expected: "quotes around a whole field", exit: .badData)
    }
    if let first = table.rows.first, first.fields.joined(separator: ",").lowercased() != header {
      throw Failure(
        "\(name):\(first.line)", found: "\"\(first.fields.joined(separator: ",").prefix(60))\"",
        expected: "the line \(header)", exit: .badData)
    }
    for row in table.rows.dropFirst() {
      let (ears, point) = try Self.point(row.fields, "\(name):\(row.line)")
      for ear in ears { points[ear].append(point) }
    }
    let hasPoints = !points.left.isEmpty || !points.right.isEmpty
    return try Failure.saying(name, exit: .badData) {
      try points.map { points in
        if points.isEmpty, hasPoints { return .none }
        return try TargetTable(points: points.sorted { $0.frequency < $1.frequency })
      }
    }
  }

  private static func point(
    _ fields: [String], _ place: String
  ) throws(Failure) -> ([Ear], TargetTable.Point) {
    guard fields.count == 6 else {
      throw Failure(place, found: "\(fields.count) fields", expected: "6: \(header)", exit: .badData)
    }
    guard let ears = EarsText.ears(fields[0]) else {
      throw Failure(
        place, found: "ear \"\(fields[0].prefix(20))\"", expected: "left, right or both", exit: .badData)
    }
    func number(_ index: Int, _ expected: String) throws(Failure) -> Double {
      guard let number = NumberText.value(of: fields[index], allowsComma: true) else {
        throw Failure(place, found: "\"\(fields[index].prefix(20))\"", expected: expected, exit: .badData)
      }
      return number
    }
    let frequency = try number(1, "a number")
    let gains = SpeechLevels(
      soft: try number(2, "a number"), ordinary: try number(3, "a number"),
      loud: try number(4, "a number"))
    let output = fields[5].isEmpty ? nil : SoundPressureLevel(try number(5, "a number or nothing"))
    return (ears, TargetTable.Point(frequency: frequency, gains: gains, maximumOutput: output))
  }
}
