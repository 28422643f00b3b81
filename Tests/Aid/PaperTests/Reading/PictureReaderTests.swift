import PaperTesting
import Testing

@testable import Paper

@Suite("Picture reader") struct PictureReaderTests {
  @Test("a card comes back from PNG, JPEG and PDF", arguments: [900, 1190, 1900])
  func roundTrip(characters: Int) throws {
    let text = SampleText.card(characters: characters)
    let picture = try SampleText.picture(text)
    #expect(try PictureReader.texts(in: picture.png(), within: SampleText.patience) == [text])
    #expect(try PictureReader.texts(in: picture.jpeg(quality: 40), within: SampleText.patience) == [text])
    #expect(
      try PictureReader.texts(in: SamplePDF(pages: [picture]).bytes, within: SampleText.patience) == [text])
  }

  @Test("all codes of a picture are read, also of different sizes", arguments: [2, 3, 6])
  func several(count: Int) throws {
    let texts = (0..<count).map { SampleText.card(characters: 200 + 100 * $0, seed: UInt32($0 + 1)) }
    let pictures = try texts.map { try SampleText.picture($0) }
    let side = pictures.map(\.width).max()!
    var page = GreyPicture(width: 2 * side, height: (count + 1) / 2 * side, brightness: 255)
    for (k, picture) in pictures.enumerated() {
      for y in 0..<picture.height {
        for x in 0..<picture.width { page[k % 2 * side + x, k / 2 * side + y] = picture[x, y] }
      }
    }
    #expect(Set(try PictureReader.texts(in: page.png(), within: SampleText.patience)) == Set(texts))
  }

  @Test("the same code twice is told once")
  func twice() throws {
    let text = SampleText.card(characters: 100)
    let picture = try SampleText.picture(text)
    let page = GreyPicture(
      width: picture.width, height: 2 * picture.height, pixels: picture.pixels + picture.pixels)
    #expect(PictureReader.texts(in: page, within: SampleText.patience) == [text])
  }

  @Test("an inverted code, light on dark, is read")
  func inverted() throws {
    let text = SampleText.card(characters: 900)
    #expect(
      PictureReader.texts(in: try SampleText.picture(text).inverted, within: SampleText.patience) == [text])
  }

  @Test("a mirrored or upside-down photograph of 12 million pixels is read")
  func large() throws {
    let text = SampleText.card(characters: 900)
    let picture = try SampleText.picture(text, scale: 10)
    var page = GreyPicture(width: 4000, height: 3000, brightness: 200)
    for y in 0..<picture.height {
      for x in 0..<picture.width { page[3000 - x, 2000 - y] = picture[x, y] }
    }
    #expect(try PictureReader.texts(in: page.jpeg(quality: 80), within: SampleText.patience) == [text])
  }

  @Test("large and small modules are read", arguments: [2, 5, 15, 40])
  func moduleSizes(scale: Int) throws {
    #expect(
      PictureReader.texts(in: try SampleText.picture("abc 123", scale: scale), within: SampleText.patience)
        == ["abc 123"])
  }

  @Test("codes on the first five pages of a PDF are read, and no further pages")
  func pages() throws {
    let texts = [SampleText.card(characters: 300), SampleText.card(characters: 310, seed: 9)]
    let pictures = try texts.map { try SampleText.picture($0) }
    let three = SamplePDF(pages: [pictures[0], nil, pictures[1]]).bytes
    #expect(try PictureReader.texts(in: three, within: SampleText.patience) == texts)
    let six = SamplePDF(pages: [nil, nil, nil, nil, nil, pictures[0]]).bytes
    #expect(throws: PaperError.noCodeOnPages(atMost: 5)) {
      try PictureReader.texts(in: six, within: SampleText.patience)
    }
  }

  @Test("what is said of a PDF without a code on its first pages tells how many were looked at")
  func pagesInWords() {
    let words = PaperError.noCodeOnPages(atMost: 5).description
    #expect(words.contains("on the first 5 pages of the PDF file, and no others are looked at"))
  }

  @Test("a photograph in four inks is read, in either form in which programs write it")
  func fourInks() throws {
    let text = SampleText.card(characters: 900)
    let luminous = try SampleText.picture(text).inkJPEG(quality: 80)
    #expect(try PictureReader.texts(in: luminous, within: SampleText.patience) == [text])
    // The other form: Adobe's marker FF EE says that no conversion was made (its last byte; 2 is YCCK).
    var plain = luminous
    let marker = try #require(
      plain.indices.dropLast(16).first { plain[$0] == 0xFF && plain[$0 + 1] == 0xEE })
    #expect(plain[marker + 4..<marker + 9].elementsEqual("Adobe".utf8) && plain[marker + 15] == 2)
    plain[marker + 15] = 0
    #expect(try PictureReader.texts(in: plain, within: SampleText.patience) == [text])
  }

  @Test("four inks become the brightness that they are printed with", arguments: [0, 100, 255] as [UInt8])
  func brightness(of grey: UInt8) throws {
    let page = GreyPicture(width: 32, height: 16, brightness: grey)
    let (picture, fault) = try JPEGFile.picture(page.inkJPEG(quality: 95))
    #expect(fault == nil && picture.width == 32 && picture.height == 16)
    // An even area loses a step or two by its coding.
    #expect(picture.pixels.allSatisfy { abs(Int($0) - Int(grey)) <= 2 })
  }

  @Test("a PDF of 10,000 pages is read from its first")
  func manyPages() throws {
    let text = SampleText.card(characters: 300)
    let pages = [try SampleText.picture(text)] + [GreyPicture?](repeating: nil, count: 9999)
    #expect(
      try PictureReader.texts(in: SamplePDF(pages: pages).bytes, within: SampleText.patience) == [text])
  }

  @Test("a PDF without a drawing program says what to install")
  func noProgram() {
    #expect(throws: PaperError.noPDFReader) { try PDFFile([], places: ["/nonexistent/pdftoppm"]) }
    #expect(PaperError.noPDFReader.description.contains("Install poppler-utils"))
  }
}
