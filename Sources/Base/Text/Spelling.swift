/// Finds the name that a misspelt word was most likely meant to be.
package enum Spelling {
  /// The candidate nearest to `word`; nil when none is nearer than a third of the word's letters (at least
  /// 2).
  ///
  /// An underscore counts as a hyphen, because many people write keys with one.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    // No name that is known here is longer, and the work grows with the length.
    let word = String(word.prefix(64).map { $0 == "_" ? "-" : $0 })
    let limit = max(2, word.count / 3)
    return
      candidates
      .map { (distance(word, $0), $0) }
      .filter { $0.0 <= limit && $0.0 < $0.1.count }
      .min { $0 < $1 }?.1
  }

  /// Least number of letters to insert, delete, replace or swap with their neighbour that turn `a` into
  /// `b` (optimal string alignment; Damerau 1964, doi:10.1145/363958.363994).
  ///
  /// - Complexity: O(`a.count` · `b.count`).
  package static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
