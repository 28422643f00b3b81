/// The typeface of all pages.
package enum PageTypeface {
  /// Characters for which it has no sign, each once, in the order of the text; a page shows a box for each.
  ///
  /// - Threads: any but audio.
  package static func missing(in text: String) -> [Character] {
    let metrics = TextMetrics()
    var missing: [Character] = []
    for character in text where !missing.contains(character) && !metrics.hasSigns(for: character) {
      missing.append(character)
    }
    return missing
  }
}
