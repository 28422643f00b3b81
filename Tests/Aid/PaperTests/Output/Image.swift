import CCairo

/// A PNG read back.
final class Image {
  private let surface: OpaquePointer

  init?(path: String) {
    surface = cairo_image_surface_create_from_png(path)
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else { return nil }
  }

  deinit { cairo_surface_destroy(surface) }

  /// 0xRRGGBB.
  func pixel(x: Int, y: Int) -> UInt32 {
    let row = Int(cairo_image_surface_get_stride(surface)) * y
    guard let data = cairo_image_surface_get_data(surface) else { return 0 }
    return UnsafeRawPointer(data).load(fromByteOffset: row + 4 * x, as: UInt32.self) & 0xFFFFFF
  }
}
