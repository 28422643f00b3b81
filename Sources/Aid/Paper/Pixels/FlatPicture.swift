import Glibc

/// Brightness with fractions and beyond black and white, as filters make it.
struct FlatPicture {
  let width: Int
  let height: Int
  var values: [Float]

  /// The picture smoothed by a Gaussian.
  ///
  /// - Parameter sigma: Standard deviation, pixels.
  func smoothed(_ sigma: Float) -> FlatPicture {
    let radius = max(1, Int((3 * sigma).rounded(.up)))
    var weights = (0...radius).map { (k: Int) -> Float in
      let d = Float(k) / sigma
      return exp(-0.5 * d * d)
    }
    let total = weights[0] + 2 * weights.dropFirst().reduce(0, +)
    weights = weights.map { $0 / total }
    var between = [Float](repeating: 0, count: values.count)
    var result = between
    let (width, height) = (width, height)
    values.withUnsafeBufferPointer { source in
      between.withUnsafeMutableBufferPointer { between in
        // Down the columns: whole rows at once.
        for y in 0..<height {
          for k in -radius...radius {
            let w = weights[abs(k)]
            let from = min(max(y + k, 0), height - 1) &* width
            let to = y &* width
            for x in 0..<width { between[to &+ x] += w * source[from &+ x] }
          }
        }
        result.withUnsafeMutableBufferPointer { result in
          for y in 0..<height {
            let row = y &* width
            for k in -radius...radius {
              let w = weights[abs(k)]
              let first = min(width, max(0, -k))
              let last = max(first, min(width, width - k))
              for x in 0..<first { result[row &+ x] += w * between[row] }
              for x in first..<last { result[row &+ x] += w * between[row &+ x &+ k] }
              for x in last..<width { result[row &+ x] += w * between[row &+ width &- 1] }
            }
          }
        }
      }
    }
    return FlatPicture(width: width, height: height, values: result)
  }

  /// The picture with what a Gaussian takes away added again, `gain` times (unsharp mask).
  func sharpened(sigma: Float, gain: Float) -> FlatPicture {
    var soft = smoothed(sigma)
    for k in values.indices { soft.values[k] = values[k] + gain * (values[k] - soft.values[k]) }
    return soft
  }

  /// Rounded to 0 to 255.
  var grey: GreyPicture {
    GreyPicture(
      width: width, height: height, pixels: values.map { UInt8(max(0, min(255, $0)).rounded()) })
  }
}

extension GreyPicture {
  /// The same picture, ready for filters.
  var flat: FlatPicture { FlatPicture(width: width, height: height, values: pixels.map(Float.init)) }
}
