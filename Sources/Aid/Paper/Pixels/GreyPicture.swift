import Glibc

/// Brightness of every pixel of a picture, row by row from the top, 0 (black) to 255 (white).
package struct GreyPicture: Sendable, Equatable {
  /// Pixels in a row.
  package let width: Int
  /// Rows.
  package let height: Int
  /// Brightness, `width * height` values.
  package internal(set) var pixels: [UInt8]

  /// Takes pixels as they are.
  ///
  /// - Parameters:
  ///   - width: Pixels in a row, at least 1.
  ///   - height: Rows, at least 1.
  ///   - pixels: `width * height` values.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(
      width > 0 && height > 0 && pixels.count == width * height, "pixels do not fill the picture")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// A picture of one brightness.
  package init(width: Int, height: Int, brightness: UInt8) {
    self.init(width: width, height: height, pixels: [UInt8](repeating: brightness, count: width * height))
  }

  /// Brightness at a column and a row.
  package subscript(x: Int, y: Int) -> UInt8 {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }
}

extension GreyPicture {
  /// The picture with each square of pixels replaced by its mean. Pixels at the right and lower edge that
  /// fill no square are left out.
  ///
  /// - Parameter factor: Pixels along a square, at most the picture's shorter side.
  func reduced(by factor: Int) -> GreyPicture {
    guard factor > 1 else { return self }
    let (w, h) = (width / factor, height / factor)
    var result = [UInt8](repeating: 0, count: w * h)
    var sums = [UInt32](repeating: 0, count: w)
    let area = UInt32(factor * factor)
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<h {
        for x in 0..<w { sums[x] = area / 2 }
        for row in 0..<factor {
          var k = (y * factor + row) * width
          for x in 0..<w {
            var sum: UInt32 = 0
            for _ in 0..<factor {
              sum &+= UInt32(pixels[k])
              k &+= 1
            }
            sums[x] &+= sum
          }
        }
        for x in 0..<w { result[y * w + x] = UInt8(sums[x] / area) }
      }
    }
    return GreyPicture(width: w, height: h, pixels: result)
  }

  /// The picture twice as wide and high, by the cubic of Catmull and Rom.
  var enlarged: GreyPicture {
    let (w, h) = (2 * width, 2 * height)
    var result = GreyPicture(width: w, height: h, brightness: 0)
    result.pixels.withUnsafeMutableBufferPointer { result in
      pixels.withUnsafeBufferPointer { pixels in
        for y in 0..<h {
          for x in 0..<w {
            let value = Self.cubic(pixels, width, height, Float(x) / 2 - 0.25, Float(y) / 2 - 0.25)
            result[y &* w &+ x] = UInt8(max(0, min(255, value)).rounded())
          }
        }
      }
    }
    return result
  }

  /// Light where the picture is dark.
  var inverted: GreyPicture {
    GreyPicture(width: width, height: height, pixels: pixels.map { 255 - $0 })
  }
}

extension GreyPicture {
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
  static func clamped(_ x: Float, _ length: Int) -> Float {
    x > -4 ? min(x, Float(length + 4)) : -4
  }

  /// Brightness between pixels, by the cubic of Catmull and Rom (1974): it passes through the pixels and
  /// has no more than a sharp edge's own overshoot. Beyond the edge the edge's pixels continue.
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
