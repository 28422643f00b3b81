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
        let levels = configuration[keyPath: place].map(Quantity.number)
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
        $0[keyPath: place].map { "[\($0.map(Quantity.number).joined(separator: ", "))]" }
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
