import Base
import Paper
import PaperTesting

/// Pages that hold no card and cost much to look through: every one must end within a second of processor time.
enum HostilePages {
  /// Bound for one page. Own choice: what a person waits for without doubting the program.
  static let limit = Duration.seconds(1)

  private static let all: [(name: String, page: @Sendable () -> GreyPicture)] = [
    ("finder patterns only, 1200 × 1200", finderField),
    ("noise, 2000 × 2000", noise),
    ("chessboard, 2000 × 2000", { texture { x, y in (x / 4 + y / 4) % 2 == 0 ? 0 : 255 } }),
    ("fine lines, 2000 × 2000", { texture { x, _ in [0, 255, 0, 0, 0, 255, 0, 255][x / 3 % 8] } }),
    ("one pixel high, 1,000,000 × 1", { GreyPicture(width: 1_000_000, height: 1, brightness: 90) }),
    ("the largest, blank, 8000 × 5000", { GreyPicture(width: 8000, height: 5000, brightness: 128) }),
  ]

  /// Reads every page as a PNG file and prints its time, the median of some readings.
  ///
  /// - Returns: Whether all ended in time and without a text.
  static func run(rounds: Int) -> Bool {
    all.map { name, page in
      let file = page().png()
      var found = 0
      let times = (0..<rounds).map { _ in
        let start = ProcessorClock.now
        found += (try? PictureReader.texts(in: file))?.count ?? 0
        return ProcessorClock.now - start
      }.sorted()
      let median = times[times.count / 2]
      print("\(name): \(Int(median / .milliseconds(1))) ms, \(found == 0 ? "no text" : "\(found) TEXTS")")
      return median < limit && found == 0
    }.allSatisfy(\.self)
  }

  /// Square rings three pixels wide, edge to edge.
  private static func finderField() -> GreyPicture {
    var page = GreyPicture(width: 1200, height: 1200, brightness: 255)
    for y in 0..<1200 {
      for x in 0..<1200 {
        let ring = max(abs(x / 3 % 9 - 4), abs(y / 3 % 9 - 4))
        page[x, y] = ring == 4 || ring == 2 ? 255 : 0
      }
    }
    return page
  }

  private static func noise() -> GreyPicture {
    var dice = SeededNumbers(seed: 1)
    return texture { _, _ in .random(in: 0...255, using: &dice) }
  }

  private static func texture(_ brightness: (Int, Int) -> UInt8) -> GreyPicture {
    var page = GreyPicture(width: 2000, height: 2000, brightness: 0)
    for y in 0..<2000 {
      for x in 0..<2000 { page[x, y] = brightness(x, y) }
    }
    return page
  }
}
