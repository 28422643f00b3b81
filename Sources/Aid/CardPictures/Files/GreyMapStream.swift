/// Pictures in portable grey map form, one after the other, as they arrive: "P5", width, height, 255, each ended
/// by white space, then the pixels.
struct GreyMapStream {
  /// A picture that would be too large, from its header.
  private(set) var tooLarge: (width: Int, height: Int)?

  private let mostPixels: Int
  private var header: [UInt8] = []
  private var size: (width: Int, height: Int)?
  private var pixels: [UInt8] = []
  private var ready: [GreyPicture] = []
  private var isBroken = false

  init(mostPixels: Int) { self.mostPixels = mostPixels }

  /// The next whole picture, nil while there is none.
  mutating func next() -> GreyPicture? { ready.isEmpty ? nil : ready.removeFirst() }

  /// Takes the next bytes of the stream.
  mutating func append(_ piece: UnsafeRawBufferPointer) {
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
  }

  private mutating func readHeader(_ byte: UInt8) {
    header.append(byte)
    guard [0x20, 0x09, 0x0A, 0x0D].contains(byte) else {
      isBroken = header.count > 32
      return
    }
    let words = String(decoding: header, as: UTF8.self).split { $0.isWhitespace }
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
