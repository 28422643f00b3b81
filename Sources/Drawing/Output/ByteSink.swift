import CCairo

/// Collects what Cairo writes. The file appears only when it is whole.
final class ByteSink {
  private(set) var bytes: [UInt8] = []

  /// Cairo's `cairo_write_func_t`; its closure is the sink.
  static let write: cairo_write_func_t = { closure, data, length in
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
    sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }
}
