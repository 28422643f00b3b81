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
  /// Mean square of each band in the last hop, relative to a digital full scale of 1. - Shape: one per
  /// band, padded.
  private(set) var power: Binaural<Buffer>
  private let long: LevelWeights
  private let short: LevelWeights
  private let shortTransform: PairTransform
  private var shortSpectrum: PairSpectrum
  private var binPower: Binaural<Buffer>

  init(_ layout: BandLayout, geometry: ChainGeometry) throws(ChainError) {
    let split = layout.centres.firstIndex { $0 >= ChainGeometry.crossover } ?? layout.count
    let rate = geometry.sampleRate
    shortTransform = try PairTransform(length: geometry.analysisLength)
    long = LevelWeights(layout, covering: 0..<split, length: geometry.filterLength, sampleRate: rate)
    short = LevelWeights(
      layout, covering: split..<layout.count, length: geometry.analysisLength, sampleRate: rate)
    shortSpectrum = PairSpectrum(length: geometry.analysisLength)
    binPower = Binaural { _ in AlignedBuffer(count: geometry.filterLength / 2) }
    power = Binaural { _ in AlignedBuffer(count: layout.stride) }
  }

  /// Reads every band's power.
  ///
  /// - Parameters:
  ///   - history: The last `filterLength` frames of the pair, oldest first.
  ///   - spectrum: Their plain spectrum.
  mutating func process(_ history: borrowing Buffer, spectrum: borrowing PairSpectrum) {
    if long.powerCount > 0 {
      spectrum.hannPower(bins: long.powerCount, into: &binPower)
      long.sum(binPower.left, into: &power.left)
      long.sum(binPower.right, into: &power.right)
    }
    if short.powerCount > 0 {
      shortSpectrum.process(history, transform: shortTransform)
      shortSpectrum.hannPower(bins: short.powerCount, into: &binPower)
      short.sum(binPower.left, into: &power.left)
      short.sum(binPower.right, into: &power.right)
    }
  }
}
