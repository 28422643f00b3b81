/// Looks for finder patterns in a picture of ink.
struct FinderSearch {
  let picture: InkPicture

  /// Everything that looks like a finder pattern, those seen in most rows first.
  ///
  /// - Parameter atMost: Greatest count returned.
  func patterns(atMost: Int) -> [FinderPattern] {
    var found: [FinderPattern] = []
    var edges = [Int32](repeating: 0, count: picture.width + 2)
    picture.ink.withUnsafeBufferPointer { ink in
      for y in 0..<picture.height {
        let count = Self.edges(of: ink, row: y, width: picture.width, into: &edges)
        // Edges alternate: an even index begins ink, an odd one ends it.
        var k = 0
        while k + 5 < count {
          let start = Float(edges[k])
          let module = (Float(edges[k + 5]) - start) / 7
          let slack = module * 0.5 + 0.5
          if abs(Float(edges[k + 1]) - start - module) <= slack,
            abs(Float(edges[k + 2] - edges[k + 1]) - module) <= slack,
            abs(Float(edges[k + 3] - edges[k + 2]) - 3 * module) <= 1.5 * slack,
            abs(Float(edges[k + 4] - edges[k + 3]) - module) <= slack,
            abs(Float(edges[k + 5] - edges[k + 4]) - module) <= slack
          {
            let x = Float(edges[k + 2] + edges[k + 3]) / 2
            if let pattern = confirmed(x: x, y: Float(y) + 0.5, module: module) {
              Self.merge(pattern, into: &found)
            }
          }
          k += 2
        }
      }
    }
    // A single row is chance: the dark square in the middle alone is three modules high.
    return Array(found.filter { $0.rows >= 2 }.sorted { $0.rows > $1.rows }.prefix(atMost))
  }

  /// Writes the columns at which a row changes between light and dark, beginning with a change to dark.
  private static func edges(
    of ink: UnsafeBufferPointer<UInt8>, row: Int, width: Int, into edges: inout [Int32]
  ) -> Int {
    let start = row * width
    var count = 0
    var last: UInt8 = 0
    edges.withUnsafeMutableBufferPointer { edges in
      for x in 0..<width {
        let now = ink[start &+ x]
        if now != last {
          edges[count] = Int32(truncatingIfNeeded: x)
          count &+= 1
          last = now
        }
      }
      if last == 1 {
        edges[count] = Int32(truncatingIfNeeded: width)
        count &+= 1
      }
    }
    return count
  }

  /// Checks a suspect along the column, the row again, and both diagonals.
  private func confirmed(x: Float, y: Float, module: Float) -> FinderPattern? {
    let reach = module * 9
    guard let column = picture.crossing(x: x, y: y, dx: 0, dy: 1, reach: reach) else { return nil }
    guard column.module > module / 2.5, column.module < module * 2.5 else { return nil }
    let middle = y + column.offset
    guard let row = picture.crossing(x: x, y: middle, dx: 1, dy: 0, reach: reach) else { return nil }
    let centre = x + row.offset
    let half = Float(0.5).squareRoot()
    guard picture.crossing(x: centre, y: middle, dx: half, dy: half, reach: reach * 1.5) != nil,
      picture.crossing(x: centre, y: middle, dx: half, dy: -half, reach: reach * 1.5) != nil
    else { return nil }
    return FinderPattern(
      x: centre, y: middle, module: (row.module * column.module).squareRoot(), rows: 1)
  }

  /// Adds a sighting to the pattern it belongs to, or begins a new one.
  private static func merge(_ pattern: FinderPattern, into found: inout [FinderPattern]) {
    for k in found.indices.reversed() {
      let near = 2.5 * max(found[k].module, pattern.module)
      guard abs(found[k].x - pattern.x) < near, abs(found[k].y - pattern.y) < near else { continue }
      let n = Float(found[k].rows)
      found[k].x = (found[k].x * n + pattern.x) / (n + 1)
      found[k].y = (found[k].y * n + pattern.y) / (n + 1)
      found[k].module = (found[k].module * n + pattern.module) / (n + 1)
      found[k].rows += 1
      return
    }
    // A picture made of nothing but finder patterns must not make the search slow.
    if found.count < 1000 { found.append(pattern) }
  }
}

extension InkPicture {
  /// Follows a line both ways from a point in the middle square of a finder pattern through gap and ring.
  ///
  /// - Parameters:
  ///   - x: Pixels.
  ///   - y: Pixels.
  ///   - dx: With `dy` the direction, of length 1.
  ///   - dy: With `dx` the direction.
  ///   - reach: Greatest distance of the ring's end from the point, pixels.
  ///
  /// - Returns: Distance of the middle from the point, and the width of a module along the line; nil when
  ///   the runs are not as 1 : 1 : 3 : 1 : 1.
  func crossing(
    x: Float, y: Float, dx: Float, dy: Float, reach: Float
  ) -> (offset: Float, module: Float)? {
    // Distances at which the line leaves middle, gap and ring, forwards and backwards.
    var ends: (Float, Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0, 0)
    for direction in [Float(1), -1] {
      var wanted: UInt8 = 1
      var stage = 0
      var distance: Float = 0
      while stage < 3 {
        let px = Int((x + direction * distance * dx).rounded(.down))
        let py = Int((y + direction * distance * dy).rounded(.down))
        let inside = px >= 0 && py >= 0 && px < width && py < height
        // Beyond the edge of the picture all counts as light, which ends the ring.
        let value = inside ? ink[py &* width &+ px] : 0
        if value != wanted {
          if !inside && stage < 2 { return nil }
          switch (direction > 0, stage) {
          case (true, 0): ends.0 = distance
          case (true, 1): ends.1 = distance
          case (true, _): ends.2 = distance
          case (false, 0): ends.3 = distance
          case (false, 1): ends.4 = distance
          case (false, _): ends.5 = distance
          }
          stage += 1
          wanted = 1 - wanted
        }
        distance += 0.5
        if distance > reach { return nil }
      }
    }
    let module = (ends.2 + ends.5) / 7
    let slack = module * 0.5 + 0.5
    guard abs(ends.0 + ends.3 - 3 * module) <= 1.5 * slack,
      abs(ends.1 - ends.0 - module) <= slack, abs(ends.2 - ends.1 - module) <= slack,
      abs(ends.4 - ends.3 - module) <= slack, abs(ends.5 - ends.4 - module) <= slack
    else { return nil }
    return ((ends.2 + ends.1 + ends.0 - ends.3 - ends.4 - ends.5) / 6, module)
  }
}
