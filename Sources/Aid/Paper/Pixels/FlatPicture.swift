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
            let from = min(max(y + k, 0), height - 1) &* width
            Self.add(weights[abs(k)], source, from, to: between, y &* width, count: width)
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
              let from = row &+ first &+ k
              Self.add(w, UnsafeBufferPointer(between), from, to: result, row &+ first, count: last - first)
              for x in last..<width { result[row &+ x] += w * between[row &+ width &- 1] }
            }
          }
        }
      }
    }
    return FlatPicture(width: width, height: height, values: result)
  }

  /// Adds `count` values with a weight to others, eight at a time.
  private static func add(
    _ weight: Float, _ source: UnsafeBufferPointer<Float>, _ from: Int,
    to sum: UnsafeMutableBufferPointer<Float>, _ start: Int, count: Int
  ) {
    guard count > 0 else { return }
    let source = UnsafeBufferPointer(rebasing: source[from..<from + count])
    let sum = UnsafeMutableBufferPointer(rebasing: sum[start..<start + count])
    let (input, output) = (UnsafeRawBufferPointer(source), UnsafeMutableRawBufferPointer(sum))
    let whole = count & ~7
    for offset in stride(
      from: 0, to: whole * MemoryLayout<Float>.stride, by: MemoryLayout<SIMD8<Float>>.stride)
    {
      let eight = output.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let more = weight * input.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      output.storeBytes(of: eight + more, toByteOffset: offset, as: SIMD8<Float>.self)
    }
    for index in whole..<count { sum[index] += weight * source[index] }
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
