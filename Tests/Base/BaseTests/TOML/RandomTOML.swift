import CommonTesting

/// Writes a TOML document and notes the line of each key as it goes.
struct RandomTOML {
  private(set) var text = ""
  private(set) var lines: [[String]: Int] = [:]
  private var line = 1
  private var serial = 0
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed) }

  mutating func writeDocument() {
    for _ in 0..<pick(4) { writePair([]) }
    for _ in 0..<pick(5) {
      writeBlank()
      if pick(3) == 0 { writeArrayOfTables() } else { writeTable() }
    }
  }

  // MARK: - Structure

  private mutating func writeTable() {
    let path = (0...pick(2)).map { _ in newKey() }
    for count in 1...path.count { lines[Array(path[..<count])] = line }
    emit("[" + path.map { quoted($0) }.joined(separator: pick(2) == 0 ? "." : " . ") + "]")
    writeLineEnd()
    for _ in 0..<pick(4) { writePair(path) }
  }

  private mutating func writeArrayOfTables() {
    let name = newKey()
    for element in 0...pick(2) {
      if element == 0 { lines[[name]] = line }
      let path = [name, "\(element)"]
      // A header is a better place for a table than anything before it.
      lines[path] = line
      emit("[[\(quoted(name))]]")
      writeLineEnd()
      for _ in 0..<pick(3) { writePair(path) }
      if pick(2) == 0 {
        let inner = newKey()
        lines[path + [inner]] = line
        emit("[\(quoted(name)).\(quoted(inner))]")
        writeLineEnd()
        for _ in 0..<pick(3) { writePair(path + [inner]) }
      }
    }
  }

  private mutating func writePair(_ table: [String]) {
    writeBlank()
    writeKeyAndValue(table, depth: 0)
    writeLineEnd()
  }

  private mutating func writeKeyAndValue(_ table: [String], depth: Int) {
    let key = (0...pick(2)).map { _ in newKey() }
    for count in 1...key.count { lines[table + key[..<count]] = line }
    emit(key.map { quoted($0) }.joined(separator: ".") + " = ")
    writeValue(table + key, depth: depth)
  }

  private mutating func writeValue(_ path: [String], depth: Int) {
    switch pick(depth < 3 ? 11 : 9) {
    case 0: emit("\(pick(1000))")
    case 1: emit("-1.5e3")
    case 2: emit("true")
    case 3: emit("1979-05-27 07:32:00")
    case 4: emit(#""a = 1 # \" [ \\""#)
    case 5: emit("'b = 2 \\'")
    case 6: emit("\"\"\"\nc = 3\n[d]\n\\\"\"\" x\"\"\"\"")
    case 7: emit("'''e\n#'f'' = '''")
    case 8: emit("\"\"")
    case 9: writeArray(path, depth: depth)
    default: writeInlineTable(path, depth: depth)
    }
  }

  private mutating func writeArray(_ path: [String], depth: Int) {
    emit("[")
    for element in 0..<pick(4) {
      if element > 0 { emit(",") }
      if pick(2) == 0 { emit(" # ] , comment\n") }
      lines[path + ["\(element)"]] = line
      writeValue(path + ["\(element)"], depth: depth + 1)
      if pick(3) == 0 { emit("\n  ") }
    }
    emit("]")
  }

  private mutating func writeInlineTable(_ path: [String], depth: Int) {
    emit("{ ")
    for entry in 0..<pick(3) {
      if entry > 0 { emit(", ") }
      writeKeyAndValue(path, depth: depth + 1)
    }
    emit(" }")
  }

  // MARK: - Text

  private mutating func writeBlank() {
    for _ in 0..<pick(3) { emit(["\n", "# comment = 1\n", "  \t\n", "#[x]\n"][pick(4)]) }
  }

  private mutating func writeLineEnd() { emit([" # end\n", "\n", "\r\n"][pick(3)]) }

  private mutating func emit(_ piece: String) {
    text += piece
    line += piece.utf8.count { $0 == UInt8(ascii: "\n") }
  }

  private mutating func newKey() -> String {
    serial += 1
    return ["k\(serial)", "k-\(serial)", "k.\(serial)", "k \(serial)"][pick(6) % 4]
  }

  private mutating func quoted(_ key: String) -> String {
    let isBare = !key.contains { $0 == "." || $0 == " " }
    return switch pick(4) {
    case 0: "\"\(key)\""
    case 1: "'\(key)'"
    default: isBare ? key : "\"\(key)\""
    }
  }

  private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
}
