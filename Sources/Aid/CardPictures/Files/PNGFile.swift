import CPNG

/// Pictures in Portable Network Graphics (ISO/IEC 15948), through libpng's simplified interface.
enum PNGFile {
  /// Pixels of the largest picture: 600 dots per inch of A4 are 35 million.
  static let mostPixels = 40_000_000
  /// Bytes of all samples before they become grey. Inflating more than this takes longer than a reader waits.
  static let mostSampleBytes = 160_000_000

  /// The picture in grey; what is transparent is white.
  ///
  /// - Throws: ``PictureReadingError``: `tooManyPixels` from the header alone; `damaged`.
  static func picture(_ bytes: [UInt8]) throws(PictureReadingError) -> GreyPicture {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    var failure: PictureReadingError?
    var picture: GreyPicture?
    bytes.withUnsafeBytes { source in
      guard png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0 else {
        failure = damaged(image)
        return
      }
      let (width, height) = (Int(image.width), Int(image.height))
      let format = image.format
      let mapped = format & UInt32(PNG_FORMAT_FLAG_COLORMAP) != 0
      let colours = !mapped && format & UInt32(PNG_FORMAT_FLAG_COLOR) != 0 ? 3 : 1
      let samples = colours + (!mapped && format & UInt32(PNG_FORMAT_FLAG_ALPHA) != 0 ? 1 : 0)
      let size = format & UInt32(PNG_FORMAT_FLAG_LINEAR) != 0 ? 2 : 1
      guard width > 0, height > 0, width * height <= mostPixels,
        width * height * samples * size <= mostSampleBytes
      else {
        let most = min(mostPixels, mostSampleBytes / (samples * size))
        failure = .tooManyPixels(width: width, height: height, atMost: most)
        return
      }
      // PNG_FORMAT_GRAY: one byte of brightness, no flag set.
      image.format = 0
      var background = png_color(red: 255, green: 255, blue: 255)
      var pixels = [UInt8](repeating: 255, count: width * height)
      guard png_image_finish_read(&image, &background, &pixels, png_int_32(width), nil) != 0 else {
        failure = damaged(image)
        return
      }
      picture = GreyPicture(width: width, height: height, pixels: pixels)
    }
    if let failure { throw failure }
    return picture!
  }

  private static func damaged(_ image: png_image) -> PictureReadingError {
    let reason = withUnsafeBytes(of: image.message) { message in
      String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
    }
    return .damaged(kind: "PNG", reason: reason)
  }
}
