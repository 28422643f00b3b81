import Base
import Paper

/// Reads many cards under one condition.
struct Trial {
  private(set) var tried = 0
  private(set) var read = 0
  private(set) var times: [Duration] = []

  /// Width of the symbol without its quiet zone, pixels: 84 mm at 150 dots per inch.
  static let side: Float = 496

  /// Cards of one size, each with another text and another place.
  ///
  /// - Parameter count: Pages.
  init(_ size: CardSize, _ condition: Condition, count: Int) throws {
    // Every cell of the table has dice of its own, so that it can be repeated alone.
    let cell = Condition.allCases.firstIndex(of: condition)!
    let correction = ErrorCorrection.allCases.firstIndex(of: size.correction)!
    var dice = SeededNumbers(seed: UInt64(size.characters * 1000 + correction * 100 + cell))
    for _ in 0..<count {
      let texts = (0..<condition.codes).map { _ in size.text(dice: &dice) }
      let symbols = try texts.map { try QRSymbol(text: $0, correction: size.correction) }
      let page = PrintedPage.picture(symbols, side: Self.side, dice: &dice)
      try add(page, bearing: texts, condition, dice: &dice)
    }
    times.sort()
  }

  /// One page, again and again.
  init(_ page: GreyPicture, bearing texts: [String], _ condition: Condition, count: Int) throws {
    var dice = SeededNumbers(seed: UInt64(Condition.allCases.firstIndex(of: condition)!))
    for _ in 0..<count { try add(page, bearing: texts, condition, dice: &dice) }
    times.sort()
  }

  private mutating func add(
    _ page: GreyPicture, bearing texts: [String], _ condition: Condition, dice: inout SeededNumbers
  ) throws {
    let result = try condition.texts(page, dice: &dice)
    tried += 1
    times.append(result.time)
    // Exactly these, and nothing else.
    if Set(result.texts) == Set(texts) { read += 1 }
  }

  /// Mean time, ms.
  var mean: Double { times.map { $0 / .milliseconds(1) }.reduce(0, +) / Double(times.count) }
  /// Time within which 99 of 100 pages were done, ms.
  var slowest: Double { times[min(times.count - 1, times.count * 99 / 100)] / .milliseconds(1) }
}
