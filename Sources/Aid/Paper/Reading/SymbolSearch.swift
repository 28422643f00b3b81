/// Finds and reads every QR symbol of a picture.
///
/// ZBar reads a dense symbol when it lies upright and flat, and often not when it is seen from aside or
/// through noise. So symbols are found first, by their corners, in a picture prepared in several ways; each
/// is drawn anew as if seen upright and flat; and ZBar reads that.
struct SymbolSearch {
  /// Processor time of the search.
  let budget: WorkBudget
  private let scanner = SymbolScanner()

  /// Pixels of the largest picture searched at its full size first; a page of A4 at 150 dots per inch has
  /// 2.2 million.
  private static let comfortable = 3_000_000
  /// Pixels of the largest picture searched at all; larger ones are searched smaller. Filters need twelve
  /// bytes for each, and no code has modules that small.
  private static let most = 16_000_000
  /// Finder patterns in one picture beyond which it is no picture of cards, but one made to keep ZBar busy:
  /// it tries every three of them.
  private static let mostPatterns = 48

  init(_ limit: Duration) { budget = WorkBudget(limit) }

  private var isOver: Bool { budget.isSpent }

  /// Texts of all symbols, in the order in which they were read, none twice; nil: the time was over before the first look.
  func texts(in picture: GreyPicture) -> [String]? {
    guard !isOver else { return nil }
    var factor = Self.factor(picture, most: Self.comfortable)
    let finest = Self.factor(picture, most: Self.most)
    var texts: [String] = []
    while true {
      let done = search(picture.reduced(by: factor), into: &texts)
      if done || factor <= finest || isOver { return texts }
      factor = max(finest, (factor + 1) / 2)
    }
  }

  /// Only what is seen at once, without preparations: for pages of which one probably bears a code.
  func textsAtFirstSight(in picture: GreyPicture) -> [String] {
    var texts: [String] = []
    var read: [SymbolSite] = []
    let picture = picture.reduced(by: Self.factor(picture, most: Self.comfortable))
    _ = readSites(of: picture, prepared: picture, into: &texts, read: &read)
    return texts
  }

  /// Factor by which a picture must become narrower to have so many pixels at most; never less than one
  /// pixel wide.
  private static func factor(_ picture: GreyPicture, most: Int) -> Int {
    var factor = 1
    while picture.pixels.count / (factor * factor) > most, factor < min(picture.width, picture.height) {
      factor += 1
    }
    return factor
  }

  /// Searches a picture of one size.
  ///
  /// - Returns: True when something was read and nothing that looks like a symbol is left over.
  private func search(_ picture: GreyPicture, into texts: inout [String]) -> Bool {
    var read: [SymbolSite] = []
    for preparation in Preparation.allCases {
      guard !isOver, let prepared = preparation.applied(to: picture) else { continue }
      let original = preparation == .sharpened || preparation == .smoothedAndSharpened ? picture : prepared
      // Sites are in pixels of the picture: those of a picture of another size are no help.
      if prepared.width != picture.width { read = [] }
      let outcome = readSites(of: original, prepared: prepared, into: &texts, read: &read)
      if prepared.width != picture.width { read = [] }
      if !texts.isEmpty && outcome.left < 3 { return true }
      if preparation == .smoothed || preparation == .inverted, outcome.patterns <= Self.mostPatterns,
        !isOver
      {
        for text in scanner.texts(in: preparation == .smoothed ? picture : prepared)
        where !texts.contains(text) { texts.append(text) }
        if !texts.isEmpty && outcome.left < 6 { return true }
      }
      // With one symbol read, the quick preparations have shown what else there is to read.
      if !texts.isEmpty && preparation == .smoothedAndSharpened { return true }
    }
    return false
  }

  /// Reads every symbol whose corners are found.
  ///
  /// - Returns: Counts of all finder patterns, and of those in no symbol that was read.
  private func readSites(
    of picture: GreyPicture, prepared: GreyPicture, into texts: inout [String], read: inout [SymbolSite]
  ) -> (patterns: Int, left: Int) {
    let ink = InkPicture(prepared, radius: 40)
    let all = FinderSearch(picture: ink).patterns(atMost: 1000)
    var left = all.filter { pattern in !read.contains { $0.covers(pattern) } }
    let sites = SiteSearch(picture: ink, patterns: Array(left.prefix(24))).sites()
    // Even a page full of codes shows its own first; the rest are threes that do not belong together.
    for site in sites.prefix(24) where !isOver {
      guard
        !read.contains(where: { $0.covers(site.corner) || $0.covers(site.right) || $0.covers(site.below) })
      else { continue }
      if let text = text(at: site, of: picture, prepared: prepared) {
        if !texts.contains(text) { texts.append(text) }
        read.append(site)
        left.removeAll { site.covers($0) }
      }
    }
    // Chance makes small ones; a real one is seen in every row of its middle square, three modules high.
    return (all.count, left.filter { Float($0.rows) > 1.5 * $0.module }.count)
  }

  /// Draws one symbol upright in several ways until ZBar reads it.
  private func text(at site: SymbolSite, of picture: GreyPicture, prepared: GreyPicture) -> String? {
    let solver = SymbolFrame(picture: prepared, site: site)
    let (frame, side) = solver.solved()
    // Where the timing patterns are not seen, there is hardly a symbol: one attempt is enough.
    let drawings: [UprightDrawing] =
      solver.timing(frame, side: side) > 0.7 ? UprightDrawing.allCases : [.plain]
    for drawing in drawings where !isOver {
      let drawn = drawing.picture(of: picture, frame: frame, side: side)
      if drawing == .plain {
        let patterns = FinderSearch(picture: InkPicture(drawn, radius: 20)).patterns(atMost: 1000)
        if patterns.count > Self.mostPatterns { return nil }
      }
      if let text = scanner.texts(in: drawn).first { return text }
    }
    return nil
  }
}

extension SymbolSite {
  /// True when a finder pattern lies in the symbol, its own corners included.
  func covers(_ pattern: FinderPattern) -> Bool {
    let (bx, by) = (right.x - corner.x, right.y - corner.y)
    let (cx, cy) = (below.x - corner.x, below.y - corner.y)
    let (x, y) = (pattern.x - corner.x, pattern.y - corner.y)
    let area = bx * cy - by * cx
    let range = -0.1...Float(1.1)
    return range.contains((x * cy - y * cx) / area) && range.contains((bx * y - by * x) / area)
  }
}

/// Ways of drawing a symbol for ZBar once its frame is known. ZBar takes one pixel for each module, so
/// smoothing and sharpening are measured in modules here.
enum UprightDrawing: CaseIterable {
  /// Three pixels a module.
  case plain
  /// Against blur: an unsharp mask of 0.4 modules, twice.
  case sharpened
  /// Against noise: a Gaussian of a quarter of a module.
  case smoothed
  /// Against both.
  case smoothedAndSharpened
  /// Against strong blur.
  case stronglySharpened

  func picture(of picture: GreyPicture, frame: ModuleFrame, side: Int) -> GreyPicture {
    let scale = self == .plain ? 3 : 4
    let drawn = picture.upright(frame, side: side, scale: scale, margin: QRSymbol.quietZone)
    return switch self {
    case .plain: drawn.grey
    case .sharpened: drawn.sharpened(sigma: 0.4 * 4, gain: 2).grey
    case .smoothed: drawn.smoothed(0.25 * 4).grey
    case .smoothedAndSharpened: drawn.smoothed(0.25 * 4).sharpened(sigma: 0.5 * 4, gain: 2).grey
    case .stronglySharpened: drawn.smoothed(0.15 * 4).sharpened(sigma: 0.5 * 4, gain: 5).grey
    }
  }
}

/// Filters applied to a picture before symbols are searched in it.
///
/// Blur hides the corners of a symbol, noise makes corners where there are none, and no one filter helps
/// against both: each preparation finds what the others miss. They stand in the order of what they find in
/// a millisecond (docs/scanning.md).
enum Preparation: CaseIterable {
  /// Nothing.
  case plain
  /// Against blur: an unsharp mask of 2 pixels, twice.
  case sharpened
  /// Against noise: a Gaussian of 0.8 pixels.
  case smoothed
  /// Against both.
  case smoothedAndSharpened
  /// Light modules on a dark ground.
  case inverted
  /// Twice as many pixels, for modules of less than three.
  case enlarged
  /// A quarter of the pixels, for modules of more than twelve, and for patterns finer than a module.
  case reduced

  /// The picture so prepared; nil where the preparation cannot help.
  func applied(to picture: GreyPicture) -> GreyPicture? {
    switch self {
    case .plain: picture
    case .smoothed: picture.flat.smoothed(0.8).grey
    case .sharpened: picture.flat.sharpened(sigma: 2, gain: 2).grey
    case .smoothedAndSharpened: picture.flat.smoothed(0.8).sharpened(sigma: 2, gain: 2).grey
    case .inverted: picture.inverted
    case .enlarged: picture.pixels.count <= 2_000_000 ? picture.enlarged : nil
    case .reduced: min(picture.width, picture.height) >= 100 ? picture.reduced(by: 2) : nil
    }
  }
}
