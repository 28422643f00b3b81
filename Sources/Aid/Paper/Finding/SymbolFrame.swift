/// Finds the exact frame of a symbol: its version, and its alignment patterns one after the other, outwards
/// from what is known, because perspective moves the far corner by many modules.
struct SymbolFrame {
  let picture: GreyPicture
  let site: SymbolSite

  /// Frame and modules along a side.
  func solved() -> (frame: ModuleFrame, side: Int) {
    var corners = [site.corner, site.right, site.below]
    let version = version() ?? max(1, min(40, Int(((site.span - 10) / 4).rounded())))
    let side = 17 + 4 * version
    let far = Float(side) - 3.5
    let known: [(Float, Float)] = [(3.5, 3.5), (far, 3.5), (3.5, far)]
    var frame = ModuleFrame(site, span: Float(side - 7))
    for k in corners.indices {
      let best = match(Self.finder, frame, known[k].0, known[k].1, within: 1)
      if best.likeness > 0.5 { (corners[k].x, corners[k].y) = (best.x, best.y) }
    }
    var anchors = zip(known, corners).map { place, corner in
      ModuleFrame.Anchor(column: place.0, row: place.1, x: corner.x, y: corner.y, weight: 3)
    }
    frame = ModuleFrame(anchors, stiffness: 1e6) ?? frame
    let centres = VersionInformation.alignment(version)
    guard let last = centres.last else { return (frame, side) }
    for place in Self.places(among: centres, last: last) {
      let (column, row) = (Float(place.column) + 0.5, Float(place.row) + 0.5)
      let best = match(Self.alignment, frame, column, row, within: 2.5)
      guard best.likeness > 0.7 else { continue }
      anchors.append(.init(column: column, row: row, x: best.x, y: best.y))
      frame = ModuleFrame(anchors, stiffness: 1e4) ?? frame
    }
    // A piece of data can look like an alignment pattern: what lies a module off the rest is left out.
    let module = site.module
    let kept = anchors.filter { anchor in
      let point = frame.point(anchor.column, anchor.row)
      return anchor.weight > 1 || abs(point.x - anchor.x) + abs(point.y - anchor.y) < 0.8 * module
    }
    return (ModuleFrame(kept, stiffness: 1) ?? frame, side)
  }

  /// Places of the alignment patterns, in modules, from the upper left corner on: all that rows and columns of their centres make, but for
  /// the three where the finders are.
  private static func places(among centres: [Int], last: Int) -> [(column: Int, row: Int)] {
    var places: [(column: Int, row: Int)] = []
    for row in centres {
      for column in centres
      where !((row == 6 && (column == 6 || column == last)) || (row == last && column == 6)) {
        places.append((column, row))
      }
    }
    return places.sorted { $0.column + $0.row < $1.column + $1.row }
  }

  /// Share of the modules of both timing patterns that are as they must be, darker or lighter than the two
  /// beside them: near 1 in a symbol's frame, near a half anywhere else.
  func timing(_ frame: ModuleFrame, side: Int) -> Float {
    var right = 0
    let places = 8...side - 9
    for across in [true, false] {
      let line = (7...side - 8).map { k -> Float in
        let along = Float(k) + 0.5
        let point = across ? frame.point(along, 6.5) : frame.point(6.5, along)
        return picture.linear(point.x - 0.5, point.y - 0.5)
      }
      for k in places {
        let (value, beside) = (line[k - 7], (line[k - 8] + line[k - 6]) / 2)
        if k % 2 == 0 ? value < beside : value > beside { right += 1 }
      }
    }
    return Float(right) / Float(2 * places.count)
  }

  /// Dark 1, light -1: the pattern at three corners, without its separator.
  private static let finder = template(3)
  /// The pattern of one dark module in a light and a dark ring.
  private static let alignment = template(2)

  /// Rings around a middle module; the outermost is dark, the one within it light, all else dark.
  private static func template(_ radius: Int) -> (radius: Int, signs: [Float]) {
    let signs = (-radius...radius).flatMap { y in
      (-radius...radius).map { x -> Float in max(abs(x), abs(y)) == radius - 1 ? -1 : 1 }
    }
    let mean = signs.reduce(0, +) / Float(signs.count)
    return (radius, signs.map { $0 - mean })
  }

  /// The place near a module where the picture is most like a template.
  ///
  /// - Parameter within: Radius of the search, modules.
  /// - Returns: Pixels, and the correlation, 1 when perfect.
  private func match(
    _ template: (radius: Int, signs: [Float]), _ frame: ModuleFrame, _ column: Float, _ row: Float,
    within: Float
  ) -> (x: Float, y: Float, likeness: Float) {
    var best = (column: column, row: row, likeness: Float(-1))
    for step in [Float(0.5), 0.125] {
      let reach = step == 0.5 ? within : 0.375
      let (c, r) = (best.column, best.row)
      var dy = -reach
      while dy <= reach {
        var dx = -reach
        while dx <= reach {
          let likeness = likeness(template, frame, c + dx, r + dy)
          if likeness > best.likeness { best = (c + dx, r + dy, likeness) }
          dx += step
        }
        dy += step
      }
    }
    let point = frame.point(best.column, best.row)
    return (point.x, point.y, best.likeness)
  }

  private func likeness(
    _ template: (radius: Int, signs: [Float]), _ frame: ModuleFrame, _ column: Float, _ row: Float
  ) -> Float {
    var (sum, squares, product, weight) = (Float(0), Float(0), Float(0), Float(0))
    var k = 0
    for y in -template.radius...template.radius {
      for x in -template.radius...template.radius {
        let point = frame.point(column + Float(x), row + Float(y))
        let value = picture.linear(point.x - 0.5, point.y - 0.5)
        let sign = template.signs[k]
        sum += value
        squares += value * value
        product -= value * sign
        weight += sign * sign
        k += 1
      }
    }
    let variance = squares - sum * sum / Float(k)
    // Below a deviation of four steps of 255 there is nothing to see.
    return variance > 16 * Float(k) ? product / (variance * weight).squareRoot() : 0
  }

  /// The version a symbol says of itself; nil when neither copy can be read, or when it is too small to
  /// say.
  ///
  /// Where the bits lie depends on the version. So each version that the corners allow is asked for, there
  /// where it would stand, and the one that differs least from what is found is taken.
  private func version() -> Int? {
    let sizes = (7...40).filter { abs(Float(10 + 4 * $0) - site.span) < 0.2 * site.span }
    let differences = sizes.map { version in (version: version, bits: difference(version)) }
    guard let best = differences.min(by: { $0.bits < $1.bits }), best.bits <= 3 else { return nil }
    return best.version
  }

  /// Count of bits in which the better copy differs from a version's.
  private func difference(_ version: Int) -> Int {
    let side = Float(17 + 4 * version)
    let frame = ModuleFrame(site, span: side - 7)
    return [true, false].map { upright in
      let values = (0..<18).map { bit -> Float in
        // Bit k lies in column side - 11 + k mod 3 and row k / 3, and mirrored at the diagonal.
        let across = side - 11 + Float(bit % 3) + 0.5
        let down = Float(bit / 3) + 0.5
        let point = upright ? frame.point(across, down) : frame.point(down, across)
        return picture.linear(point.x - 0.5, point.y - 0.5)
      }
      let middle = (values.max()! + values.min()!) / 2
      let bits = values.indices.reduce(UInt32(0)) { $0 | (values[$1] < middle ? 1 << UInt32($1) : 0) }
      return (bits ^ VersionInformation.bits(version)).nonzeroBitCount
    }.min()!
  }
}
