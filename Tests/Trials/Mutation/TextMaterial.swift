import CommonTesting

/// A text of words and lines, a table or a configuration, each of which can be removed, repeated and pushed to
/// its extremes.
struct TextMaterial: MutationMaterial {
  private enum Edit {
    case put([UInt8])
    case remove
    case `repeat`(Int)
    /// The whole line of the word.
    case removeLine
    case repeatLine(Int)
    /// The line goes to the beginning.
    case raiseLine
    /// Everything from here on is cut off.
    case cut
  }

  /// What is done to each word, the extremes first.
  private static let edits: [Edit] =
    Extremes.all.map { .put($0) } + [
      .remove, .repeat(2), .repeat(1000), .removeLine, .repeatLine(2), .repeatLine(1000), .raiseLine, .cut,
    ]

  private let bytes: [UInt8]
  private let words: [Range<Int>]

  init(_ text: String) { self.init(Array(text.utf8)) }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    words = Self.words(of: bytes)
  }

  var unchanged: [UInt8] { bytes }
  var count: Int { words.count * Self.edits.count }

  func changed(_ number: Int) -> [UInt8] {
    var changed = bytes
    Self.apply(
      Self.edits[number % Self.edits.count], to: words[number / Self.edits.count], of: &changed)
    return changed
  }

  func changed(using dice: inout SeededGenerator) -> [UInt8] {
    var changed = bytes
    for _ in 0..<Self.changes(&dice) {
      let words = Self.words(of: changed)
      guard let word = words.randomElement(using: &dice) else { break }
      if dice.one(in: 4) {
        // Another word of the same text: what is good elsewhere may not be good here.
        let other = Array(changed[words[Int.random(in: words.indices, using: &dice)]])
        changed.replaceSubrange(word, with: other)
      } else {
        Self.apply(Self.edits[Int.random(in: Self.edits.indices, using: &dice)], to: word, of: &changed)
      }
    }
    return changed
  }

  private static func apply(_ edit: Edit, to word: Range<Int>, of bytes: inout [UInt8]) {
    let newline = UInt8(ascii: "\n")
    let start = bytes[..<word.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[word.upperBound...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
    let line = Array(bytes[start..<end])
    switch edit {
    case .put(let text): bytes.replaceSubrange(word, with: text)
    case .remove: bytes.removeSubrange(word)
    case .repeat(let count):
      let text = Array(bytes[word])
      bytes.insert(contentsOf: repeated(text, count), at: word.lowerBound)
    case .removeLine: bytes.removeSubrange(start..<end)
    case .repeatLine(let count): bytes.insert(contentsOf: repeated(line, count), at: start)
    case .raiseLine:
      bytes.removeSubrange(start..<end)
      bytes.insert(contentsOf: line, at: 0)
    case .cut: bytes.removeSubrange(word.lowerBound...)
    }
  }

  private static func repeated(_ text: [UInt8], _ count: Int) -> [UInt8] {
    let most = max(1, min(count, 1_000_000 / max(1, text.count)))
    return (0..<most).flatMap { _ in text }
  }

  /// Runs of letters, digits, signs and points, and every other byte but spaces by itself.
  private static func words(of bytes: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      let isPart =
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        || "+-._".utf8.contains(byte)
      if isPart {
        if start == nil { start = index }
        continue
      }
      if let first = start { words.append(first..<index) }
      start = nil
      if byte != UInt8(ascii: " ") { words.append(index..<index + 1) }
    }
    if let first = start { words.append(first..<bytes.count) }
    return words
  }
}
