/// A place in a text: where a value begins, or where reading stopped.
package struct TextPosition: Sendable, Hashable {
  /// From 1.
  package var line: Int
  /// Bytes before it, from 0.
  package var offset: Int

  package init(line: Int = 1, offset: Int = 0) {
    self.line = line
    self.offset = offset
  }
}
