extension Picture {
  /// Width of a PNG when none is asked for, pixels: A4 at 194 dots per inch, wider than most windows.
  package static let standardPixelWidth = 1600
  /// Greatest side of a PNG, pixels: the limit of Cairo's image surfaces.
  package static let greatestPixelSide = 32_767

  /// The file's bytes.
  ///
  /// - Parameters:
  ///   - format: Kind of file.
  ///   - pixelWidth: Width of a PNG, 1…32767 pixels; no effect on SVG and PDF, which have no pixels.
  /// - Throws: ``PictureError/rendering(reason:)``.
  /// - Threads: any but audio.
  package func encoded(
    as format: PictureFormat, pixelWidth: Int = standardPixelWidth
  ) throws(PictureError) -> [UInt8] {
    if format == .png {
      let pixelHeight = (Double(pixelWidth) * height / width).rounded()
      guard pixelWidth >= 1, pixelHeight >= 1, pixelWidth <= Self.greatestPixelSide,
        pixelHeight <= Double(Self.greatestPixelSide)
      else {
        throw .rendering(reason: "a picture of \(pixelWidth) × \(Int(pixelHeight)) pixels")
      }
    }
    return try Canvas(self, format: format, pixelWidth: pixelWidth).finish()
  }

  /// Writes the picture to a file, whole or not at all.
  ///
  /// - Parameters:
  ///   - path: Replaced if it exists.
  ///   - format: Kind of file; by the path's ending when nil.
  ///   - pixelWidth: Width of a PNG, 1…32767 pixels.
  ///   - isPrivate: Readable by its owner alone (0600), as health data should be.
  /// - Throws: ``PictureError``: an unknown ending, a folder that is missing or closed, a full disk. An
  ///   older file of that name is then still there, unchanged.
  /// - Threads: any but audio.
  package func write(
    to path: String, as format: PictureFormat? = nil, pixelWidth: Int = standardPixelWidth,
    isPrivate: Bool = false
  ) throws(PictureError) {
    guard let format = format ?? PictureFormat(path: path) else { throw .unknownFormat(path: path) }
    let bytes = try encoded(as: format, pixelWidth: pixelWidth)
    try PictureFormat.write(bytes, to: path, isPrivate: isPrivate)
  }
}
