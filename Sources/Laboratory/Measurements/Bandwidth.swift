/// The range in which a response lies above the mean of 1000, 1600 and 2500 Hz less 20 dB: the band edges of
/// ANSI/ASA S3.22 (from memory), taken for the method of ANSI/CTA-2051 4.1 (from memory too).
public struct Bandwidth: Sendable, Equatable {
  /// Hz; the curve's end where it does not fall that far.
  public var lower: Double
  /// Hz; likewise.
  public var upper: Double

  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Fall that makes an edge, dB.
  static let fall = 20.0

  /// - Parameter curve: Response, dB, densely by frequency.
  init(of curve: [CurvePoint]) {
    let line = ToneCurves.highFrequencyAverage(curve) - Self.fall
    let middle = curve.firstIndex { $0.x >= 1000 } ?? 0
    self.init(
      lower: Self.edge(curve[...middle].reversed(), line), upper: Self.edge(Array(curve[middle...]), line))
  }

  /// Where the curve first falls below the line, on a straight way between its points.
  private static func edge(_ curve: [CurvePoint], _ line: Double) -> Double {
    guard let below = curve.firstIndex(where: { $0.y < line }), below > 0 else { return curve.last?.x ?? 0 }
    let (a, b) = (curve[below - 1], curve[below])
    return a.x + (a.y - line) / (a.y - b.y) * (b.x - a.x)
  }
}
