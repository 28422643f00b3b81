import PaperTesting

@testable import Paper

/// Texts of the form of a card, always the same.
enum SampleText {
  /// Processor time that a picture may take here: the usual limit is for a machine that has nothing else to
  /// do.
  static let patience = Duration.seconds(60)

  /// `shc:/` and two digits for each character of a signed text; the digits follow a linear congruential
  /// row (Numerical Recipes, 3rd edition, 7.1), so that no two symbols are alike.
  static func card(characters: Int, seed: UInt32 = 1) -> String {
    var state = seed
    var text = "shc:/"
    for _ in 0..<characters {
      state = state &* 1_664_525 &+ 1_013_904_223
      let value = Int(state >> 16) % 77
      text += "\(value / 10)\(value % 10)"
    }
    return text
  }

  /// A picture of it, three pixels a module.
  static func picture(_ text: String, scale: Int = 3) throws -> GreyPicture {
    let symbol = try QRSymbol(text: text)
    return symbol.raster(width: (symbol.side + 2 * QRSymbol.quietZone) * scale)
  }
}
