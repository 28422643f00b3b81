/// One of the three corner marks of a QR symbol: along every line through its centre, dark and light alternate
/// as 1 : 1 : 3 : 1 : 1 (ISO/IEC 18004, 6.3.3.1), however the symbol is turned, sheared or scaled.
struct FinderPattern {
  /// Centre, pixels from the left edge of the picture.
  var x: Float
  /// Centre, pixels from the top edge of the picture.
  var y: Float
  /// Width of a module along a row and along a column, pixels, as their geometric mean.
  var module: Float
  /// Rows in which it was seen.
  var rows: Int
}
