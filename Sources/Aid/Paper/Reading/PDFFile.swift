import Glibc

/// Pages of a PDF file (ISO 32000), drawn in grey by poppler's pdftoppm.
///
/// PDF is too complex a format to be parsed in this process: a child process with little memory and time
/// draws it.
struct PDFFile {
  /// Pages looked at, from the first.
  static let mostPages = 5
  /// Dots per inch: at 150 a code of 84 mm is 496 pixels wide; at 300 a photograph in the page keeps its
  /// detail.
  static let resolutions = [150, 300]
  /// Pixels of the largest page: at 150 dots per inch four times A2.
  static let mostPixels = 40_000_000
  /// Paths of the program.
  static let places = ["/usr/bin/pdftoppm", "/usr/local/bin/pdftoppm", "/bin/pdftoppm"]

  private let bytes: [UInt8]
  private let program: String

  /// - Throws: ``PaperError/noPDFReader``.
  init(_ bytes: [UInt8], places: [String] = places) throws(PaperError) {
    guard let program = places.first(where: { access($0, X_OK) == 0 }) else { throw .noPDFReader }
    self.program = program
    self.bytes = bytes
  }

  /// Texts of the codes on the first pages. All pages are looked at once; only when none shows a code at
  /// first sight, each is searched thoroughly, and then drawn finer.
  ///
  /// - Throws: ``PaperError``; `noCodeOnPages` where there may be further pages.
  func texts(_ search: SymbolSearch) throws(PaperError) -> [String] {
    var texts: [String] = []
    var pageCount = 0
    for resolution in Self.resolutions {
      var pages: [GreyPicture] = []
      let failure = draw(resolution, search.budget) { page in
        pages.append(page)
        pageCount = pages.count
        for text in search.textsAtFirstSight(in: page) where !texts.contains(text) { texts.append(text) }
      }
      if !texts.isEmpty { return texts }
      for page in pages {
        for text in search.texts(in: page) ?? [] where !texts.contains(text) { texts.append(text) }
      }
      if !texts.isEmpty { return texts }
      if let failure { throw failure }
      if search.budget.isSpent { break }
    }
    if pageCount >= Self.mostPages { throw .noCodeOnPages(atMost: Self.mostPages) }
    return texts
  }

  /// Draws the first pages.
  ///
  /// - Returns: The reason why not all could be drawn.
  private func draw(
    _ resolution: Int, _ budget: WorkBudget, take: (GreyPicture) -> Void
  ) -> PaperError? {
    let arguments = ["-gray", "-r", "\(resolution)", "-f", "1", "-l", "\(Self.mostPages)", "-"]
    guard let process = LimitedProcess(program, arguments) else { return .noPDFReader }
    var pages = GreyMapStream(mostPixels: Self.mostPixels)
    var count = 0
    let (ending, message) = process.run(feeding: bytes, on: budget) { piece in
      for page in pages.pages(completedBy: piece) {
        count += 1
        take(page)
      }
      return pages.tooLarge != nil
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

/// Pictures in portable grey map form, one after the other, as they arrive: "P5", width, height, 255, each
/// ended by white space, then the pixels.
struct GreyMapStream {
  /// A picture that would be too large, from its header.
  private(set) var tooLarge: (width: Int, height: Int)?

  private let mostPixels: Int
  private var header: [UInt8] = []
  private var size: (width: Int, height: Int)?
  private var pixels: [UInt8] = []
  private var isBroken = false

  init(mostPixels: Int) { self.mostPixels = mostPixels }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: The pictures that they complete.
  mutating func pages(completedBy piece: UnsafeRawBufferPointer) -> [GreyPicture] {
    var ready: [GreyPicture] = []
    var position = 0
    while position < piece.count, tooLarge == nil, !isBroken {
      guard let size else {
        readHeader(piece[position])
        position += 1
        continue
      }
      let wanted = size.width * size.height - pixels.count
      let count = min(wanted, piece.count - position)
      pixels.append(contentsOf: piece[position..<position + count])
      position += count
      if count == wanted {
        ready.append(GreyPicture(width: size.width, height: size.height, pixels: pixels))
        pixels = []
        self.size = nil
      }
    }
    return ready
  }

  private mutating func readHeader(_ byte: UInt8) {
    header.append(byte)
    guard [0x20, 0x09, 0x0A, 0x0D].contains(byte) else {
      isBroken = header.count > 32
      return
    }
    let words = String(decoding: header, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 4 else { return }
    guard words[0] == "P5", let width = Int(words[1]), let height = Int(words[2]), words[3] == "255",
      width > 0, height > 0
    else {
      isBroken = true
      return
    }
    header = []
    if width > mostPixels || height > mostPixels || width * height > mostPixels {
      tooLarge = (width, height)
    } else {
      size = (width, height)
      pixels.reserveCapacity(width * height)
    }
  }
}
