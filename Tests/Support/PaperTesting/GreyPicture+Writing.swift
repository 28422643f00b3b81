import CPNG
import CTurboJPEG
import Paper

extension GreyPicture {
  /// The picture as a PNG file, without loss.
  package func png() -> [UInt8] {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    // PNG_FORMAT_GRAY: one byte of brightness, no flag set.
    image.format = 0
    defer { png_image_free(&image) }
    // PNG_IMAGE_PNG_SIZE_MAX (png.h) for one byte a pixel, and the space that stored blocks and headers need.
    let raw = (width + 1) * height
    var size = png_alloc_size_t(raw + (raw / 0x4000 + 2) * 64 + 1024)
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let written = png_image_write_to_memory(&image, &bytes, &size, 0, pixels, png_int_32(width), nil)
    // Only a size of nothing, which no picture has, or a lack of memory can make it fail.
    precondition(written != 0, "libpng refused a picture of \(width) by \(height) pixels")
    return Array(bytes.prefix(Int(size)))
  }

  /// The picture as a JPEG file.
  ///
  /// - Parameter quality: 1 to 100, as libjpeg counts it.
  package func jpeg(quality: Int) -> [UInt8] {
    jpeg(pixels, TJPF_GRAY, TJSAMP_GRAY, quality: quality)
  }

  /// The picture as a JPEG file in four inks (YCCK), black alone used, upside down as Adobe's programs write them: 255 is no ink.
  ///
  /// - Parameter quality: 1 to 100, as libjpeg counts it.
  package func inkJPEG(quality: Int) -> [UInt8] {
    jpeg(pixels.flatMap { [255, 255, 255, $0] }, TJPF_CMYK, TJSAMP_444, quality: quality)
  }

  private func jpeg(_ samples: [UInt8], _ format: TJPF, _ sampling: TJSAMP, quality: Int) -> [UInt8] {
    let encoder = tjInitCompress()
    defer { tjDestroy(encoder) }
    var bytes: UnsafeMutablePointer<UInt8>?
    defer { tjFree(bytes) }
    var size: UInt = 0
    let result = tjCompress2(
      encoder, samples, Int32(width), 0, Int32(height), Int32(format.rawValue), &bytes, &size,
      Int32(sampling.rawValue), Int32(quality), 0)
    precondition(result == 0, "libjpeg-turbo refused a picture of \(width) by \(height) pixels")
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }
}

extension QRSymbol {
  /// The symbol with its quiet zone as a picture, black on white.
  ///
  /// A pixel that modules share takes their mean, by area: modules need not be whole pixels wide.
  ///
  /// - Parameter width: Pixels along a side, quiet zone included; at least ``side`` + 8 to be legible.
  package func raster(width: Int) -> GreyPicture {
    let modules = side + 2 * Self.quietZone
    // Shares of modules in each pixel along a side; the same for rows and columns.
    let shares = (0..<width).map { pixel -> [(module: Int, share: Float)] in
      let first = Float(pixel * modules) / Float(width)
      let last = Float((pixel + 1) * modules) / Float(width)
      return (Int(first)...min(modules - 1, Int(last))).compactMap { module in
        let overlap = min(last, Float(module + 1)) - max(first, Float(module))
        return overlap > 0 ? (module - Self.quietZone, overlap / (last - first)) : nil
      }
    }
    var picture = GreyPicture(width: width, height: width, brightness: 255)
    for y in 0..<width {
      for x in 0..<width {
        var ink: Float = 0
        for row in shares[y] {
          for column in shares[x] where self[column.module, row.module] { ink += row.share * column.share }
        }
        picture[x, y] = UInt8(255 - (255 * min(1, ink)).rounded())
      }
    }
    return picture
  }
}
