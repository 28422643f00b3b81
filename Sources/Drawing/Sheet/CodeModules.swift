/// The modules of a QR symbol, without its quiet zone.
public struct CodeModules: Sendable, Equatable {
  /// Modules from edge to edge: 21, 25, … 177 (ISO/IEC 18004: 17 + 4 · version, versions 1 to 40).
  public let side: Int
  /// Row after row from the top, each from the left; true is black. `side · side` of them.
  public let isDark: [Bool]

  /// - Throws: ``SheetError/codeSide(_:)``, ``SheetError/moduleCount(found:expected:)``.
  public init(side: Int, isDark: [Bool]) throws(SheetError) {
    guard (21...177).contains(side), side % 4 == 1 else { throw .codeSide(side) }
    guard isDark.count == side * side else {
      throw .moduleCount(found: isDark.count, expected: side * side)
    }
    self.side = side
    self.isDark = isDark
  }

  /// - Parameters:
  ///   - x: Column, 0 at the left.
  ///   - y: Row, 0 at the top.
  public subscript(x: Int, y: Int) -> Bool { isDark[y * side + x] }
}
