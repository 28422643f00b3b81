/// Places of a symbol's modules in a picture: a plane seen by a camera, a projective map.
struct ModuleFrame {
  /// x = (a·c + b·r + d) / (1 + g·c + h·r) and y = (e·c + f·r + k) / (1 + g·c + h·r) for column c and row
  /// r, in the order a b d e f k g h.
  private var m: [Float]

  /// A known pair: modules right of and below the top left corner, and pixels in the picture.
  struct Anchor {
    let column: Float
    let row: Float
    let x: Float
    let y: Float
    /// Weight in the fit.
    var weight: Float = 1
  }

  /// The frame in which three corners lie, without perspective.
  init(_ site: SymbolSite, span: Float) {
    let (a, b, c) = (site.corner, site.right, site.below)
    let dx = (x: (b.x - a.x) / span, y: (b.y - a.y) / span)
    let dy = (x: (c.x - a.x) / span, y: (c.y - a.y) / span)
    m = [
      dx.x, dy.x, a.x - 3.5 * (dx.x + dy.x), dx.y, dy.y, a.y - 3.5 * (dx.y + dy.y), 0, 0,
    ]
  }

  /// The frame that fits anchors best, by least squares of the linear form x·(1 + g·c + h·r) = a·c + b·r +
  /// d.
  ///
  /// - Parameters:
  ///   - anchors: At least three, not in a line.
  ///   - stiffness: Weight with which perspective is held at zero while few anchors show one.
  init?(_ anchors: [Anchor], stiffness: Float) {
    // Normal equations in double precision: squares of products of pixels and modules.
    var n = [[Double]](repeating: [Double](repeating: 0, count: 9), count: 8)
    for anchor in anchors {
      let (c, r) = (Double(anchor.column), Double(anchor.row))
      let (x, y) = (Double(anchor.x), Double(anchor.y))
      let rows: [[Double]] = [
        [c, r, 1, 0, 0, 0, -x * c, -x * r, x], [0, 0, 0, c, r, 1, -y * c, -y * r, y],
      ]
      for row in rows {
        for i in 0..<8 where row[i] != 0 {
          for j in 0..<9 { n[i][j] += Double(anchor.weight) * row[i] * row[j] }
        }
      }
    }
    for i in 6..<8 { n[i][i] += Double(stiffness) }
    for i in 0..<8 {
      guard let pivot = (i..<8).max(by: { abs(n[$0][i]) < abs(n[$1][i]) }), abs(n[pivot][i]) > 1e-9 else {
        return nil
      }
      n.swapAt(i, pivot)
      for j in 0..<8 where j != i {
        let factor = n[j][i] / n[i][i]
        if factor == 0 { continue }
        for k in i..<9 { n[j][k] -= factor * n[i][k] }
      }
    }
    m = (0..<8).map { Float(n[$0][8] / n[$0][$0]) }
  }

  /// A point of the picture, pixels, from modules right of and below the symbol's top left corner.
  @inline(__always)
  func point(_ column: Float, _ row: Float) -> (x: Float, y: Float) {
    let w = 1 / max(0.05, 1 + m[6] * column + m[7] * row)
    return ((m[0] * column + m[1] * row + m[2]) * w, (m[3] * column + m[4] * row + m[5]) * w)
  }
}

extension GreyPicture {
  /// A symbol as if seen upright and flat: every module `scale` pixels wide.
  ///
  /// - Parameters:
  ///   - frame: Places of its modules.
  ///   - side: Modules along its side.
  ///   - scale: Pixels to a module in the result.
  ///   - margin: Modules shown around the symbol.
  func upright(_ frame: ModuleFrame, side: Int, scale: Int, margin: Int) -> FlatPicture {
    let width = (side + 2 * margin) * scale
    var result = [Float](repeating: 0, count: width * width)
    let step = 1 / Float(scale)
    result.withUnsafeMutableBufferPointer { result in
      pixels.withUnsafeBufferPointer { pixels in
        for v in 0..<width {
          let row = (Float(v) + 0.5) * step - Float(margin)
          for u in 0..<width {
            // Pixel centres lie at halves.
            let point = frame.point((Float(u) + 0.5) * step - Float(margin), row)
            result[v &* width &+ u] = Self.cubic(
              pixels, self.width, height, Self.clamped(point.x - 0.5, self.width),
              Self.clamped(point.y - 0.5, height))
          }
        }
      }
    }
    return FlatPicture(width: width, height: width, values: result)
  }
}
