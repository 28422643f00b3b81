import CardPictures

/// Reads many cards of one size under one condition.
struct Trial {
  let size: CardSize
  let condition: Condition
  private(set) var tried = 0
  private(set) var read = 0
  private(set) var times: [Duration] = []

  /// Width of the symbol without its quiet zone, pixels: 84 mm at 150 dots per inch.
  static let side: Float = 496

  /// - Parameters:
  ///   - count: Pages, each with other texts and another place.
  init(_ size: CardSize, _ condition: Condition, count: Int) throws {
    self.size = size
    self.condition = condition
    // Every cell of the table has dice of its own, so that it can be repeated alone.
    let cell = Condition.allCases.firstIndex(of: condition)!
    let correction = ErrorCorrection.allCases.firstIndex(of: size.correction)!
    var dice = Dice(seed: UInt64(size.characters * 1000 + correction * 100 + cell))
    for _ in 0..<count {
      let texts = (0..<condition.codes).map { _ in size.text(dice: &dice) }
      let symbols = try texts.map { try QRSymbol(text: $0, correction: size.correction) }
      let page = PrintedPage.picture(symbols, side: Self.side, dice: &dice)
      let result = try condition.texts(page, dice: &dice)
      tried += 1
      times.append(result.time)
      // Exactly these, and nothing else.
      if Set(result.texts) == Set(texts) { read += 1 }
    }
    times.sort()
  }

  /// Share of pages read, %.
  var rate: Double { 100 * Double(read) / Double(tried) }
  /// Mean time, ms.
  var mean: Double { times.map { $0 / .milliseconds(1) }.reduce(0, +) / Double(times.count) }
  /// Time within which 99 of 100 pages were done, ms.
  var slowest: Double { times[min(times.count - 1, times.count * 99 / 100)] / .milliseconds(1) }
}
