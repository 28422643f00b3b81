import Glibc
import Testing

@testable import CardPictures

@Suite("Hostile pictures") struct HostilePictureTests {
  /// Processor time of this thread, so that other tests beside this one do not count.
  private func seconds(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    body()
    return now() - start
  }

  @Test("a page of nothing but finder patterns ends within a second")
  func finderField() {
    var page = GreyPicture(width: 1200, height: 1200, brightness: 255)
    for y in 0..<1200 {
      for x in 0..<1200 {
        let ring = max(abs(x / 3 % 9 - 4), abs(y / 3 % 9 - 4))
        page[x, y] = ring == 4 || ring == 2 ? 255 : 0
      }
    }
    #expect(seconds { _ = PictureReader.texts(in: page) } < 1)
  }

  @Test("noise, a chessboard and fine lines end within a second")
  func textures() {
    var state: UInt32 = 1
    var noise = GreyPicture(width: 2000, height: 2000, brightness: 0)
    var board = noise
    var lines = noise
    for y in 0..<2000 {
      for x in 0..<2000 {
        state = state &* 1_664_525 &+ 1_013_904_223
        noise[x, y] = UInt8(state >> 24)
        board[x, y] = (x / 4 + y / 4) % 2 == 0 ? 0 : 255
        lines[x, y] = [0, 255, 0, 0, 0, 255, 0, 255][x / 3 % 8]
      }
    }
    for page in [noise, board, lines] { #expect(seconds { _ = PictureReader.texts(in: page) } < 1) }
  }

  @Test("a strip one pixel high and a million wide ends within a second")
  func strip() {
    let strip = GreyPicture(width: 1_000_000, height: 1, brightness: 90).png()
    #expect(seconds { _ = try? PictureReader.texts(in: strip) } < 1)
  }

  @Test("the largest picture that is decoded ends within a second, and a card in it is read")
  func largest() throws {
    let text = SampleText.card(characters: 900)
    let picture = try SampleText.picture(text, scale: 12)
    var page = GreyPicture(width: 8000, height: 5000, brightness: 255)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        page[6000 + x - picture.width / 2, 2500 + y - picture.height / 2] = picture[x, y]
      }
    }
    let bytes = page.png()
    var texts: [String]?
    #expect(seconds { texts = try? PictureReader.texts(in: bytes) } < 1)
    #expect(texts == [text])
    let blank = GreyPicture(width: 8000, height: 5000, brightness: 128).png()
    #expect(seconds { _ = try? PictureReader.texts(in: blank) } < 1)
  }

  @Test("2,000 mutated files end in a text or a refusal, each within a second")
  func mutations() throws {
    let picture = try SampleText.picture(SampleText.card(characters: 60))
    let originals = [picture.png(), picture.jpeg(quality: 80)]
    var state: UInt32 = 7
    func next(_ below: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % below
    }
    var slowest = 0.0
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
      slowest = max(slowest, seconds { _ = try? PictureReader.texts(in: bytes) })
    }
    #expect(slowest < 1)
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
        #expect(try !PictureReader.texts(in: bytes).isEmpty)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
