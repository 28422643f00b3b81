import CPQ
import Records

/// Parameters as libpq takes them: texts, with their types where PostgreSQL could mistake them.
struct PostgresParameters {
  /// Numbers of PostgreSQL's types (pg_type.dat); 0: as the statement needs it.
  private enum Kind {
    static let bytes = Oid(17)
    static let integer = Oid(20)
    static let text = Oid(25)
    static let real = Oid(701)
  }

  let types: [Oid]
  /// Each text with the zero that ends it, one behind the other.
  private let texts: [UInt8]
  /// Place in ``texts`` at which each begins; nil for NULL.
  private let starts: [Int?]

  var count: Int32 { Int32(types.count) }

  init(_ values: [Value]) {
    types = values.map { value in
      switch value {
      case .null: 0
      case .integer: Kind.integer
      case .real: Kind.real
      case .text: Kind.text
      case .bytes: Kind.bytes
      }
    }
    var texts: [UInt8] = []
    starts = values.map { value in
      let start = texts.count
      switch value {
      case .null: return nil
      case .integer(let number): texts += "\(number)".utf8
      case .real(let number): texts += "\(number)".utf8
      case .text(let text): texts += text.utf8
      case .bytes(let bytes): texts += "\\x".utf8 + Self.hexadecimal(bytes)
      }
      texts.append(0)
      return start
    }
    self.texts = texts
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  /// - Parameter body: Gets a pointer to each text, nil for NULL.
  func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    texts.withUnsafeBytes { bytes in
      let first = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return body(starts.map { start in start.flatMap { offset in first.map { $0 + offset } } })
    }
  }
}

/// Rows of a result.
enum PostgresRows {
  static func of(_ result: OpaquePointer) -> [Row] {
    let columns = (0..<PQnfields(result)).map {
      ($0, String(cString: PQfname(result, $0)), PQftype(result, $0))
    }
    return (0..<PQntuples(result)).map { row in
      Row(
        Dictionary(columns.map { column, name, type in (name, value(result, row, column, type)) }) {
          first, _ in first
        })
    }
  }

  private static func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32, _ type: Oid) -> Value {
    guard PQgetisnull(result, row, column) == 0 else { return .null }
    let text = String(cString: PQgetvalue(result, row, column))
    switch type {
    // int8, int2, int4, oid
    case 20, 21, 23, 26: return Int(text).map { .integer($0) } ?? .text(text)
    // float4, float8, numeric
    case 700, 701, 1700: return Double(text).map { .real($0) } ?? .text(text)
    case 16: return .boolean(text == "t")
    case 17: return .bytes(bytes(text))
    default: return .text(text)
    }
  }

  /// Of `\x0a1b`.
  private static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8.dropFirst(2))
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
      UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
    }
  }
}
