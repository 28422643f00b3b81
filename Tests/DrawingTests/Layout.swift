@testable import Drawing

/// What can go wrong with the labels of a page, found from the measured text.
enum Layout {
  /// Labels that reach beyond the page.
  static func clipped(_ picture: Picture) -> [String] {
    let metrics = TextMetrics()
    var texts: [String] = []
    for label in picture.labels where !picture.page.contains(label.bounds(metrics)) {
      texts.append(label.text)
    }
    return texts
  }

  /// Pairs of labels that cover a common area.
  static func overlapping(_ picture: Picture) -> [String] {
    let metrics = TextMetrics()
    let labels = picture.labels
    var bounds: [Rectangle] = []
    for label in labels { bounds.append(label.bounds(metrics)) }
    var pairs: [String] = []
    for i in labels.indices {
      for j in labels.indices where j > i && bounds[i].overlaps(bounds[j]) {
        pairs.append("\(labels[i].text) | \(labels[j].text)")
      }
    }
    return pairs
  }
}
