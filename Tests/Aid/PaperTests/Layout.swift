@testable import Paper

/// Places on a page, and faults of its labels by the measured text.
enum Layout {
  /// Labels that reach beyond the page.
  static func clipped(_ picture: Picture) -> [String] {
    labels(picture).filter { !picture.page.contains($0.bounds) }.map(\.text)
  }

  /// Pairs of labels, or a label and a sign, that cover a common area.
  static func overlapping(_ picture: Picture) -> [String] {
    let labels = labels(picture)
    let things = labels + signs(picture)
    var pairs: [String] = []
    for i in labels.indices {
      for j in things.indices where j > i && labels[i].bounds.overlaps(things[j].bounds) {
        pairs.append("\(labels[i].text) | \(things[j].text)")
      }
    }
    return pairs
  }

  /// Place of the code, of its dark modules.
  static func codeFrame(_ picture: Picture) throws -> Rectangle {
    for case .fill(let path, .code) in picture.marks { return path.extent }
    throw PaperError.emptyText
  }

  private static func labels(_ picture: Picture) -> [(text: String, bounds: Rectangle)] {
    let metrics = TextMetrics()
    var labels: [(String, Rectangle)] = []
    for label in picture.labels { labels.append((label.text, label.bounds(metrics))) }
    return labels
  }

  /// Symbols, and the samples of keys: all that is shorter than 20 points and stands outside the plots'
  /// data, which leaves out grid lines and frames.
  private static func signs(_ picture: Picture) -> [(text: String, bounds: Rectangle)] {
    picture.marks.compactMap { mark in
      let (text, bounds): (String, Rectangle) =
        switch mark {
        case .stroke(let path, let stroke): ("line", path.extent.inset(by: -stroke.width / 2))
        case .fill(let path, _): ("area", path.extent)
        case .symbol(let symbol):
          ("\(symbol.marker)", symbol.marker.path(at: symbol.centre, size: symbol.size).extent)
        case .label, .clipped, .cells: ("", picture.page)
        }
      return max(bounds.width, bounds.height) < 20 ? (text, bounds) : nil
    }
  }
}
