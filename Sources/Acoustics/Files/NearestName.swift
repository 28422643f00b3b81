/// The name among `candidates` that a misspelt word was most likely meant to be.
///
/// - Returns: The one with the fewest letters to insert, delete, change or swap, if at most a third of the
///   longer word.
func nearestName(to word: String, among candidates: [String]) -> String? {
  // No name that is known here is longer, and the work grows with the length.
  let word = String(word.prefix(64))
  let best = candidates.map { (name: $0, distance: editDistance(word, $0)) }.min {
    $0.distance < $1.distance
  }
  guard let best, best.distance * 3 <= max(word.count, best.name.count) else { return nil }
  return best.name
}

/// Letters to insert, delete, change or swap with their neighbour to turn one word into the other (optimal
/// string alignment).
private func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a), Array(b))
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var least = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
      row.append(least)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
