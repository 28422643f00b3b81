import Base
import CardPictures
import Control
import Drawing

/// Output of a card: a picture or a text, by the file's name.
struct SignedCardOutput {
  /// Pixels along a module's side in a picture of pixels: scanners ask for two at least, screens shrink.
  private static let modulePixels = 8

  let path: String

  /// Refuses a name that says no kind of file, before anything is signed.
  func check() throws(Failure) {
    guard path != "-", !path.lowercased().hasSuffix(".txt"), PictureFormat(path: path) == nil else {
      return
    }
    throw Failure(
      path, inWords: "The name ends neither in .png, .svg, .pdf nor .txt",
      remedy: "Give one that does, or - for the text.", exit: .usage)
  }

  /// Writes the card.
  ///
  /// - Throws: ``Failure`` for another kind of file, or when it cannot be written.
  func write(_ text: String, title: String) throws(Failure) {
    if path == "-" {
      print(text)
    } else if path.lowercased().hasSuffix(".txt") {
      try WholeFile.save([UInt8](text.utf8) + [0x0A], to: path)
    } else {
      let modules = try CardSymbol.modules(for: text)
      let picture = CodePicture(modules, title: title)
      try PictureFile(path: path).write(
        picture.picture(), pixelWidth: picture.moduleCount * Self.modulePixels)
    }
  }
}

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
      throw Failure("card", saying: "\(error)", exit: .software)
    }
  }
}

/// Beginnings of texts that may be Auricle's cards.
enum CardPrefix {
  /// True for a text that may be a card: a QR code's digits, or the bare signed text.
  static func isCard(_ text: some StringProtocol) -> Bool {
    let start = text.drop(while: \.isWhitespace).prefix(8)
    return start.hasPrefix("shc:/") || start.hasPrefix("eyJ")
  }
}

/// A picture as a file of the kind that its name says, for its owner's eyes alone.
struct PictureFile {
  let path: String

  /// - Throws: ``Failure`` when the name ends in something else, or the file cannot be written.
  func write(_ picture: Picture, pixelWidth: Int = Picture.standardPixelWidth) throws(Failure) {
    let format = try format()
    do throws(PictureError) {
      try picture.write(to: path, as: format, pixelWidth: pixelWidth, isPrivate: true)
    } catch {
      throw RenderingFailures.failure(error)
    }
  }

  /// Refuses a name that says no kind of picture.
  func check() throws(Failure) { _ = try format() }

  private func format() throws(Failure) -> PictureFormat {
    guard let format = PictureFormat(path: path) else {
      throw Failure(
        path, inWords: "The name ends neither in .png, .svg nor .pdf", exit: .usage)
    }
    return format
  }
}
