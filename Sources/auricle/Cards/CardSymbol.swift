import CardPictures
import Control
import Drawing

/// The QR code of a card.
enum CardSymbol {
  /// With the error correction that the scanning trials found best (docs/scanning.md).
  static func modules(for text: String) throws(Failure) -> CodeModules {
    let symbol: QRSymbol
    do throws(QRSymbolError) {
      symbol = try QRSymbol(text: text)
    } catch {
      throw Failure("card", inWords: "\(error)", exit: .badData)
    }
    let places = 0..<symbol.side
    do throws(SheetError) {
      return try CodeModules(
        side: symbol.side, isDark: places.flatMap { y in places.map { x in symbol[x, y] } })
    } catch {
      throw Failure("card", found: "\(error)", exit: .software)
    }
  }
}
