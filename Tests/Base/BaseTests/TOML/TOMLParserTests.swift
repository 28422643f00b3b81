import CommonTesting
import Testing

@testable import Base

@Suite("TOML") struct TOMLParserTests {
  /// The line of every key and element, by path.
  private func lines(_ text: [UInt8]) throws -> [[String]: Int] {
    var lines: [[String]: Int] = [:]
    Self.collect(try TOMLParser.document(text), at: [], into: &lines)
    return lines
  }

  private func lines(_ text: String) throws -> [[String]: Int] { try lines([UInt8](text.utf8)) }

  private func line(_ path: String..., in text: String) throws -> Int? { try lines(text)[path] }

  private static func collect(_ table: TOMLTable, at path: [String], into lines: inout [[String]: Int]) {
    for key in table.keys {
      lines[path + [key]] = table.line(of: key)
      table[key].map { collect($0.value, at: path + [key], into: &lines) }
    }
  }

  private static func collect(_ value: TOMLValue, at path: [String], into lines: inout [[String]: Int]) {
    switch value {
    case .table(let table): collect(table, at: path, into: &lines)
    case .array(let array):
      for (i, element) in array.elements.enumerated() {
        lines[path + ["\(i)"]] = element.line
        collect(element.value, at: path + ["\(i)"], into: &lines)
      }
    default: break
    }
  }

  @Test("a key in a table stands on its own line, after comments and blank lines")
  func plainKeys() throws {
    let text = "# one\n\n[device]\n# [device.period]\nrate = 48000 # period = 1\n\nperiod = 64\n"
    #expect(try line("device", in: text) == 3)
    #expect(try line("device", "rate", in: text) == 5)
    #expect(try line("device", "period", in: text) == 7)
    #expect(try lines(text).count == 3)
  }

  @Test("dotted, quoted and spaced keys reach the same path as plain ones")
  func dottedKeys() throws {
    let text = """
      a.b.c = 1
      "d" . 'e'."f\\u0067" = 2
      [ g . "h.i" ]
      j = 3
      """
    #expect(try line("a", in: text) == 1)
    #expect(try line("a", "b", "c", in: text) == 1)
    #expect(try line("d", "e", "fg", in: text) == 2)
    #expect(try line("g", "h.i", in: text) == 3)
    #expect(try line("g", "h.i", "j", in: text) == 4)
  }

  @Test("a table's own header is its place, even when a table inside it came first")
  func headers() throws {
    let text = "[a.b]\nx = 1\n[a]\ny = 2\n"
    #expect(try line("a", in: text) == 3)
    #expect(try line("a", "b", in: text) == 1)
    #expect(try line("a", "y", in: text) == 4)
  }

  @Test("keys written inside strings are not keys")
  func strings() throws {
    let text = #"""
      a = "x = 1 # \" ["
      b = 'c:\'
      c = """
      d = 1
      [e]
      \""" still " and "" inside
      """
      f = '''
      g = 1
      ' and '' inside'''
      h = """"quoted""""
      i = """x"""""
      j = ''
      k = """"""
      l = "\\"
      m = 1
      """#
    let expected = [
      "a": 1, "b": 2, "c": 3, "f": 8, "h": 11, "i": 12, "j": 13, "k": 14, "l": 15, "m": 16,
    ]
    #expect(try lines(text) == Dictionary(uniqueKeysWithValues: expected.map { ([$0], $1) }))
  }

  @Test("elements of an array have the line on which they stand")
  func arrays() throws {
    let text = """
      a = [ 1, 2,
        # 3,
        4, "]", [5,
        6], { b = [
        7 ], c = 8 },
      ]
      d = 1979-05-27 07:32:00
      e = [[]]
      """
    #expect(try line("a", "0", in: text) == 1)
    #expect(try line("a", "1", in: text) == 1)
    #expect(try line("a", "2", in: text) == 3)
    #expect(try line("a", "3", in: text) == 3)
    #expect(try line("a", "4", "0", in: text) == 3)
    #expect(try line("a", "4", "1", in: text) == 4)
    #expect(try line("a", "5", "b", in: text) == 4)
    #expect(try line("a", "5", "c", in: text) == 5)
    #expect(try line("d", in: text) == 7)
    #expect(try line("e", "0", in: text) == 8)
  }

  @Test("inline tables, nested and with strings over several lines")
  func inlineTables() throws {
    let text = "a = { b.c = 1, d = { e = '''\n\n''', f = 2 }, g = [ { h = 3 } ] }\ni = {}\n"
    #expect(try line("a", "b", "c", in: text) == 1)
    #expect(try line("a", "d", "e", in: text) == 1)
    #expect(try line("a", "d", "f", in: text) == 3)
    #expect(try line("a", "g", "0", "h", in: text) == 3)
    #expect(try line("i", in: text) == 4)
  }

  @Test("a header inside an array of tables means its last element")
  func arraysOfTables() throws {
    let text = "[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\nb = 3\n[[a.e]]\nf = 4\n[[a.e]]\nf = 5\n[a.c]\nd = 6\n"
    #expect(try line("a", "0", "b", in: text) == 2)
    #expect(try line("a", "0", "c", "d", in: text) == 4)
    #expect(try line("a", "1", "b", in: text) == 6)
    #expect(try line("a", "1", "e", "0", "f", in: text) == 8)
    #expect(try line("a", "1", "e", "1", "f", in: text) == 10)
    #expect(try line("a", "1", "c", "d", in: text) == 12)
  }

  @Test("Windows line ends and a byte order mark change nothing")
  func lineEnds() throws {
    let text = [0xEF, 0xBB, 0xBF] + [UInt8]("[a]\r\nb = 1\r\nc = \"\"\"\r\n\"\"\"\r\nd = 2".utf8)
    #expect(try lines(text) == [["a"]: 1, ["a", "b"]: 2, ["a", "c"]: 3, ["a", "d"]: 5])
  }

  @Test("a thousand random documents: every key is found on the line where it was written")
  func randomDocuments() throws {
    for seed in 0..<1000 {
      var writer = RandomTOML(seed: UInt64(seed))
      writer.writeDocument()
      let lines = try lines(writer.text)
      #expect(lines == writer.lines, "seed \(seed):\n\(writer.text)")
      if lines != writer.lines { return }
    }
  }

  @Test("any bytes at all are read to an end without a trap")
  func rubbish() {
    var random = SeededGenerator(7)
    let alphabet = [UInt8](#"[]{}.,=#"'\abu0 "#.utf8) + [0x0A, 0x0D, 0xFF, 0x00]
    for _ in 0..<5000 {
      let count = Int(random.next() % 40)
      let bytes = (0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
      _ = try? TOMLParser.document(bytes)
    }
  }

  @Test("a good document with one byte changed, lost or added is read to an end without a trap")
  func damage() {
    var random = SeededGenerator(11)
    for seed in 0..<300 {
      var writer = RandomTOML(seed: UInt64(seed))
      writer.writeDocument()
      for _ in 0..<10 where !writer.text.isEmpty {
        var bytes = [UInt8](writer.text.utf8)
        let place = Int(random.next() % UInt64(bytes.count))
        let byte = UInt8(truncatingIfNeeded: random.next())
        switch random.next() % 3 {
        case 0: bytes[place] = byte
        case 1: bytes.remove(at: place)
        default: bytes.insert(byte, at: place)
        }
        _ = try? TOMLParser.document(bytes)
      }
    }
  }
}
