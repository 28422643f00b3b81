import Base
import Glibc
import Paper

/// A plane seen by a camera: where in the original a pixel of the result lies, as a projective map.
struct Projection {
  /// Rows of the 3 by 3 matrix from result to original.
  var m: [Float]

  func point(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    let w = m[6] * x + m[7] * y + m[8]
    return ((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
  }
}

extension GreyPicture {
  /// The picture turned about its middle; the result holds all of it, and white around it.
  func turned(degrees: Float) -> GreyPicture {
    let angle = degrees * .pi / 180
    let (c, s) = (cos(angle), sin(angle))
    let w = Int((abs(c) * Float(width) + abs(s) * Float(height)).rounded(.up))
    let h = Int((abs(s) * Float(width) + abs(c) * Float(height)).rounded(.up))
    let (ox, oy) = (Float(width) / 2, Float(height) / 2)
    let (rx, ry) = (Float(w) / 2, Float(h) / 2)
    return mapped(
      width: w, height: h,
      Projection(m: [c, s, ox - c * rx - s * ry, -s, c, oy + s * rx - c * ry, 0, 0, 1]))
  }

  /// The picture sheared: rows shifted by the tangent of an angle.
  func sheared(degrees: Float) -> GreyPicture {
    let t = tan(degrees * .pi / 180)
    let extra = abs(t) * Float(height)
    return mapped(
      width: width + Int(extra), height: height,
      Projection(m: [1, t, t > 0 ? -extra : 0, 0, 1, 0, 0, 0, 1]))
  }

  /// The picture seen from aside, by a camera one and a half page heights away.
  ///
  /// - Parameters:
  ///   - degrees: Angle between the line of sight and the page's normal.
  ///   - direction: Towards which side of the page the camera stands, degrees.
  func seen(degrees: Float, direction: Float) -> GreyPicture {
    let (tilt, axis) = (degrees * .pi / 180, direction * .pi / 180)
    let distance = 1.5 * Float(height)
    // Along the direction the page recedes: a point u on it is seen at u cos t, at depth distance + u sin t.
    let (c, s, k) = (cos(axis), sin(axis), sin(tilt) / distance)
    let (ox, oy) = (Float(width) / 2, Float(height) / 2)
    // Inverse: seen u' = u cos t / (1 + u k), v' = v / (1 + u k); so u = u' / (cos t - u' k).
    let turn = [c, s, -c * ox - s * oy, -s, c, s * ox - c * oy, 0, 0, 1]
    let tiltBack = [1, 0, 0, 0, cos(tilt), 0, -k, 0, cos(tilt)]
    let back = [c, -s, ox, s, c, oy, 0, 0, 1]
    func product(_ a: [Float], _ b: [Float]) -> [Float] {
      (0..<9).map { i in (0..<3).reduce(0) { $0 + a[i / 3 * 3 + $1] * b[$1 * 3 + i % 3] } }
    }
    return mapped(
      width: width, height: height, Projection(m: product(back, product(tiltBack, turn))))
  }

  /// The picture smoothed by a Gaussian.
  ///
  /// - Parameter sigma: Standard deviation, pixels.
  func blurred(sigma: Float) -> GreyPicture {
    let radius = Int((4 * sigma).rounded(.up))
    var weights = (-radius...radius).map { exp(-Float($0 * $0) / (2 * sigma * sigma)) }
    let total = weights.reduce(0, +)
    weights = weights.map { $0 / total }
    var rows = [Float](repeating: 0, count: width * height)
    var result = self
    for y in 0..<height {
      for k in -radius...radius {
        let w = weights[k + radius]
        let from = min(max(y + k, 0), height - 1) * width
        for x in 0..<width { rows[y * width + x] += w * Float(pixels[from + x]) }
      }
    }
    var line = [Float](repeating: 0, count: width)
    for y in 0..<height {
      for x in 0..<width { line[x] = 0 }
      for k in -radius...radius {
        let w = weights[k + radius]
        for x in 0..<width { line[x] += w * rows[y * width + min(max(x + k, 0), width - 1)] }
      }
      for x in 0..<width { result[x, y] = UInt8(max(0, min(255, line[x])).rounded()) }
    }
    return result
  }

  /// The picture with normally distributed noise, independent in each pixel.
  ///
  /// - Parameter sigma: Standard deviation, steps of 255.
  func noisy(sigma: Float, dice: inout SeededNumbers) -> GreyPicture {
    GreyPicture(
      width: width, height: height,
      pixels: pixels.map { UInt8(max(0, min(255, Float($0) + sigma * dice.normal())).rounded()) })
  }

  /// The picture with all brightness multiplied.
  func dimmed(_ factor: Float) -> GreyPicture {
    GreyPicture(width: width, height: height, pixels: pixels.map { UInt8((Float($0) * factor).rounded()) })
  }

  /// The picture through a projection, by bicubic interpolation; white around it.
  func mapped(width: Int, height: Int, _ projection: Projection) -> GreyPicture {
    var result = GreyPicture(width: width, height: height, brightness: 255)
    for y in 0..<height {
      for x in 0..<width {
        let point = projection.point(Float(x) + 0.5, Float(y) + 0.5)
        result[x, y] = sample(point.x - 0.5, point.y - 0.5)
      }
    }
    return result
  }

  private func sample(_ x: Float, _ y: Float) -> UInt8 {
    guard x > 1, y > 1, x < Float(width - 3), y < Float(height - 3) else { return 255 }
    let (left, top) = (Int(x), Int(y))
    func weights(_ t: Float) -> SIMD4<Float> {
      let (t2, t3) = (t * t, t * t * t)
      return SIMD4(
        -0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t,
        0.5 * t3 - 0.5 * t2)
    }
    let (wx, wy) = (weights(x - Float(left)), weights(y - Float(top)))
    var sum: Float = 0
    for row in 0..<4 {
      let k = (top - 1 + row) * width + left - 1
      let four = SIMD4(
        Float(pixels[k]), Float(pixels[k + 1]), Float(pixels[k + 2]), Float(pixels[k + 3]))
      sum += wy[row] * (four * wx).sum()
    }
    return UInt8(max(0, min(255, sum)).rounded())
  }
}
