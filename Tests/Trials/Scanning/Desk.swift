import Base
import CTurboJPEG
import Paper

/// A desk of coloured wood with a page on it, photographed.
enum Desk {
  /// A JPEG file of quality 85 in colour: the page, a little turned, on a brown, red, blue or green desk with grain.
  static func photograph(of page: GreyPicture, dice: inout SeededNumbers) -> [UInt8] {
    let grounds: [[Float]] = [[150, 95, 50], [160, 50, 45], [50, 80, 150], [60, 120, 70]]
    let ground = grounds.randomElement(using: &dice)!
    let degrees = dice.even(-10...10)
    let sheet = page.turned(degrees: degrees)
    // The same for a page of ones tells where the page lies.
    let mask = GreyPicture(width: page.width, height: page.height, brightness: 0).turned(degrees: degrees)
    let edge = 120
    let (width, height) = (sheet.width + 2 * edge, sheet.height + 2 * edge)
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    var grain = [Float](repeating: 0, count: height)
    for y in 1..<height { grain[y] = 0.9 * grain[y - 1] + 8 * dice.normal() }
    for y in 0..<height {
      for x in 0..<width {
        let (sx, sy) = (x - edge, y - edge)
        let inside = sx >= 0 && sy >= 0 && sx < sheet.width && sy < sheet.height
        let cover = inside ? 1 - Float(mask[sx, sy]) / 255 : 0
        for colour in 0..<3 {
          let wood = ground[colour] + grain[y] + dice.even(-6...6)
          // Warm light: white paper is a little yellow.
          let paper = inside ? Float(sheet[sx, sy]) * [1, 0.96, 0.86][colour] : 0
          pixels[3 * (y * width + x) + colour] = UInt8(max(0, min(255, cover * paper + (1 - cover) * wood)))
        }
      }
    }
    let encoder = tjInitCompress()
    defer { tjDestroy(encoder) }
    var bytes: UnsafeMutablePointer<UInt8>?
    defer { tjFree(bytes) }
    var size: UInt = 0
    tjCompress2(
      encoder, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &bytes, &size,
      Int32(TJSAMP_420.rawValue), 85, 0)
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }
}
