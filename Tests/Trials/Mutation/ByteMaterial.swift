import CommonTesting

/// Bytes of a form of its own, whose every place can hold the end of any number.
struct ByteMaterial: MutationMaterial {
  private let bytes: [UInt8]
  /// Where single changes are made one by one: headers.
  private let places: [Int]

  /// - Parameter places: Where each extreme is put; nil: everywhere.
  init(_ bytes: [UInt8], places: Range<Int>? = nil) {
    self.bytes = bytes
    self.places = Array((places ?? bytes.indices).clamped(to: bytes.indices))
  }

  /// What is put over a place, beginning there.
  private static let extremes: [[UInt8]] = {
    func both<Number: FixedWidthInteger>(_ numbers: [Number]) -> [[UInt8]] {
      numbers.flatMap { number in
        [
          withUnsafeBytes(of: number.littleEndian) { Array($0) },
          withUnsafeBytes(of: number.bigEndian) { Array($0) },
        ]
      }
    }
    let single: [[UInt8]] = [[0], [1], [0x7F], [0x80], [0xFF]]
    return single + both([0, 1, 0x7FFF, 0x8000, 0xFFFF] as [UInt16])
      + both([0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFF0] as [UInt32])
      + both([0, 1 << 31, 1 << 32, 1 << 53, .max >> 1, 1 << 63, .max] as [UInt64])
      + both([Double.nan, .infinity, 1e308, -0.0, .leastNonzeroMagnitude].map(\.bitPattern))
      + both([Float.nan, .infinity, 1e38, -0.0, .leastNonzeroMagnitude].map(\.bitPattern))
  }()

  private static let changesOfPlace = extremes.count + 8

  var unchanged: [UInt8] { bytes }
  var count: Int { places.count * Self.changesOfPlace }

  func changed(_ number: Int) -> [UInt8] {
    var changed = bytes
    let place = places[number / Self.changesOfPlace]
    let change = number % Self.changesOfPlace
    if change < 8 {
      changed[place] ^= 1 << UInt8(change)
    } else {
      Self.put(Self.extremes[change - 8], at: place, of: &changed)
    }
    return changed
  }

  func changed(using dice: inout SeededGenerator) -> [UInt8] {
    var changed = bytes
    for _ in 0..<Self.changes(&dice) {
      guard let place = changed.indices.randomElement(using: &dice) else { break }
      // Headers matter more than what they head.
      let header = places.randomElement(using: &dice) ?? place
      let spot = dice.one(in: 2) && changed.indices.contains(header) ? header : place
      let piece = spot..<min(changed.count, spot + Int.random(in: 1...64, using: &dice))
      switch Int.random(in: 0..<10, using: &dice) {
      case 0, 1: changed[spot] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
      case 2: changed[spot] = .random(in: 0...255, using: &dice)
      case 3, 4, 5:
        Self.put(
          Self.extremes[Int.random(in: Self.extremes.indices, using: &dice)], at: spot, of: &changed)
      case 6: changed.removeSubrange(piece)
      case 7: changed.insert(contentsOf: changed[piece], at: place)
      case 8:
        changed.insert(contentsOf: piece.map { _ in UInt8.random(in: 0...255, using: &dice) }, at: spot)
      default: if dice.one(in: 3) { changed.removeSubrange(place...) }
      }
    }
    return changed
  }

  private static func put(_ extreme: [UInt8], at place: Int, of bytes: inout [UInt8]) {
    for (offset, byte) in extreme.enumerated() where place + offset < bytes.count {
      bytes[place + offset] = byte
    }
  }
}
