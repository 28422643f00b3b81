extension GreyPicture {
  /// A symbol as if seen upright and flat: every module `scale` pixels wide.
  ///
  /// - Parameters:
  ///   - frame: Where its modules lie.
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

  /// Brightness between pixels, by their weighted mean. Beyond the edge the edge's pixels continue.
  @inline(__always)
  func linear(_ x: Float, _ y: Float) -> Float {
    // In this form what is not a number becomes 0, which can be an index.
    let x = x > 0 ? min(x, Float(width - 1)) : 0
    let y = y > 0 ? min(y, Float(height - 1)) : 0
    let (left, top) = (Int(x), Int(y))
    let (fx, fy) = (x - Float(left), y - Float(top))
    let right = min(left + 1, width - 1)
    let (r0, r1) = (top * width, min(top + 1, height - 1) * width)
    return (Float(pixels[r0 + left]) * (1 - fx) + Float(pixels[r0 + right]) * fx) * (1 - fy)
      + (Float(pixels[r1 + left]) * (1 - fx) + Float(pixels[r1 + right]) * fx) * fy
  }

  /// A coordinate kept near the picture, so that it can be rounded to an integer.
  @inline(__always)
  private static func clamped(_ x: Float, _ length: Int) -> Float {
    x > -4 ? min(x, Float(length + 4)) : -4
  }

  /// Brightness between pixels, by the cubic of Catmull and Rom (1974): it passes through the pixels and has
  /// no more than a sharp edge's own overshoot. Beyond the edge the edge's pixels continue.
  @inline(__always)
  static func cubic(
    _ pixels: UnsafeBufferPointer<UInt8>, _ width: Int, _ height: Int, _ x: Float, _ y: Float
  ) -> Float {
    let left = Int(x.rounded(.down))
    let top = Int(y.rounded(.down))
    let wx = weights(x - Float(left))
    let wy = weights(y - Float(top))
    if left >= 1, top >= 1, left &+ 2 < width, top &+ 2 < height {
      var k = (top &- 1) &* width &+ left &- 1
      var sum = SIMD4<Float>(repeating: 0)
      for row in 0..<4 {
        let four = SIMD4<Float>(
          Float(pixels[k]), Float(pixels[k &+ 1]), Float(pixels[k &+ 2]), Float(pixels[k &+ 3]))
        sum += four * wy[row]
        k &+= width
      }
      return (sum * wx).sum()
    }
    var sum: Float = 0
    for row in 0..<4 {
      let r = min(max(top + row - 1, 0), height - 1) * width
      for column in 0..<4 {
        sum += wy[row] * wx[column] * Float(pixels[r + min(max(left + column - 1, 0), width - 1)])
      }
    }
    return sum
  }

  @inline(__always)
  private static func weights(_ t: Float) -> SIMD4<Float> {
    let t2 = t * t
    let t3 = t2 * t
    return SIMD4(
      -0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2)
  }
}
