import Control
import Drawing

/// Where a card goes: a picture or a text, by the file's name.
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
      path, found: "a name that ends neither in .png, .svg, .pdf nor .txt",
      expected: "one of these, or - for the text", exit: .usage)
  }

  /// Writes the card.
  ///
  /// - Throws: ``Failure`` for another kind of file, or when it cannot be written.
  func write(_ text: String, title: String) throws(Failure) {
    if path == "-" {
      print(text)
    } else if path.lowercased().hasSuffix(".txt") {
      let file = try AtomicFile(replacing: path)
      try file.write([UInt8](text.utf8) + [0x0A])
      try file.commit()
    } else {
      let modules = try CardSymbol.modules(for: text)
      let picture = CodePicture(modules, title: title)
      try PictureFile(path: path).write(
        picture.picture(), pixelWidth: picture.moduleCount * Self.modulePixels)
    }
  }
}
