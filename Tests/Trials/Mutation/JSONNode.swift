/// A JSON text taken apart, its words kept as they are written, so that one that no writer makes can be put
/// together.
struct JSONNode {
  enum Kind { case scalar, array, object }

  /// As written, with quotes; nil outside objects.
  var key: [UInt8]?
  var kind = Kind.scalar
  /// A scalar as written.
  var text: [UInt8] = []
  var members: [JSONNode] = []

  init(key: [UInt8]? = nil, kind: Kind = .scalar, text: [UInt8] = [], members: [JSONNode] = []) {
    (self.key, self.kind, self.text, self.members) = (key, kind, text, members)
  }

  /// A node without brackets around a whole text, so that the text's own node is a member like all others.
  init(whole bytes: [UInt8]) {
    var reader = JSONReader(bytes)
    self.init(kind: .scalar, members: [reader.node(key: nil)])
  }

  /// The text of all members of a node that ``init(whole:)`` made.
  var document: [UInt8] { members.flatMap(\.written) }

  /// Bytes of the whole.
  var size: Int { written.count }

  private var written: [UInt8] {
    var bytes = key.map { $0 + [UInt8(ascii: ":")] } ?? []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    let brackets: (UInt8, UInt8)
    switch kind {
    case .scalar: return bytes += text
    case .array: brackets = (UInt8(ascii: "["), UInt8(ascii: "]"))
    case .object: brackets = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    }
    bytes.append(brackets.0)
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let key = member.key { bytes += key + [UInt8(ascii: ":")] }
      member.write(to: &bytes)
    }
    bytes.append(brackets.1)
  }

  // MARK: - Places

  /// Ways to all nodes below this one.
  var paths: [[Int]] {
    members.indices.flatMap { index in
      [[index]] + members[index].paths.map { [index] + $0 }
    }
  }

  func node(at path: ArraySlice<Int>) -> JSONNode {
    guard let first = path.first, members.indices.contains(first) else { return self }
    return members[first].node(at: path.dropFirst())
  }

  mutating func apply(_ edit: JSONEdit, at path: ArraySlice<Int>) {
    guard let first = path.first, members.indices.contains(first) else { return }
    if path.count > 1 { return members[first].apply(edit, at: path.dropFirst()) }
    members.replaceSubrange(first...first, with: edit.edited(members[first]))
  }

  // MARK: - Numbers within strings

  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// Where digits begin in a string; none in what is no string.
  var numberOffsets: [Int] {
    guard kind == .scalar, text.first == UInt8(ascii: "\"") else { return [] }
    return text.indices.dropFirst().filter { Self.isDigit(text[$0]) && !Self.isDigit(text[$0 - 1]) }
  }
}

/// Takes a valid JSON text apart.
private struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func node(key: [UInt8]?) -> JSONNode {
    skipSpace()
    guard place < bytes.count else { return JSONNode(key: key) }
    switch bytes[place] {
    case UInt8(ascii: "["): return JSONNode(key: key, kind: .array, members: list(isObject: false))
    case UInt8(ascii: "{"): return JSONNode(key: key, kind: .object, members: list(isObject: true))
    default: return JSONNode(key: key, text: word())
    }
  }

  private mutating func list(isObject: Bool) -> [JSONNode] {
    var members: [JSONNode] = []
    place += 1
    while place < bytes.count {
      skipSpace()
      guard bytes[place] != UInt8(ascii: "]"), bytes[place] != UInt8(ascii: "}") else { break }
      let key = isObject ? word() : nil
      if isObject { skipSpace() }
      members.append(node(key: key))
      skipSpace()
    }
    place += 1
    return members
  }

  /// White space, and the commas and colons between values.
  private mutating func skipSpace() {
    while place < bytes.count, " \n\r\t,:".utf8.contains(bytes[place]) { place += 1 }
  }

  private mutating func word() -> [UInt8] {
    let start = place
    guard bytes[place] == UInt8(ascii: "\"") else {
      while place < bytes.count, !" \n\r\t,:]}".utf8.contains(bytes[place]) { place += 1 }
      return Array(bytes[start..<place])
    }
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place = min(place + 1, bytes.count)
    return Array(bytes[start..<place])
  }
}
