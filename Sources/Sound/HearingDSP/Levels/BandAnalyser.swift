import Acoustics
import Realtime

/// Band powers of both ears, read from the filter's own spectrum at low frequencies and from a shorter
/// transform above ``ChainGeometry/crossover``.
///
/// A Hann window is applied in the spectrum, where it is three taps, so the plain spectrum serves the
/// filter as well.
///
/// - Threads: built on `control`, run on `audio`.
struct BandAnalyser: ~Copyable {
  private let long: LevelWeights
  private let short: LevelWeights
  private let shortTransform: PairTransform
  private var shortSpectrum: PairSpectrum
  private var leftPower: AlignedBuffer<Float>
  private var rightPower: AlignedBuffer<Float>

  init(_ layout: BandLayout, geometry: ChainGeometry) throws(ChainError) {
    let split = layout.centres.firstIndex { $0 >= ChainGeometry.crossover } ?? layout.count
    let rate = geometry.sampleRate
    shortTransform = try PairTransform(length: geometry.analysisLength)
    long = LevelWeights(layout, covering: 0..<split, length: geometry.filterLength, sampleRate: rate)
    short = LevelWeights(
      layout, covering: split..<layout.count, length: geometry.analysisLength, sampleRate: rate)
    shortSpectrum = PairSpectrum(length: geometry.analysisLength)
    leftPower = AlignedBuffer(count: geometry.filterLength / 2)
    rightPower = AlignedBuffer(count: geometry.filterLength / 2)
  }

  /// Reads every band's power.
  ///
  /// - Parameters:
  ///   - history: The last `filterLength` frames of the pair, oldest first.
  ///   - spectrum: Their plain spectrum.
  ///   - left: Mean square of each band of the left ear, relative to a digital full scale of 1.
  ///   - right: Of the right ear.
  mutating func read(
    _ history: borrowing AlignedBuffer<Float>, spectrum: borrowing PairSpectrum,
    left: inout AlignedBuffer<Float>, right: inout AlignedBuffer<Float>
  ) {
    if long.powerCount > 0 {
      spectrum.hannPower(bins: long.powerCount, left: &leftPower, right: &rightPower)
      long.sum(leftPower, into: &left)
      long.sum(rightPower, into: &right)
    }
    if short.powerCount > 0 {
      shortSpectrum.read(history, transform: shortTransform)
      shortSpectrum.hannPower(bins: short.powerCount, left: &leftPower, right: &rightPower)
      short.sum(leftPower, into: &left)
      short.sum(rightPower, into: &right)
    }
  }
}
