import CZBar

/// ZBar's scanner, set to QR symbols only.
///
/// - Threads: one at a time.
final class SymbolScanner {
  private let scanner: OpaquePointer

  init() {
    scanner = zbar_image_scanner_create()
    zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
    zbar_image_scanner_enable_cache(scanner, 0)
  }

  deinit { zbar_image_scanner_destroy(scanner) }

  /// Texts of all symbols that ZBar reads in a picture as it is.
  func texts(in picture: GreyPicture) -> [String] {
    guard let image = zbar_image_create() else { return [] }
    defer { zbar_image_destroy(image) }
    zbar_image_set_format(image, Self.grey)
    zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
    return picture.pixels.withUnsafeBytes { bytes in
      zbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
      guard zbar_scan_image(scanner, image) > 0 else { return [] }
      var texts: [String] = []
      var symbol = zbar_image_first_symbol(image)
      while let here = symbol {
        if zbar_symbol_get_type(here) == ZBAR_QRCODE, let data = zbar_symbol_get_data(here) {
          let length = Int(zbar_symbol_get_data_length(here))
          let bytes = UnsafeRawBufferPointer(start: data, count: length)
          texts.append(String(decoding: bytes, as: UTF8.self))
        }
        symbol = zbar_symbol_next(here)
      }
      return texts
    }
  }

  /// One byte of brightness a pixel: "Y800" as a little-endian number (fourcc.org).
  static let grey: UInt = 0x3030_3859
}
