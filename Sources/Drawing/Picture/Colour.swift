import Glibc

/// An sRGB colour, each part 0…1.
struct Colour: Equatable, Sendable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha = 1.0

  /// - Parameter hex: 0xRRGGBB as style sheets write it.
  init(hex: UInt32, alpha: Double = 1) {
    red = Double(hex >> 16 & 0xFF) / 255
    green = Double(hex >> 8 & 0xFF) / 255
    blue = Double(hex & 0xFF) / 255
    self.alpha = alpha
  }

  /// Relative luminance, 0 black … 1 white (WCAG 2.1, "relative luminance").
  var luminance: Double {
    func linear(_ part: Double) -> Double {
      part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
