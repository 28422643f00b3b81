/// Brightness of every pixel of a picture, row by row from the top, 0 (black) to 255 (white).
public struct GreyPicture: Sendable, Equatable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Brightness, `width * height` values.
  public internal(set) var pixels: [UInt8]

  /// Takes pixels as they are.
  ///
  /// - Parameters:
  ///   - width: Pixels in a row, at least 1.
  ///   - height: Rows, at least 1.
  ///   - pixels: `width * height` values.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(
      width > 0 && height > 0 && pixels.count == width * height, "pixels do not fill the picture")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// A picture of one brightness.
  public init(width: Int, height: Int, brightness: UInt8) {
    self.init(width: width, height: height, pixels: [UInt8](repeating: brightness, count: width * height))
  }

  /// Brightness at a column and a row.
  public subscript(x: Int, y: Int) -> UInt8 {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }
}
