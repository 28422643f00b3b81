import CTurboJPEG

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
  /// - Throws: ``PictureReadingError``: `tooManyPixels` from the header alone; `damaged`.
  static func picture(
    _ bytes: [UInt8]
  ) throws(PictureReadingError) -> (picture: GreyPicture, fault: PictureReadingError?) {
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
    var grey = [UInt8](repeating: 255, count: Int(w) * Int(h))
    let result = tjDecompress2(
      decoder, bytes, UInt(bytes.count), &grey, w, 0, h, Int32(TJPF_GRAY.rawValue), TJFLAG_LIMITSCANS)
    let picture = GreyPicture(width: Int(w), height: Int(h), pixels: grey)
    if result == 0 { return (picture, nil) }
    // A warning leaves the rest of the photograph in place: the code may be in it.
    guard tjGetErrorCode(decoder) == TJERR_WARNING.rawValue else { throw damaged(decoder) }
    return (picture, damaged(decoder))
  }

  /// How many scans follow: markers FF DA. In coded data FF is followed by 00, so only segments such as a
  /// thumbnail can add to the count.
  private static func scans(_ bytes: [UInt8]) -> Int {
    var count = 0
    for k in 1..<max(1, bytes.count) where bytes[k] == 0xDA && bytes[k - 1] == 0xFF { count += 1 }
    return max(1, count)
  }

  private static func damaged(_ decoder: tjhandle) -> PictureReadingError {
    .damaged(kind: "JPEG", reason: String(cString: tjGetErrorStr2(decoder)))
  }
}
