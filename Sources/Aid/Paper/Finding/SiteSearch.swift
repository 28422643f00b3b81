/// Puts finder patterns together to symbols.
struct SiteSearch {
  let picture: InkPicture
  let patterns: [FinderPattern]

  /// All threes of finder patterns that can be the corners of one symbol, the best first.
  func sites() -> [SymbolSite] {
    var sites: [SymbolSite] = []
    for a in patterns.indices {
      for b in patterns.indices where b != a {
        for c in patterns.indices where c > b && c != a {
          if let site = site(patterns[a], patterns[b], patterns[c]) { sites.append(site) }
        }
      }
    }
    return sites.sorted { $0.agreement > $1.agreement }
  }

  /// Checks three finder patterns of which the first is the corner of the right angle.
  private func site(_ a: FinderPattern, _ b: FinderPattern, _ c: FinderPattern) -> SymbolSite? {
    let ab = (x: b.x - a.x, y: b.y - a.y)
    let ac = (x: c.x - a.x, y: c.y - a.y)
    let lengths = ((ab.x * ab.x + ab.y * ab.y).squareRoot(), (ac.x * ac.x + ac.y * ac.y).squareRoot())
    guard lengths.0 < 2 * lengths.1, lengths.1 < 2 * lengths.0 else { return nil }
    let cross = ab.x * ac.y - ab.y * ac.x
    let sine = cross / (lengths.0 * lengths.1)
    // The corner is where the widest angle is; seen from 45° aside, a right angle is still wider than 45°.
    let bc = ((c.x - b.x) * (c.x - b.x) + (c.y - b.y) * (c.y - b.y)).squareRoot()
    guard abs(sine) > 0.7, bc > lengths.0, bc > lengths.1 else { return nil }
    let (right, below) = cross > 0 ? (b, c) : (c, b)
    guard let across = span(from: a, to: right), let down = span(from: a, to: below),
      across < 1.3 * down, down < 1.3 * across
    else { return nil }
    let span = (across * down).squareRoot()
    // Versions 1 to 40 have spans of 14 to 170; a module can be measured a fifth too large or too small.
    guard span > 11, span < 210 else { return nil }
    let frame = SymbolSite(corner: a, right: right, below: below, span: span, agreement: 0)
    let agreement = min(changes(frame, down: false), changes(frame, down: true)) / (span - 10)
    guard agreement > 0.55, agreement < 1.6 else { return nil }
    return SymbolSite(
      corner: a, right: right, below: below, span: span, agreement: 1 - abs(1 - agreement))
  }

  /// Modules between two finder patterns, by the width of the patterns along the line between them; nil
  /// when they differ too much to belong together.
  private func span(from a: FinderPattern, to b: FinderPattern) -> Float? {
    let (x, y) = (b.x - a.x, b.y - a.y)
    let length = (x * x + y * y).squareRoot()
    let widths = [a, b].compactMap {
      picture.crossing(x: $0.x, y: $0.y, dx: x / length, dy: y / length, reach: $0.module * 9)?.module
    }
    guard let least = widths.min(), let most = widths.max(), most < 1.6 * least else { return nil }
    return length / (widths.reduce(0, +) / Float(widths.count))
  }

  /// Changes between dark and light along a timing pattern: column 6 or row 6, between the finder patterns.
  private func changes(_ site: SymbolSite, down: Bool) -> Float {
    let steps = max(1, Int(site.span * site.module))
    var count = 0
    var last: UInt8?
    for step in 0...steps {
      let along = 7.5 + (site.span - 8) * Float(step) / Float(steps)
      let point = down ? site.point(6.5, along) : site.point(along, 6.5)
      let x = Int(point.x)
      let y = Int(point.y)
      guard x >= 0, y >= 0, x < picture.width, y < picture.height else { continue }
      let now = picture.ink[y * picture.width + x]
      if let last, last != now { count += 1 }
      last = now
    }
    return Float(count)
  }
}

/// Probable place of a symbol: its three finder patterns, and so the frame of its modules.
struct SymbolSite {
  /// The finder pattern at the corner of the right angle, top left of an upright symbol.
  let corner: FinderPattern
  /// The one to its right.
  let right: FinderPattern
  /// The one below it.
  let below: FinderPattern
  /// Modules between the centres of two finder patterns, as far as can be told: side - 7.
  let span: Float
  /// Clarity of the timing patterns between the finder patterns, 1 when every module changes.
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

/// One of the three corner marks of a QR symbol: along every line through its centre, dark and light
/// alternate as 1 : 1 : 3 : 1 : 1 (ISO/IEC 18004, 6.3.3.1), however the symbol is turned, sheared or
/// scaled.
struct FinderPattern {
  /// Centre, pixels from the left edge of the picture.
  var x: Float
  /// Centre, pixels from the top edge of the picture.
  var y: Float
  /// Width of a module along a row and along a column, pixels, as their geometric mean.
  var module: Float
  /// Rows in which it was seen.
  var rows: Int
}

/// Version code of a symbol of version 7 or more: 18 bits, twice (ISO/IEC 18004, 7.10).
enum VersionInformation {
  /// Six bits of version and twelve of a Bose-Chaudhuri-Hocquenghem code with generator
  /// x¹² + x¹¹ + x¹⁰ + x⁹ + x⁸ + x⁵ + x² + 1; any two differ in eight bits or more.
  static func bits(_ version: Int) -> UInt32 {
    var rest = UInt32(version) << 12
    for bit in (12..<18).reversed() where rest & (1 << UInt32(bit)) != 0 {
      rest ^= 0x1F25 << UInt32(bit - 12)
    }
    return UInt32(version) << 12 | rest
  }

  /// Columns and rows of the centres of alignment patterns (ISO/IEC 18004, annex E): from 6 to side - 7 in
  /// even steps of an even number of modules; only the first step may be smaller.
  static func alignment(_ version: Int) -> [Int] {
    guard version > 1 else { return [] }
    let side = 17 + 4 * version
    let count = version / 7 + 2
    // Version 32 alone departs from the rule.
    let step = version == 32 ? 26 : (side - 13 + 2 * count - 3) / (2 * count - 2) * 2
    return [6] + (0..<count - 1).map { side - 7 - (count - 2 - $0) * step }
  }
}
