/// A value of a column, of the kinds that both engines have.
public enum Value: Sendable, Hashable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// True or false as 1 or 0, which both engines store.
  public static func boolean(_ value: Bool) -> Value { .integer(value ? 1 : 0) }

  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// A whole number as well: PostgreSQL writes 2.0 as 2.
  public var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByNilLiteral
{
  public init(stringLiteral text: String) { self = .text(text) }
  public init(integerLiteral number: Int) { self = .integer(number) }
  public init(floatLiteral number: Double) { self = .real(number) }
  public init(nilLiteral: ()) { self = .null }
}

/// A row by its columns' names.
public struct Row: Sendable, Hashable {
  public let columns: [String: Value]

  public init(_ columns: [String: Value]) { self.columns = columns }

  /// Nil where there is no such column.
  public subscript(column: String) -> Value? { columns[column] }
}
