/// Where a symbol seems to lie: its three finder patterns, and so the frame of its modules.
struct SymbolSite {
  /// The finder pattern at the corner of the right angle, top left of an upright symbol.
  let corner: FinderPattern
  /// The one to its right.
  let right: FinderPattern
  /// The one below it.
  let below: FinderPattern
  /// Modules between the centres of two finder patterns, as far as can be told: side - 7.
  let span: Float
  /// How well the timing patterns between the finder patterns are seen, 1 when every module changes.
  let agreement: Float

  /// A point of the picture, pixels, from modules right of and below the symbol's top left corner.
  func point(_ column: Float, _ row: Float) -> (x: Float, y: Float) {
    let a = (column - 3.5) / span
    let b = (row - 3.5) / span
    return (
      corner.x + a * (right.x - corner.x) + b * (below.x - corner.x),
      corner.y + a * (right.y - corner.y) + b * (below.y - corner.y)
    )
  }

  /// Width of a module, pixels, the geometric mean of both directions.
  var module: Float {
    let area =
      (right.x - corner.x) * (below.y - corner.y) - (right.y - corner.y) * (below.x - corner.x)
    return abs(area).squareRoot() / span
  }
}
