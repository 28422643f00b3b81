import Base
import CommonTesting
import Foundation
import FoundationXML
import Glibc
import Testing

@testable import Paper

@Suite("Picture writing") struct PictureWritingTests {
  /// A page twice as wide as high, red on its right half.
  private var picture: Picture {
    var picture = Picture(width: 200, height: 100, title: "Test & page")
    picture.fill(.rectangle(Rectangle(x: 100, y: 0, width: 100, height: 100)), Colour(hex: 0xC4262E))
    picture.add(Label(text: "1 < 2 & 3", place: Point(x: 10, y: 50), style: .body))
    return picture
  }

  /// A big-endian 32-bit number.
  private func number(_ bytes: [UInt8], at offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test(
    "a PNG has the signature, the width asked for, the height that follows, and its end",
    arguments: [64, 1600])
  func png(pixelWidth: Int) throws {
    let bytes = try picture.encoded(as: .png, pixelWidth: pixelWidth)
    // PNG specification (ISO/IEC 15948), 5.2 and 11.2.2: signature, then IHDR with width and height.
    #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(Array(bytes[12..<16]) == Array("IHDR".utf8))
    #expect(number(bytes, at: 16) == pixelWidth)
    #expect(number(bytes, at: 20) == pixelWidth / 2)
    #expect(Array(bytes.suffix(8).prefix(4)) == Array("IEND".utf8))
  }

  @Test("pixels have the colours drawn")
  func pixels() throws {
    let folder = TemporaryFolder()
    try picture.write(to: folder.file("page.png"), pixelWidth: 200)
    let image = try #require(Image(path: folder.file("page.png")))
    #expect(image.pixel(x: 150, y: 50) == 0xC4262E)
    #expect(image.pixel(x: 2, y: 2) == 0xFFFFFF)
  }

  @Test("an SVG is well-formed XML of the page's size")
  func svg() throws {
    let bytes = try picture.encoded(as: .svg)
    let parser = XMLParser(data: Data(bytes))
    let root = Root()
    parser.delegate = root
    #expect(parser.parse())
    #expect(root.name == "svg")
    #expect(root.attributes["viewBox"] == "0 0 200 100")
    #expect(root.attributes["width"] == "200pt")
  }

  @Test("cells in an SVG are areas of one colour, for viewers blend the pixels of an image")
  func cells() throws {
    let colours: [Colour] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00].map { Colour(hex: $0) }
    var picture = Picture(width: 100, height: 100, title: "Cells")
    picture.marks.append(.cells(Rectangle(x: 0, y: 0, width: 100, height: 100), columns: 2, colours))
    let text = String(decoding: try picture.encoded(as: .svg), as: UTF8.self).filter { $0 != " " }
    #expect(!text.contains("<image"))
    for colour in ["100%,0%,0%", "0%,100%,0%", "0%,0%,100%", "100%,100%,0%"] {
      #expect(text.contains("rgb(\(colour))"), "\(colour)")
    }
  }

  @Test("cells of one colour in an SVG are one path, and cells reach over each other below them alone")
  func onePathForEachColour() throws {
    let (red, blue) = (Colour(hex: 0xFF0000), Colour(hex: 0x0000FF))
    // A board of 40 columns and 30 rows: 1200 areas in two colours, below them coarse ones in two colours.
    let colours = (0..<1200).map { ($0 % 40 + $0 / 40) % 2 == 0 ? red : blue }
    var picture = Picture(width: 100, height: 100, title: "Cells")
    let before = String(decoding: try picture.encoded(as: .svg), as: UTF8.self).ranges(of: "<path").count
    picture.marks.append(.cells(Rectangle(x: 0, y: 0, width: 100, height: 100), columns: 40, colours))
    let after = String(decoding: try picture.encoded(as: .svg), as: UTF8.self).ranges(of: "<path").count
    #expect(after - before == 4)
    let areas = Canvas.rectangles(
      of: [red, blue], columns: 2, in: Rectangle(x: 0, y: 0, width: 2, height: 1), reach: 0)
    #expect(
      areas.map(\.area) == [
        Rectangle(x: 0, y: 0, width: 1, height: 1), Rectangle(x: 1, y: 0, width: 1, height: 1),
      ])
  }

  @Test("equal neighbours and equal rows are one area, which reaches one cell below what is drawn after it")
  func areas() {
    let (red, blue) = (Colour(hex: 0xFF0000), Colour(hex: 0x0000FF))
    // Three columns of 10 points, four rows of 5: two rows that are alike, then two that are not.
    let areas = Canvas.rectangles(
      of: [red, red, blue] + [red, red, blue] + [blue, blue, blue] + [blue, red, red], columns: 3,
      in: Rectangle(x: 100, y: 200, width: 30, height: 20))
    #expect(
      areas.map(\.area) == [
        Rectangle(x: 100, y: 200, width: 30, height: 15), Rectangle(x: 120, y: 200, width: 10, height: 15),
        Rectangle(x: 100, y: 210, width: 30, height: 10), Rectangle(x: 100, y: 215, width: 20, height: 5),
        Rectangle(x: 110, y: 215, width: 20, height: 5),
      ])
    #expect(areas.map(\.colour) == [red, blue, blue, blue, red])
    #expect(Canvas.rectangles(of: [], columns: 0, in: Rectangle(x: 0, y: 0, width: 1, height: 1)).isEmpty)
  }

  @Test("a PDF has its header and its end")
  func pdf() throws {
    let text = String(decoding: try picture.encoded(as: .pdf), as: UTF8.self)
    #expect(text.hasPrefix("%PDF-1."))
    #expect(text.hasSuffix("%%EOF\n"))
  }

  @Test(
    "the format follows the path's ending in either case",
    arguments: [
      ("a.png", .png), ("a.b/c.SVG", .svg), ("x.Pdf", .pdf), ("a.jpg", nil), ("png", nil), ("a.png/b", nil),
      ("", nil), ("a.", nil),
    ] as [(String, PictureFormat?)])
  func format(path: String, format: PictureFormat?) {
    #expect(PictureFormat(path: path) == format)
  }

  @Test("pages stand one below another where the format has none")
  func stacked() throws {
    var second = picture
    second.marks = [
      .fill(.rectangle(Rectangle(x: 0, y: 0, width: 100, height: 100)), Colour(hex: 0x1D5FB8))
    ]
    let folder = TemporaryFolder()
    try picture.write(to: folder.file("pages.png"), pixelWidth: 200, followedBy: [second])
    let image = try #require(Image(path: folder.file("pages.png")))
    #expect(image.pixel(x: 150, y: 50) == 0xC4262E && image.pixel(x: 150, y: 150) == 0xFFFFFF)
    #expect(image.pixel(x: 50, y: 50) == 0xFFFFFF && image.pixel(x: 50, y: 150) == 0x1D5FB8)
    let svg = String(decoding: try picture.encoded(as: .svg, followedBy: [second]), as: UTF8.self)
    #expect(svg.contains("viewBox=\"0 0 200 200\""))
  }

  @Test("a picture is for its owner alone")
  func mode() throws {
    let folder = TemporaryFolder()
    try picture.write(to: folder.file("page.pdf"))
    var status = stat()
    #expect(stat(folder.file("page.pdf"), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("a draft that is not to replace leaves a file of its name as it is")
  func keeps() throws {
    let folder = TemporaryFolder()
    let path = folder.file("page.png")
    let draft = try picture.draft(to: path, replacing: false)
    #expect(folder.names == [])
    try draft.publish()
    #expect(throws: SystemError(code: EEXIST)) { try picture.draft(to: path, replacing: false).publish() }
    #expect(folder.names == ["page.png"])
  }

  @Test("signs that the typeface does not have are named, each once")
  func missingSigns() {
    #expect(PageTypeface.missing(in: "Zoë Παπα Ковалёв") == [])
    // DejaVu Sans has no CJK ideographs.
    #expect(PageTypeface.missing(in: "李 Li 李明") == ["李", "明"])
  }

  @Test("letters that join, or are written from right to left, are named, each once; others are not")
  func disorderedLetters() {
    #expect(PageTypeface.disordered(in: "Zoë Nguyễn Παπα Ковалёв Հայկ ქეთი 李明 김 ア") == [])
    #expect(PageTypeface.disordered(in: "Dr. לאה ל") == ["ל", "א", "ה"])
    #expect(PageTypeface.disordered(in: "محمد") == ["م", "ح", "د"])
    // Hindi, Thai, Khmer, Burmese, Dhivehi, N'Ko, Syriac.
    for name in ["राम", "กิน", "ខ្មែរ", "မြန်မာ", "ދިވެހި", "ߒߞߏ", "ܐܒ"] {
      #expect(!PageTypeface.disordered(in: name).isEmpty, "\(name)")
    }
  }

  @Test("an unknown ending is refused, and nothing is written")
  func unknownFormat() throws {
    let folder = TemporaryFolder()
    let path = folder.file("page.jpg")
    #expect(throws: PaperError.unknownFormat(path: path)) { try picture.write(to: path) }
    #expect(folder.names == [])
  }

  @Test("a width without pixels or beyond Cairo's is refused", arguments: [0, -5, 32_768])
  func pixelWidth(pixelWidth: Int) {
    #expect(throws: PaperError.self) { try picture.encoded(as: .png, pixelWidth: pixelWidth) }
  }

  /// The top element of a document.
  private final class Root: NSObject, XMLParserDelegate {
    var name: String?
    var attributes: [String: String] = [:]

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      guard name == nil else { return }
      name = element
      self.attributes = attributes
    }
  }
}
