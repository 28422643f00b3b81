import CPNG
import CTurboJPEG

/// Pictures in Portable Network Graphics (ISO/IEC 15948), through libpng's simplified interface.
enum PNGFile {
  /// Pixels of the largest picture: 600 dots per inch of A4 are 35 million.
  static let mostPixels = 40_000_000
  /// Bytes of all samples before they become grey. Inflating more than this takes longer than a reader
  /// waits.
  static let mostSampleBytes = 160_000_000

  /// The picture in grey; what is transparent is white.
  ///
  /// - Throws: ``PaperError``: `tooManyPixels` from the header alone; `damaged`.
  static func picture(_ bytes: [UInt8]) throws(PaperError) -> GreyPicture {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    var failure: PaperError?
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

  private static func damaged(_ image: png_image) -> PaperError {
    let reason = withUnsafeBytes(of: image.message) { message in
      String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
    }
    return .damaged(kind: "PNG", reason: reason)
  }
}

/// Photographs in JPEG (ISO/IEC 10918-1), through libjpeg-turbo.
enum JPEGFile {
  /// Pixels of the largest photograph. The decoder shrinks large ones while it reads them.
  static let mostPixels = 60_000_000
  /// Pixels wanted at most after shrinking: 4000 by 3000, a photograph of a telephone.
  private static let wantedPixels = 12_500_000
  /// Scans of a progressive photograph times pixels. Ten scans are usual; each visits the whole photograph.
  private static let mostScannedPixels = 600_000_000

  /// The photograph in grey, and whether the decoder found faults in it.
  ///
  /// - Throws: ``PaperError``: `tooManyPixels` from the header alone; `damaged`.
  static func picture(_ bytes: [UInt8]) throws(PaperError) -> (picture: GreyPicture, fault: PaperError?) {
    guard let decoder = tjInitDecompress() else {
      throw .damaged(kind: "JPEG", reason: "the decoder does not start")
    }
    defer { tjDestroy(decoder) }
    var (width, height, sampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard
      tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &colours) == 0,
      width > 0, height > 0
    else { throw damaged(decoder) }
    let pixels = Int(width) * Int(height)
    guard pixels <= mostPixels else {
      throw .tooManyPixels(width: Int(width), height: Int(height), atMost: mostPixels)
    }
    let scans = scans(bytes)
    guard pixels * scans <= mostScannedPixels || scans == 1 else {
      throw .damaged(kind: "JPEG", reason: "\(scans) scans; expected at most \(mostScannedPixels / pixels)")
    }
    // TJSCALED: the fractions 1/1, 1/2, 1/4 and 1/8 are those the inverse transform gives for nothing.
    var divisor: Int32 = 1
    while pixels / Int(divisor * divisor) > wantedPixels, divisor < 8 { divisor *= 2 }
    let (w, h) = ((width + divisor - 1) / divisor, (height + divisor - 1) / divisor)
    // The decoder makes no grey of four inks.
    let isInk = [TJCS_CMYK, TJCS_YCCK].contains { Int32($0.rawValue) == colours }
    let format = isInk ? TJPF_CMYK : TJPF_GRAY
    var samples = [UInt8](repeating: 255, count: Int(w) * Int(h) * (isInk ? 4 : 1))
    let result = tjDecompress2(
      decoder, bytes, UInt(bytes.count), &samples, w, 0, h, Int32(format.rawValue), TJFLAG_LIMITSCANS)
    let grey = isInk ? grey(ofInks: samples) : samples
    let picture = GreyPicture(width: Int(w), height: Int(h), pixels: grey)
    if result == 0 { return (picture, nil) }
    // A warning leaves the rest of the photograph in place: the code may be in it.
    guard tjGetErrorCode(decoder) == TJERR_WARNING.rawValue else { throw damaged(decoder) }
    return (picture, damaged(decoder))
  }

  /// Brightness of pixels in cyan, magenta, yellow and black, as Adobe's programs write them, and others after them: 255 is no ink.
  ///
  /// Ink takes light away: red is what cyan and black leave, and so on; brightness is their mean by the weights of ITU-R BT.601, as the
  /// decoder weighs them. An accurate colour takes the printer's profile; a code needs dark and light alone.
  private static func grey(ofInks samples: [UInt8]) -> [UInt8] {
    stride(from: 0, to: samples.count, by: 4).map { k in
      let colours =
        299 * UInt32(samples[k]) + 587 * UInt32(samples[k + 1]) + 114 * UInt32(samples[k + 2])
      return UInt8((colours * UInt32(samples[k + 3]) + 127_500) / 255_000)
    }
  }

  /// Count of scans: markers FF DA. In coded data FF is followed by 00, so only segments such as a
  /// thumbnail can add to the count.
  private static func scans(_ bytes: [UInt8]) -> Int {
    var count = 0
    for k in 1..<max(1, bytes.count) where bytes[k] == 0xDA && bytes[k - 1] == 0xFF { count += 1 }
    return max(1, count)
  }

  private static func damaged(_ decoder: tjhandle) -> PaperError {
    .damaged(kind: "JPEG", reason: String(cString: tjGetErrorStr2(decoder)))
  }
}
