extension [String] {
  /// The same names, those most like `name` first.
  func nearest(to name: String) -> [String] {
    enumerated()
      .map { (distance: editDistance($0.element, name), position: $0.offset, name: $0.element) }
      .sorted { ($0.distance, $0.position) < ($1.distance, $1.position) }
      .map(\.name)
  }
}

/// Letters to insert, remove or change to make one word of another (Levenshtein 1966).
private func editDistance(_ first: String, _ second: String) -> Int {
  let letters = Array(second)
  var row = Array(0...letters.count)
  for (i, letter) in first.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in letters.enumerated() {
      let change = diagonal + (letter == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = Swift.min(change, Swift.min(row[j], row[j + 1]) + 1)
    }
  }
  return row[letters.count]
}
