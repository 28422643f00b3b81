/// Why a chain cannot be built.
public enum ChainError: Error, Equatable, Sendable {
  /// The rate is none of ``ChainGeometry/sampleRates``, Hz.
  case unsupportedSampleRate(Double)
  /// The block lies outside ``ChainGeometry/blockRange``, frames.
  case unsupportedBlock(frames: Int)
  /// An ear's fitting has another number of gain curves than the layout has bands.
  case curveCount(found: Int, expected: Int)
  /// A gain curve has more knots than a band can hold.
  case tooManyKnots(band: Int, found: Int, limit: Int)
  /// A gain somewhere in a band's curve is not finite or exceeds `limit`, dB.
  case gainOutOfRange(band: Int, limit: Double)
  /// A gain curve rises or falls by more than `limit` dB per dB.
  case slopeTooSteep(band: Int, found: Double, limit: Double)
  /// A time constant cannot be reached: shorter than the level window allows, or not finite, s.
  case timeOutOfRange(name: String, found: Double, range: ClosedRange<Double>)
  /// A level is not finite or outside what the chain accepts, dB SPL.
  case levelOutOfRange(name: String, found: Double, range: ClosedRange<Double>)
  /// A share, for example the binaural link, is outside 0...1.
  case shareOutOfRange(name: String, found: Double)
  /// An effect of the treatment is not finite or outside what the chain accepts, in dB or Hz.
  case effectOutOfRange(name: String, found: Double, range: ClosedRange<Double>)
  /// FFTW could not plan a transform of this length.
  case noPlan(length: Int)
}
