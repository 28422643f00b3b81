import PaperTesting
import Testing

@testable import Paper

@Suite("Hostile pictures") struct HostilePictureTests {
  @Test("a card in the largest picture that is decoded is read")
  func largest() throws {
    let text = SampleText.card(characters: 900)
    let picture = try SampleText.picture(text, scale: 12)
    var page = GreyPicture(width: 8000, height: 5000, brightness: 255)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        page[6000 + x - picture.width / 2, 2500 + y - picture.height / 2] = picture[x, y]
      }
    }
    #expect(try PictureReader.texts(in: page.png(), within: SampleText.patience) == [text])
  }

  @Test("2,000 mutated files end in a text or a refusal")
  func mutations() throws {
    let picture = try SampleText.picture(SampleText.card(characters: 60))
    let originals = [picture.png(), picture.jpeg(quality: 80)]
    var state: UInt32 = 7
    func next(_ below: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % below
    }
    for n in 0..<2000 {
      var bytes = originals[n % 2]
      for _ in 0...next(6) {
        let place = next(n % 4 < 2 ? min(600, bytes.count) : bytes.count)
        switch next(4) {
        case 0: bytes[place] = UInt8(next(256))
        case 1: bytes[place] ^= 1 << UInt8(next(8))
        case 2: bytes.insert(UInt8(next(256)), at: place)
        default: bytes.remove(at: place)
        }
      }
      if n % 2 == 0, n % 3 > 0 {
        var chunk = 8
        while chunk + 12 <= bytes.count {
          SampleChecksum.repair(&bytes, chunk: chunk)
          chunk += 12 + bytes[chunk..<chunk + 4].reduce(0) { $0 << 8 | Int($1) }
        }
      }
      do {
        #expect(try PictureReader.texts(in: bytes).allSatisfy { !$0.isEmpty })
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test("a PDF whose bytes are mutated ends in a text or a refusal")
  func mutatedPDF() throws {
    let original = SamplePDF(pages: [try SampleText.picture(SampleText.card(characters: 60))]).bytes
    var state: UInt32 = 3
    for _ in 0..<20 {
      var bytes = original
      for _ in 0..<10 {
        state = state &* 1_664_525 &+ 1_013_904_223
        bytes[Int(state >> 8) % 700] = UInt8(state >> 24)
      }
      do {
        #expect(try !PictureReader.texts(in: bytes, within: SampleText.patience).isEmpty)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
