import Base
import Paper
import PaperTesting
import Prescriptions

/// Pictures of cards on the way to the code reader, and what is read on its way to the card.
struct Pictures: MutationKind {
  /// Kind of an input.
  enum Way: String, CaseIterable {
    /// A file, as it is.
    case file
    /// A PNG file, whose checksums are made right.
    case png
    /// A row's length, 1 to 256, and the brightness of each pixel: behind the decoders.
    case pixels
    /// Modules along a side, and a bit for each module: a symbol whose every part can be damaged.
    case modules
  }

  static let good: Set<String> = ["read"]
  /// Processor time of one search. Own choice, an eighth of a person's: many inputs hold no code.
  private static let limit = Duration.milliseconds(100)
  /// Pixels along a module's side: what a scanner needs at least is two.
  private static let modulePixels = 3
  /// Modules along a side of the largest symbol (ISO/IEC 18004).
  private static let mostModules = 177

  let shelf: MaterialShelf
  private let trusted: [TrustedClinic]
  private let now: Instant

  init(_ fixtures: Fixtures) throws {
    now = fixtures.now
    trusted = [TrustedClinic(identity: fixtures.clinic.identity, enrolled: now + -86_400)]
    let cards = try SampleCards(fixtures.clinic, at: now)
    // The shortest and the longest; a clinic's is between them.
    let texts = ["HELLO", cards["developer"], cards["clinic"], cards["tables"]]
    var items: [MaterialShelf.Item] = []
    func add(_ way: Way, _ bytes: [UInt8], _ places: Range<Int>?) {
      items.append(MaterialShelf.Item(name: way.rawValue, material: ByteMaterial(bytes, places: places)))
    }
    for text in texts {
      let symbol = try QRSymbol(text: text, correction: .low)
      let picture = symbol.raster(width: (symbol.side + 2 * QRSymbol.quietZone) * Self.modulePixels)
      // Headers end before byte 700: JPEG's tables are the longest.
      add(.file, picture.png(), 0..<60)
      add(.file, picture.jpeg(quality: 80), 0..<700)
      add(.png, picture.png(), 0..<60)
      add(.modules, Self.modules(symbol), nil)
    }
    let small = try QRSymbol(text: "HELLO", correction: .low)
    let width = (small.side + 2 * QRSymbol.quietZone) * Self.modulePixels
    add(.pixels, [UInt8(width - 1)] + small.raster(width: width).pixels, 0..<40)
    shelf = MaterialShelf(items)
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    let texts =
      switch Way(rawValue: input.name) {
      case .file: try Self.texts(in: input.bytes)
      case .png: try Self.texts(in: PNGChecksums.repaired(input.bytes))
      case .pixels: Self.texts(pixels: input.bytes)
      case .modules: Self.texts(modules: input.bytes)
      case nil: [String]()
      }
    for text in texts { _ = "\(Card.inspect(text, trusting: trusted, at: now))" }
    return texts.isEmpty ? "nothing" : "read"
  }

  private static func texts(in file: [UInt8]) throws -> [String] {
    // Poppler's process would be searched, not this one; it is called for this word alone.
    let word = Array("%PDF-".utf8)
    if file.prefix(1100).indices.contains(where: { file[$0...].starts(with: word) }) { return [] }
    return try PictureReader.texts(in: file, within: limit)
  }

  private static func texts(pixels bytes: [UInt8]) -> [String] {
    guard let first = bytes.first else { return [] }
    let width = Int(first) + 1
    let height = (bytes.count - 1) / width
    guard height > 0 else { return [] }
    let pixels = Array(bytes.dropFirst().prefix(width * height))
    return PictureReader.texts(in: GreyPicture(width: width, height: height, pixels: pixels), within: limit)
  }

  /// Bits of a symbol, row by row, the highest of a byte first.
  private static func modules(_ symbol: QRSymbol) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 + (symbol.side * symbol.side + 7) / 8)
    bytes[0] = UInt8(symbol.side)
    for place in 0..<symbol.side * symbol.side where symbol[place % symbol.side, place / symbol.side] {
      bytes[1 + place / 8] |= 0x80 >> UInt8(place % 8)
    }
    return bytes
  }

  private static func texts(modules bytes: [UInt8]) -> [String] {
    guard let first = bytes.first, first > 0, first <= mostModules else { return [] }
    let side = Int(first)
    let width = (side + 2 * QRSymbol.quietZone) * modulePixels
    var picture = GreyPicture(width: width, height: width, brightness: 255)
    for place in 0..<min(side * side, 8 * (bytes.count - 1))
    where bytes[1 + place / 8] & (0x80 >> UInt8(place % 8)) != 0 {
      let left = (place % side + QRSymbol.quietZone) * modulePixels
      let top = (place / side + QRSymbol.quietZone) * modulePixels
      for y in top..<top + modulePixels {
        for x in left..<left + modulePixels { picture[x, y] = 0 }
      }
    }
    return PictureReader.texts(in: picture, within: limit)
  }
}
