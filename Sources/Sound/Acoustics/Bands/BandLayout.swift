/// The frequency bands that levels are read in and gains prescribed for.
///
/// Neighbouring bands meet at the geometric mean of their centres. The first band reaches down to 0 Hz, the
/// last one up without end; a user with a sample rate cuts it at half that.
///
/// - Threads: any.
public struct BandLayout: Sendable, Hashable {
  /// Numbers of bands accepted.
  public static let counts = 1...40

  /// Centres accepted, Hz.
  public static let frequencies = 50.0...20_000.0

  /// Twenty bands, 125–12500 Hz: every audiometric frequency up to 8 kHz is a centre.
  public static let standard = BandLayout(
    checked: [
      125, 250, 375, 500, 750, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 7000,
      8000, 10_000, 12_500,
    ])

  /// Centre frequencies, Hz, strictly increasing.
  public let centres: [Double]

  /// Edges, Hz: `edges[b]..<edges[b + 1]` is band `b`; the first is 0, the last infinity.
  ///
  /// - Shape: `count + 1`.
  public let edges: [Double]

  /// Number of bands.
  public var count: Int { centres.count }

  /// Creates a layout from centre frequencies, Hz.
  ///
  /// - Throws: ``BandLayoutError``.
  public init(centres: [Double]) throws(BandLayoutError) {
    guard Self.counts.contains(centres.count) else { throw .countOutOfRange(centres.count) }
    for (index, frequency) in centres.enumerated() {
      guard Self.frequencies.contains(frequency) else {
        throw .centreOutOfRange(index: index, frequency: frequency)
      }
      guard index == 0 || centres[index - 1] < frequency else { throw .unorderedCentre(index: index) }
    }
    self.init(checked: centres)
  }

  private init(checked centres: [Double]) {
    self.centres = centres
    edges = [0] + zip(centres, centres.dropFirst()).map { ($0 * $1).squareRoot() } + [.infinity]
  }
}

/// Why frequencies do not make a band layout.
public enum BandLayoutError: Error, Equatable {
  /// Not 1…40 bands.
  case countOutOfRange(Int)
  /// A centre is not within 50…20000 Hz, or not a number; `index` is the first such.
  case centreOutOfRange(index: Int, frequency: Double)
  /// A centre does not lie above the one before it; `index` is the first such.
  case unorderedCentre(index: Int)
}
