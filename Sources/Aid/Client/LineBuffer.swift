/// Puts lines together from what arrives in pieces, within a limit.
package struct LineBuffer {
  package enum Line: Equatable {
    /// Without its line break (`\n` or `\r\n`).
    case whole([UInt8])
    /// Longer than the limit; nothing more can be read.
    case tooLong
  }

  /// Greatest length of a line without its break, bytes.
  package let limit: Int
  private var bytes: ArraySlice<UInt8> = []
  /// Before this there is no line break.
  private var searched = 0

  package init(limit: Int) { self.limit = limit }

  /// Bytes that wait.
  package var count: Int { bytes.count }

  /// True when ``next()`` gives a line.
  package var hasNext: Bool { count > limit || bytes[searched...].contains(.newline) }

  package mutating func append(_ new: some Sequence<UInt8>) { bytes.append(contentsOf: new) }

  /// The next line, or nil when none is complete.
  package mutating func next() -> Line? {
    guard let end = bytes[searched...].firstIndex(of: .newline) else {
      searched = bytes.endIndex
      return count > limit ? .tooLong : nil
    }
    let line = bytes[..<end]
    guard line.count <= limit else { return .tooLong }
    bytes = bytes[(end + 1)...]
    searched = end + 1
    return .whole(Array(line.last == .carriageReturn ? line.dropLast() : line))
  }

  /// The rest after the last bytes: a last line without its break.
  package mutating func remainder() -> [UInt8] {
    defer { self = LineBuffer(limit: limit) }
    return Array(bytes)
  }
}
