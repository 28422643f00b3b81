import Base
import Paper
import PaperTesting

/// A page as it comes out of a rasteriser: A4 at 150 dots per inch, lines of print, and codes on it.
struct PrintedPage {
  /// 210 mm and 297 mm at 150 dots per inch.
  static let width = 1240
  static let height = 1754

  /// A page that bears codes.
  ///
  /// - Parameters:
  ///   - symbols: One, or two which stand one above the other.
  ///   - side: Width of a symbol without its quiet zone, pixels.
  static func picture(_ symbols: [QRSymbol], side: Float, dice: inout SeededNumbers) -> GreyPicture {
    var page = GreyPicture(width: width, height: height, brightness: 255)
    // Print: words of dark strokes in lines, 20 pixels apart, as of 10-point type.
    var y = 60
    while y < height - 60 {
      var x = 90
      while x < width - 100 {
        let word = Int.random(in: 20...90, using: &dice)
        for column in x..<min(x + word, width - 90) where Int.random(in: 0..<5, using: &dice) < 2 {
          for row in y..<y + Int.random(in: 4...11, using: &dice) {
            page[column, row] = UInt8.random(in: 0...120, using: &dice)
          }
        }
        x += word + 9
      }
      y += 20
    }
    var top = Int.random(in: 60...110, using: &dice)
    for symbol in symbols {
      let modules = Float(symbol.side + 2 * QRSymbol.quietZone)
      let raster = symbol.raster(width: Int(side * modules / Float(symbol.side)))
      let left = Int.random(in: 100...width - 100 - raster.width, using: &dice)
      page.draw(raster, left: left, top: top)
      top += raster.height + Int.random(in: 30...200, using: &dice)
    }
    return page
  }
}

extension GreyPicture {
  /// Puts another picture on this one.
  mutating func draw(_ other: GreyPicture, left: Int, top: Int) {
    for y in 0..<other.height {
      for x in 0..<other.width { self[left + x, top + y] = other[x, y] }
    }
  }
}
