import Base

/// Parts of an occurrence's id, `log/2026-03-29/1`.
public struct OccurrenceName: Sendable, Hashable {
  public let task: String
  public let date: CalendarDate?

  public init(_ id: String) {
    let parts = id.split(separator: "/")
    task = parts.dropLast(2).joined(separator: "/")
    date = parts.dropLast().last.flatMap { CalendarDate(String($0)) }
  }
}
