/// Why frequencies do not make a band layout.
public enum BandLayoutError: Error, Equatable {
  /// Not 1…40 bands.
  case countOutOfRange(Int)
  /// A centre is not within 50…20000 Hz, or not a number; `index` is the first such.
  case centreOutOfRange(index: Int, frequency: Double)
  /// A centre does not lie above the one before it; `index` is the first such.
  case unorderedCentre(index: Int)
}
