/// Small matters of language in messages.
package enum English {
  /// `a, b and c`.
  package static func list(_ items: [String], _ conjunction: String) -> String {
    guard items.count > 1, let last = items.last else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// `1 xrun`, `2 xruns`.
  package static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
