extension Double {
  /// The number for a message: at most two decimals, none where there are none: `1000`, `62.5`, `-3.25`.
  package var shortText: String {
    let hundredths = (self * 100).rounded()
    // Beyond this a double has no hundredths, and 64 bits may not hold them.
    guard hundredths.isFinite, abs(hundredths) < 1e15 else { return "\(self)" }
    let rounded = hundredths / 100
    return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
  }
}
