/// Whether gain is what the rule prescribes, as `check` and `reload` say it.
enum GainText {
  /// A clause without a full stop.
  ///
  /// - Parameter cap: Greatest gain while an end is not calibrated, dB; nil: none is held back.
  static func clause(isFitted: Bool, cap: Double?) -> String {
    guard isFitted else { return "not fitted, nothing is amplified" }
    guard let cap else { return "fitted, gain as prescribed" }
    return "fitted, gain held to \(Int(cap)) dB until both ends are calibrated"
  }
}
