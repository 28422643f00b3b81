import Base

/// Where a value lives in the configuration.
typealias Place<Value> = any WritableKeyPath<Configuration, Value> & Sendable

/// One key of the configuration file: what it means, what it accepts, and where its value lives.
package struct Setting: Sendable {
  /// What it takes to bring a changed value into effect.
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

  /// The table it stands in, `device`.
  var section: String { String(key[..<(key.lastIndex(of: ".") ?? key.startIndex)]) }
  /// The key within its table, `period`.
  var name: String { String(key[(key.lastIndex(of: ".").map(key.index(after:)) ?? key.startIndex)...]) }

  /// The value in `configuration` as it is written in TOML; nil when it is not set.
  package func value(in configuration: Configuration) -> String? { literal(configuration) }
}

extension Setting {
  /// A number with a unit.
  static func number(
    _ key: String, _ quantity: Quantity, _ range: ClosedRange<Double>,
    _ place: Place<Double>, _ change: Change, _ summary: String
  ) -> Setting {
    let accepts = quantity.accepts(range)
    return Setting(
      key: key, summary: summary, accepts: accepts, change: change, example: nil,
      read: { reader, configuration in
        guard let value = reader.number(key, quantity, range, accepts) else { return }
        configuration[keyPath: place] = value
      },
      literal: { NumberText.exact($0[keyPath: place]) })
  }

  /// A whole number; with `rate`, a time may be given instead of frames.
  static func whole(
    _ key: String, _ quantity: Quantity, _ range: ClosedRange<Int>,
    _ place: Place<Int>, _ change: Change,
    rate: Place<Int>? = nil, _ summary: String
  ) -> Setting {
    var accepts = quantity.accepts(Double(range.lowerBound)...Double(range.upperBound))
    if rate != nil { accepts += ", or the nearest whole number to a time such as \"1.5 ms\"" }
    return Setting(
      key: key, summary: summary, accepts: accepts, change: change, example: nil,
      read: { [accepts] reader, configuration in
        let rate = rate.map { configuration[keyPath: $0] }
        guard let value = reader.whole(key, quantity, range, rate: rate, accepts) else { return }
        configuration[keyPath: place] = value
      },
      literal: { String($0[keyPath: place]) })
  }

  /// One of a few numbers.
  static func oneOf(
    _ key: String, _ quantity: Quantity, _ values: [Int],
    _ place: Place<Int>, _ change: Change, _ summary: String
  ) -> Setting {
    let accepts = English.list(values.map { String($0) }, "or") + " " + quantity.unit
    return Setting(
      key: key, summary: summary, accepts: accepts, change: change, example: nil,
      read: { reader, configuration in
        guard let value = reader.oneOf(key, quantity, values, accepts) else { return }
        configuration[keyPath: place] = value
      },
      literal: { String($0[keyPath: place]) })
  }

  /// One of a few words.
  static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ key: String, _ place: Place<Word>, _ change: Change,
    _ summary: String
  ) -> Setting {
    let words = Word.allCases.map(\.rawValue)
    let accepts = English.list(words.map { "\"\($0)\"" }, "or")
    return Setting(
      key: key, summary: summary, accepts: accepts, change: change, example: nil,
      read: { reader, configuration in
        guard let word = reader.word(key, words, accepts), let value = Word(rawValue: word) else { return }
        configuration[keyPath: place] = value
      },
      literal: { TOMLText.literal($0[keyPath: place].rawValue) })
  }

  /// Text that may be absent. `isPath`: relative to the file's folder.
  static func text(
    _ key: String, _ place: Place<String?>, _ change: Change,
    accepts: String, isPath: Bool = false, example: String, _ summary: String
  ) -> Setting {
    Setting(
      key: key, summary: summary, accepts: accepts, change: change, example: "\"\(example)\"",
      read: { reader, configuration in
        guard let value = reader.text(key, isPath: isPath, accepts) else { return }
        configuration[keyPath: place] = value
      },
      literal: { $0[keyPath: place].map(TOMLText.literal) })
  }
}

extension Quantity {
  /// `0.001 to 0.5 s, bare or with its unit, such as "20 ms"`.
  func accepts(_ range: ClosedRange<Double>) -> String {
    let numbers = "\(NumberText.exact(range.lowerBound)) to \(text(range.upperBound))"
    switch self {
    case .time: return numbers + ", bare or with its unit, such as \"20 ms\""
    case .count: return "a whole number, " + numbers
    default: return numbers
    }
  }
}

extension Setting {
  /// A full-scale level for both channels or for left and right.
  static func levels(
    _ key: String, _ place: Place<[Double]>, _ summary: String
  ) -> Setting {
    let range = 80.0...160.0
    let accepts =
      Quantity.soundPressureLevel.accepts(range) + ", one number for both channels or [left, right]"
    return Setting(
      key: key, summary: summary, accepts: accepts, change: .live, example: nil,
      read: { reader, configuration in
        guard
          let values = reader.numbers(
            key, .soundPressureLevel, range, counts: 1...2, increasing: false, accepts)
        else { return }
        configuration[keyPath: place] = values
      },
      literal: { configuration in
        let levels = configuration[keyPath: place].map(NumberText.exact)
        return levels.count == 1 ? levels[0] : "[\(levels.joined(separator: ", "))]"
      })
  }

  /// Centre frequencies, increasing.
  static func frequencies(
    _ key: String, _ place: Place<[Double]?>, _ change: Change,
    example: String, _ summary: String
  ) -> Setting {
    // 1...40 bands of 50...20000 Hz: the limits of the filterbank's band layout.
    let accepts = "1 to 40 increasing frequencies of 50 to 20000 Hz, [250, 500, …]"
    return Setting(
      key: key, summary: summary, accepts: accepts, change: change, example: example,
      read: { reader, configuration in
        guard
          let values = reader.numbers(
            key, .frequency, 50...20_000, counts: 1...40, increasing: true, accepts)
        else { return }
        configuration[keyPath: place] = values
      },
      literal: {
        $0[keyPath: place].map { "[\($0.map(NumberText.exact).joined(separator: ", "))]" }
      })
  }

  /// A day that may be absent.
  static func date(
    _ key: String, _ place: Place<String?>, _ summary: String
  ) -> Setting {
    let accepts = "a day, such as 2026-01-31"
    return Setting(
      key: key, summary: summary, accepts: accepts, change: .live, example: "2026-01-31",
      read: { reader, configuration in
        guard let day = reader.date(key, accepts) else { return }
        configuration[keyPath: place] = day
      },
      literal: { $0[keyPath: place] })
  }
}
