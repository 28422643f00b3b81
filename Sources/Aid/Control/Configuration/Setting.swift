import Base

/// Place of a value in the configuration.
typealias Place<Value> = any WritableKeyPath<Configuration, Value> & Sendable

/// One key of the configuration file: its meaning, the values that it accepts, and the place of its value.
package struct Setting: Sendable {
  /// Effect of a changed value.
  package enum Change: String, Sendable, Codable {
    /// Applied to running sound, ramped.
    case live
    /// The devices are closed and opened again: a short mute.
    case reopensDevices = "reopens-devices"
    /// The daemon has to be started again.
    case restartsDaemon = "restarts-daemon"
  }

  /// Dotted path, `device.period`.
  package let key: String
  /// Meaning, one sentence or more.
  package let summary: String
  /// Accepted values, as messages name them.
  package let accepts: String
  package let change: Change
  /// Example for the reference when there is no default.
  let example: String?
  /// Reads the value into a configuration, or notes a problem.
  let read: @Sendable (inout ConfigurationReader, inout Configuration) -> Void
  /// The value as TOML; nil when it is not set.
  let literal: @Sendable (Configuration) -> String?
  /// True of text, which may look like a value of TOML where it stands without quotation marks.
  private(set) var isText = false

  /// The table it stands in, `device`.
  var section: String { String(key[..<(key.lastIndex(of: ".") ?? key.startIndex)]) }
  /// The key within its table, `period`.
  var name: String { String(key[(key.lastIndex(of: ".").map(key.index(after:)) ?? key.startIndex)...]) }

  /// Table and name, `["device", "period"]`.
  var path: [String] { key.split(separator: ".").map(String.init) }

  /// The value in `configuration` as it is written in TOML; nil when it is not set.
  package func value(in configuration: Configuration) -> String? { literal(configuration) }
}

/// A value that a setting does not accept.
struct UnacceptedValue: Error {
  /// Line of an element; nil: the key's.
  var line: Int?
  /// Nil: the value as it stands.
  var found: String?
  /// Value that was probably meant.
  var hint: String?
}

extension Setting {
  /// - Parameters:
  ///   - quantity: Of a number, for messages.
  ///   - literal: The value as TOML; nil when it is not set.
  ///   - parse: Makes the value; nil: it is not accepted. Its other parameters are the folder that relative paths start
  ///     from, and the configuration as read so far.
  private init<Value>(
    _ key: String, _ place: Place<Value>, _ change: Change, _ quantity: Quantity? = nil, accepts: String,
    example: String? = nil, _ summary: String, literal: @escaping @Sendable (Value) -> String?,
    parse: @escaping @Sendable (TOMLValue, String?, Configuration) throws(UnacceptedValue) -> Value?
  ) {
    self.init(
      key: key, summary: summary, accepts: accepts, change: change, example: example,
      read: { reader, configuration in
        guard let node = reader.node(at: key) else { return }
        do throws(UnacceptedValue) {
          guard let value = try parse(node, reader.folder, configuration) else { throw UnacceptedValue() }
          configuration[keyPath: place] = value
        } catch {
          reader.note(
            key, line: error.line, found: error.found ?? node.shown(quantity), expected: accepts,
            hint: error.hint)
        }
      }, literal: { literal($0[keyPath: place]) })
  }

  /// A number with a unit.
  static func number(
    _ key: String, _ quantity: Quantity, _ range: ClosedRange<Double>, _ place: Place<Double>,
    _ change: Change, _ summary: String
  ) -> Setting {
    Setting(
      key, place, change, quantity, accepts: quantity.accepts(range), summary, literal: NumberText.exact
    ) { value, _, _ in quantity.number(value, in: range) }
  }

  /// A whole number; with `rate`, a time may be given instead of frames.
  static func whole(
    _ key: String, _ quantity: Quantity, _ range: ClosedRange<Int>, _ place: Place<Int>, _ change: Change,
    rate: Place<Int>? = nil, _ summary: String
  ) -> Setting {
    let limits = Double(range.lowerBound)...Double(range.upperBound)
    let times = rate == nil ? "" : ", or the nearest whole number to a time such as \"1.5 ms\""
    return Setting(
      key, place, change, quantity, accepts: quantity.accepts(limits) + times, summary,
      literal: { String($0) }
    ) { value, _, configuration in
      if let number = quantity.number(value, in: limits) { return Int(exactly: number) }
      guard let rate, case .string(let text) = value, let time = Quantity.time.value(of: text),
        let frames = Int(exactly: (time * Double(configuration[keyPath: rate])).rounded())
      else { return nil }
      return range.contains(frames) ? frames : nil
    }
  }

  /// One of a few numbers.
  static func oneOf(
    _ key: String, _ quantity: Quantity, _ values: [Int], _ place: Place<Int>, _ change: Change,
    _ summary: String
  ) -> Setting {
    Setting(
      key, place, change, quantity,
      accepts: English.list(values.map(String.init), "or") + " " + quantity.unit, summary,
      literal: { String($0) }
    ) { value, _, _ in values.first { quantity.number(value, in: Double($0)...Double($0)) != nil } }
  }

  /// One of a few words, each with its value.
  static func word<Value: Equatable & Sendable>(
    _ key: String, _ place: Place<Value>, _ change: Change, _ values: [(word: String, value: Value)],
    _ summary: String
  ) -> Setting {
    Setting(
      key, place, change, accepts: English.list(values.map { "\"\($0.word)\"" }, "or"), summary,
      literal: { set in values.first { $0.value == set }.map { TOMLParser.literal($0.word) } }
    ) { (value, _, _) throws(UnacceptedValue) in
      guard case .string(let word) = value else { return nil }
      // Case does not distinguish any two words: "nal-r" is understood.
      if let match = values.first(where: { $0.word.lowercased() == word.lowercased() }) {
        return match.value
      }
      let nearest = Spelling.nearest(to: word, among: values.map(\.word))
      throw UnacceptedValue(hint: nearest.map { "Did you mean \"\($0)\"?" })
    }
  }

  /// Text that may be absent. `isPath`: relative to the file's folder. `refusing`: advice where a text is not taken; nil: it is.
  static func text(
    _ key: String, _ place: Place<String?>, _ change: Change, accepts: String, isPath: Bool = false,
    example: String, _ summary: String,
    refusing refusal: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> Setting {
    var setting = Setting(
      key, place, change, accepts: accepts, example: "\"\(example)\"", summary,
      literal: { $0.map(TOMLParser.literal) }
    ) { (value, folder, _) throws(UnacceptedValue) in
      guard case .string(let text) = value, !text.isEmpty,
        text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { return nil }
      if let hint = refusal(text) { throw UnacceptedValue(hint: hint) }
      guard isPath, !text.hasPrefix("/"), let folder else { return text }
      return folder + "/" + text
    }
    setting.isText = true
    return setting
  }

  /// A full-scale level for both channels or for left and right.
  static func levels(_ key: String, _ place: Place<[Double]>, _ summary: String) -> Setting {
    let range = 80.0...160.0
    let quantity = Quantity.soundPressureLevel
    return Setting(
      key, place, .live, quantity,
      accepts: quantity.accepts(range) + ", one number for both channels or [left, right]", summary,
      literal: { $0.count == 1 ? NumberText.exact($0[0]) : list($0) }
    ) { (value, _, _) throws(UnacceptedValue) in try numbers(value, quantity, range, counts: 1...2) }
  }

  /// Centre frequencies, increasing.
  static func frequencies(
    _ key: String, _ place: Place<[Double]?>, _ change: Change, example: String, _ summary: String
  ) -> Setting {
    // 1...40 bands of 50...20000 Hz: the limits of the filterbank's band layout.
    Setting(
      key, place, change, .frequency,
      accepts: "1 to 40 increasing frequencies of 50 to 20000 Hz, [250, 500, …]", example: example, summary,
      literal: { $0.map(list) }
    ) { (value, _, _) throws(UnacceptedValue) in
      try numbers(value, .frequency, 50...20_000, counts: 1...40, isIncreasing: true)
    }
  }

  private static func list(_ numbers: [Double]) -> String {
    "[\(numbers.map(NumberText.exact).joined(separator: ", "))]"
  }

  /// A number or an array of numbers, each in `range`.
  private static func numbers(
    _ value: TOMLValue, _ quantity: Quantity, _ range: ClosedRange<Double>, counts: ClosedRange<Int>,
    isIncreasing: Bool = false
  ) throws(UnacceptedValue) -> [Double]? {
    guard case .array(let array) = value else { return quantity.number(value, in: range).map { [$0] } }
    guard counts.contains(array.elements.count) else {
      throw UnacceptedValue(found: English.count(array.elements.count, "value"))
    }
    var numbers: [Double] = []
    for element in array.elements {
      guard let number = quantity.number(element.value, in: range) else {
        throw UnacceptedValue(line: element.line, found: element.value.shown(quantity))
      }
      if isIncreasing, let last = numbers.last, number <= last {
        throw UnacceptedValue(
          line: element.line, found: "\(quantity.text(number)) after \(quantity.text(last))")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// A day that may be absent, as a TOML date or a string of the same form.
  static func date(_ key: String, _ place: Place<String?>, _ summary: String) -> Setting {
    Setting(
      key, place, .live, accepts: "a day, such as 2026-01-31", example: "2026-01-31", summary,
      literal: { $0 }
    ) { value, _, _ in
      switch value {
      case .day(let day): day.description
      case .string(let text): CalendarDate(text)?.description
      default: nil
      }
    }
  }
}
