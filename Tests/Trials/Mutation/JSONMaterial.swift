import CommonTesting

/// A JSON text whose every member can be removed, repeated, renamed and pushed to its extremes.
struct JSONMaterial: MutationMaterial {
  private let document: JSONNode
  /// Way to each node, and the number of the first of its changes.
  private let places: [(path: [Int], start: Int)]
  let count: Int
  var unchanged: [UInt8] { document.document }

  /// - Parameter bytes: A valid text.
  init(_ bytes: [UInt8]) {
    document = JSONNode(whole: bytes)
    var places: [(path: [Int], start: Int)] = []
    var count = 0
    for path in document.paths {
      places.append((path, count))
      count += JSONEdit.all(for: document.node(at: path[...])).count
    }
    self.places = places
    self.count = count
  }

  func changed(_ number: Int) -> [UInt8] {
    let place = places.last { $0.start <= number } ?? (path: [0], start: 0)
    let edits = JSONEdit.all(for: document.node(at: place.path[...]))
    var changed = document
    changed.apply(edits[number - place.start], at: place.path[...])
    return changed.document
  }

  func changed(using dice: inout SeededGenerator) -> [UInt8] {
    var changed = document
    for _ in 0..<Self.changes(&dice) {
      let paths = changed.paths
      guard !paths.isEmpty else { break }
      let path = paths[Int.random(in: paths.indices, using: &dice)]
      let edits = JSONEdit.all(for: changed.node(at: path[...]))
      changed.apply(edits[Int.random(in: edits.indices, using: &dice)], at: path[...])
    }
    return changed.document
  }
}

/// One change of a node.
enum JSONEdit {
  case put([UInt8])
  case remove
  case `repeat`(Int)
  case rename([UInt8])
  case clear
  case wrap
  /// Another number in the place of the digits that begin at an offset in a string.
  case number(at: Int, [UInt8])

  /// Greatest size of what repeating makes, bytes.
  private static let greatest = 1_000_000

  static func all(for node: JSONNode) -> [JSONEdit] {
    var edits = Extremes.all.map { JSONEdit.put($0) }
    edits += [.remove, .repeat(2), .repeat(max(2, min(1000, greatest / max(1, node.size)))), .wrap]
    if node.key != nil {
      edits += ["\"\"", "\"x\"", "\"resourceType\"", "\"\\u0000\"", "1"].map { .rename(Array($0.utf8)) }
    }
    if !node.members.isEmpty { edits.append(.clear) }
    for offset in node.numberOffsets { edits += Extremes.numbers.map { .number(at: offset, $0) } }
    return edits
  }

  /// What becomes of a node.
  func edited(_ node: JSONNode) -> [JSONNode] {
    var node = node
    switch self {
    case .put(let text): return [JSONNode(key: node.key, text: text)]
    case .remove: return []
    case .repeat(let count): return [JSONNode](repeating: node, count: count)
    case .rename(let key): node.key = key
    case .clear: node.members = []
    case .wrap:
      let key = node.key
      node.key = nil
      return [JSONNode(key: key, kind: .array, members: [node])]
    case .number(let offset, let digits):
      let end = node.text[offset...].firstIndex { !JSONNode.isDigit($0) } ?? node.text.count
      node.text.replaceSubrange(offset..<end, with: digits)
    }
    return [node]
  }
}
