extension GreyPicture {
  /// The picture with each square of pixels replaced by its mean. Pixels at the right and lower edge that fill
  /// no square are left out.
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
