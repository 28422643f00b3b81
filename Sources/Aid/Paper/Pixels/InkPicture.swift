/// Dark pixels of a picture, judged against their surroundings.
struct InkPicture {
  let width: Int
  let height: Int
  /// 1 where dark, 0 where light, row by row.
  let ink: [UInt8]

  /// Compares each pixel with the mean brightness of a square around it.
  ///
  /// A page's brightness changes slowly (shadows, dim light), so only the surroundings say what is ink. A
  /// pixel must be darker than the mean by a share of it, so that an even area is light in spite of its
  /// noise.
  ///
  /// - Parameters:
  ///   - picture: At least one pixel; less than 2²⁴ of them, so that sums fit 32 bits.
  ///   - radius: Half the square's side, pixels. It must be larger than the largest dark area wanted.
  ///   - share: Share by which ink is darker than the mean, 0 to 1.
  init(_ picture: GreyPicture, radius: Int, share: Float = 0.06) {
    let width = picture.width
    let height = picture.height
    var ink = [UInt8](repeating: 0, count: width * height)
    // Sum of a column's pixels in the rows around the present one, kept up to date row by row.
    var columns = [Int32](repeating: 0, count: width)
    var running = [Int32](repeating: 0, count: width + 1)
    picture.pixels.withUnsafeBufferPointer { pixels in
      ink.withUnsafeMutableBufferPointer { ink in
        columns.withUnsafeMutableBufferPointer { columns in
          running.withUnsafeMutableBufferPointer { running in
            for y in 0..<min(radius, height) {
              for x in 0..<width { columns[x] &+= Int32(pixels[y &* width &+ x]) }
            }
            for y in 0..<height {
              if y &+ radius < height {
                let row = (y &+ radius) &* width
                for x in 0..<width { columns[x] &+= Int32(pixels[row &+ x]) }
              }
              if y > radius {
                let row = (y &- radius &- 1) &* width
                for x in 0..<width { columns[x] &-= Int32(pixels[row &+ x]) }
              }
              let rows = min(height, y + radius + 1) - max(0, y - radius)
              var sum: Int32 = 0
              for x in 0..<width {
                running[x] = sum
                sum &+= columns[x]
              }
              running[width] = sum
              let row = y &* width
              let scale = (1 - share) / Float(rows)
              for x in 0..<width {
                let left = max(0, x &- radius)
                let right = min(width, x &+ radius &+ 1)
                let mean = Float(running[right] &- running[left]) * scale
                ink[row &+ x] = Float(pixels[row &+ x]) * Float(right &- left) < mean ? 1 : 0
              }
            }
          }
        }
      }
    }
    self.width = width
    self.height = height
    self.ink = ink
  }
}
