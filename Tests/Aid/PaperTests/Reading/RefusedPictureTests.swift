import Glibc
import PaperTesting
import Testing

@testable import Paper

@Suite("Refused pictures") struct RefusedPictureTests {
  private func error(_ bytes: [UInt8]) -> PaperError? {
    do {
      _ = try PictureReader.texts(in: bytes, within: SampleText.patience)
      return nil
    } catch { return error }
  }

  @Test("an empty file is refused as empty")
  func empty() { #expect(error([]) == .emptyFile) }

  @Test(
    "files of other kinds are refused by name",
    arguments: [
      ("\0\0\0\u{18}ftypheic\0\0\0\0", "a HEIC photograph"), ("GIF89a\u{1}\0\u{1}\0", "a GIF picture"),
      ("RIFF\0\0\0\0WEBPVP8 ", "a WebP picture"), ("II*\0\u{8}\0\0\0", "a TIFF picture"),
      ("<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG drawing or another XML file"),
      ("PK\u{3}\u{4}", "a ZIP archive or an office document"),
      ("shc:/5676", "the text of a card, not a picture of it"), ("hello", "a file of an unknown kind"),
    ])
  func otherKinds(content: String, name: String) {
    #expect(error(Array(content.utf8)) == .unknownKind(found: name))
  }

  @Test("the refusal of a HEIC photograph says how to save it")
  func advice() {
    let text = PaperError.unknownKind(found: "a HEIC photograph").description
    #expect(text.contains("Found a HEIC photograph") && text.contains("Save it as JPEG or PNG"))
  }

  @Test("a picture without a code says so, in each kind")
  func noCode() {
    let blank = GreyPicture(width: 600, height: 800, brightness: 255)
    #expect(error(blank.png()) == .noCode)
    #expect(error(blank.jpeg(quality: 90)) == .noCode)
    #expect(error(SamplePDF(pages: [nil]).bytes) == .noCode)
    #expect(error(GreyPicture(width: 1, height: 1, brightness: 0).png()) == .noCode)
  }

  @Test("a picture for which there was no time is not called one without a code")
  func noTime() throws {
    let picture = try SampleText.picture(SampleText.card(characters: 300))
    for bytes in [picture.png(), picture.jpeg(quality: 80)] {
      #expect(throws: PaperError.tookTooLong) { try PictureReader.texts(in: bytes, within: .zero) }
    }
  }

  @Test(
    "decoding that took all of a file's time leaves half of it for the search, and less leaves the rest")
  func timeForTheSearch() {
    let budget = WorkBudget(.seconds(1000))
    budget.charge(.seconds(300))
    let rest = PictureReader.search(on: budget).budget.limit
    // Less what this thread has used since.
    #expect(rest <= .seconds(700) && rest > .seconds(600))
    budget.charge(.seconds(5000))
    #expect(PictureReader.search(on: budget).budget.limit == .seconds(500))
  }

  @Test("a file that ends early is called damaged, wherever it ends")
  func truncated() throws {
    let picture = try SampleText.picture(SampleText.card(characters: 300))
    for bytes in [picture.png(), picture.jpeg(quality: 80), SamplePDF(pages: [picture]).bytes] {
      for share in [12, 30, bytes.count / 10, bytes.count / 3] {
        guard case .damaged? = error(Array(bytes.prefix(share))) else {
          Issue.record(
            "\(PictureKind(bytes)), \(share) bytes: \(String(describing: error(Array(bytes.prefix(share)))))"
          )
          continue
        }
      }
    }
  }

  @Test("a photograph that is cut off below its code is still read")
  func cutBelow() throws {
    let text = SampleText.card(characters: 300)
    let picture = try SampleText.picture(text)
    let blank = [UInt8](repeating: 255, count: picture.pixels.count)
    let page = GreyPicture(width: picture.width, height: 2 * picture.height, pixels: picture.pixels + blank)
    let bytes = page.jpeg(quality: 90)
    #expect(try PictureReader.texts(in: Array(bytes.dropLast(300)), within: SampleText.patience) == [text])
  }

  @Test("a header that claims 100,000 by 100,000 pixels is refused before memory is taken")
  func hugeHeaders() {
    var png = GreyPicture(width: 8, height: 8, brightness: 255).png()
    png.replaceSubrange(16..<24, with: [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0])
    SampleChecksum.repair(&png, chunk: 8)
    #expect(error(png) == .tooManyPixels(width: 100_000, height: 100_000, atMost: PNGFile.mostPixels))
    var jpeg = GreyPicture(width: 8, height: 8, brightness: 255).jpeg(quality: 90)
    // The frame header: FF C0, length, precision, height, width (ISO/IEC 10918-1, B.2.2).
    let frame = jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 }!
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(error(jpeg) == .tooManyPixels(width: 65_500, height: 65_500, atMost: JPEGFile.mostPixels))
  }

  @Test("a PDF page of ten metres is refused, not drawn")
  func hugePage() {
    let bytes = SamplePDF(pages: [nil]).bytes
    let text = String(decoding: bytes, as: UTF8.self).replacing("[0 0 595 842]", with: "[0 0 28346 28346]")
    #expect(error(Array(text.utf8)) == .pageTooLarge)
  }

  @Test("a locked PDF asks for a copy without its password")
  func locked() throws {
    var file = SamplePDF(pages: [try SampleText.picture("abc")])
    file.lock()
    #expect(error(file.bytes) == .locked)
  }

  @Test("a file of more than 64 MB is refused by its size")
  func tooManyBytes() {
    let bytes = [UInt8](repeating: 0x89, count: PictureReader.mostBytes + 1)
    #expect(error(bytes) == .tooManyBytes(found: 64_000_001))
    #expect(PaperError.tooManyBytes(found: 64_000_001).description.contains("65 MB"))
  }
}
