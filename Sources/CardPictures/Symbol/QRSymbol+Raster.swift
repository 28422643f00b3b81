extension QRSymbol {
  /// The symbol with its quiet zone as a picture, black on white.
  ///
  /// A pixel that modules share takes their mean, by area: modules need not be whole pixels wide.
  ///
  /// - Parameter width: Pixels along a side, quiet zone included; at least ``side`` + 8 to be legible.
  public func raster(width: Int) -> GreyPicture {
    let modules = side + 2 * Self.quietZone
    // How much of each pixel along a side lies in which modules; the same for rows and columns.
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
