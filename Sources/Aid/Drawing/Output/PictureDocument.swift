/// Several pages in one PDF file.
///
/// - Threads: any but audio.
package struct PictureDocument: Sendable {
  /// At least one page.
  package let pages: [Picture]

  package init(_ pages: [Picture]) {
    precondition(!pages.isEmpty, "a document has a page")
    self.pages = pages
  }

  /// The file's bytes.
  ///
  /// - Throws: ``PictureError/rendering(reason:)``.
  package func encoded() throws(PictureError) -> [UInt8] {
    let canvas = Canvas(pages[0], format: .pdf, pixelWidth: 0)
    for page in pages.dropFirst() { canvas.turn(to: page) }
    return try canvas.finish()
  }

  /// Writes the document to a file, whole or not at all.
  ///
  /// - Parameters:
  ///   - path: Replaced if it exists; ends in .pdf.
  ///   - isPrivate: Readable by its owner alone (0600), as health data should be.
  /// - Throws: ``PictureError``: another ending, a folder that is missing or closed, a full disk.
  package func write(to path: String, isPrivate: Bool = false) throws(PictureError) {
    guard PictureFormat(path: path) == .pdf else { throw .unknownFormat(path: path) }
    let bytes = try encoded()
    try PictureFormat.write(bytes, to: path, isPrivate: isPrivate)
  }
}
