import Glibc

/// Pages of a PDF file (ISO 32000), drawn in grey by poppler's pdftoppm.
///
/// A PDF file is a program's worth of input for a program of its own: it is drawn by a child that may use little
/// memory and time and that knows nothing.
struct PDFFile {
  /// Pages looked at, from the first.
  static let mostPages = 5
  /// Dots per inch: at 150 a code of 84 mm is 496 pixels wide; at 300 a photograph in the page keeps its detail.
  static let resolutions = [150, 300]
  /// Pixels of the largest page: at 150 dots per inch four times A2.
  static let mostPixels = 40_000_000
  /// Where the program is looked for.
  static let places = ["/usr/bin/pdftoppm", "/usr/local/bin/pdftoppm", "/bin/pdftoppm"]

  private let bytes: [UInt8]
  private let program: String

  /// - Throws: ``PictureReadingError/noPDFReader``.
  init(_ bytes: [UInt8], places: [String] = places) throws(PictureReadingError) {
    guard let program = places.first(where: { access($0, X_OK) == 0 }) else { throw .noPDFReader }
    self.program = program
    self.bytes = bytes
  }

  /// Texts of the codes on the first pages. All pages are looked at once; only when none shows a code at first
  /// sight, each is searched thoroughly, and then drawn finer.
  func texts(_ search: SymbolSearch) throws(PictureReadingError) -> [String] {
    var texts: [String] = []
    for resolution in Self.resolutions {
      var pages: [GreyPicture] = []
      let failure = draw(resolution, search.budget) { page in
        pages.append(page)
        for text in search.textsAtFirstSight(in: page) where !texts.contains(text) { texts.append(text) }
      }
      if !texts.isEmpty { return texts }
      for page in pages {
        for text in search.texts(in: page) where !texts.contains(text) { texts.append(text) }
      }
      if !texts.isEmpty { return texts }
      if let failure { throw failure }
      if search.budget.isSpent { break }
    }
    return texts
  }

  /// Draws the first pages.
  ///
  /// - Returns: why not all could be drawn.
  private func draw(
    _ resolution: Int, _ budget: WorkBudget, take: (GreyPicture) -> Void
  ) -> PictureReadingError? {
    let arguments = ["-gray", "-r", "\(resolution)", "-f", "1", "-l", "\(Self.mostPages)", "-"]
    guard let process = LimitedProcess(program, arguments) else { return .noPDFReader }
    var pages = GreyMapStream(mostPixels: Self.mostPixels)
    var count = 0
    let (ending, message) = process.run(feeding: bytes, on: budget) { piece in
      pages.append(piece)
      while let page = pages.next() {
        count += 1
        take(page)
      }
      return pages.tooLarge == nil ? .more : .enough
    }
    if let size = pages.tooLarge {
      return .tooManyPixels(width: size.width, height: size.height, atMost: Self.mostPixels)
    }
    if ending == .late { return .tookTooLong }
    if message.contains("Incorrect password") { return .locked }
    // Where memory does not suffice, pdftoppm says so and goes on with a page of one pixel.
    if message.contains("memory") { return .pageTooLarge }
    if count > 0 { return nil }
    if [SIGXCPU, SIGKILL].contains(where: { ending == .process(.signal($0)) }) { return .tookTooLong }
    // The program names the place in the file; its first line is the nearest to the cause.
    let reason = message.split(separator: "\n").first.map(String.init) ?? "it has no page that can be drawn"
    return .damaged(kind: "PDF", reason: reason)
  }
}
