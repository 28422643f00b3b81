import Control
import Drawing

/// A picture as a file of the kind that its name says, for its owner's eyes alone.
struct PictureFile {
  let path: String

  /// - Throws: ``Failure`` when the name ends in something else, or the file cannot be written.
  func write(_ picture: Picture, pixelWidth: Int = Picture.standardPixelWidth) throws(Failure) {
    let format = try format()
    do throws(PictureError) {
      try picture.write(to: path, as: format, pixelWidth: pixelWidth, isPrivate: true)
    } catch {
      throw Failure(path, found: "\(error)", exit: .cannotCreate)
    }
  }

  /// Refuses a name that says no kind of picture.
  func check() throws(Failure) { _ = try format() }

  private func format() throws(Failure) -> PictureFormat {
    guard let format = PictureFormat(path: path) else {
      throw Failure(
        path, found: "a name that ends neither in .png, .svg nor .pdf", expected: "one of these",
        exit: .usage)
    }
    return format
  }
}
