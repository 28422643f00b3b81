extension Study {
  /// True when this version comes after another of the same study: numbers between points are compared one by one, so 1.10 comes after 1.9;
  /// one that is missing counts as 0. Words are compared as texts.
  public func isLater(than other: Study) -> Bool { Self.isLater(version, than: other.version) }

  static func isLater(_ version: String, than other: String) -> Bool {
    func parts(_ text: String) -> [String] {
      text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    let (mine, others) = (parts(version), parts(other))
    for place in 0..<max(mine.count, others.count) {
      let mine = place < mine.count ? mine[place] : "0"
      let others = place < others.count ? others[place] : "0"
      guard let order = order(mine, others) else { continue }
      return order
    }
    return false
  }

  /// True for the first after the second, false for the second after the first; nil for equal ones.
  private static func order(_ first: String, _ second: String) -> Bool? {
    guard isNumber(first), isNumber(second) else { return first == second ? nil : first > second }
    let (first, second) = (digits(first), digits(second))
    guard first.count == second.count else { return first.count > second.count }
    return first == second ? nil : first > second
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { 48...57 ~= $0 }
  }

  /// Without zeros before them: a number of any length.
  private static func digits(_ text: String) -> String { String(text.drop { $0 == "0" }) }
}
