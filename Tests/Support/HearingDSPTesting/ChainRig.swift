import Acoustics
import Fitting
import Glibc
import HearingDSP
import Realtime

/// A chain on the bench: calibrated so that 0 dB FS is 120 dB SPL on both sides, with sound put in and
/// levels read by formula.
struct ChainRig: ~Copyable {
  static let fullScale = SoundPressureLevel(120)
  let geometry: ChainGeometry
  let bands: BandLayout
  var chain: LimitedChain

  /// An ear with the given curves, which neither its bands nor its output limit, unless told.
  static func ear(_ curves: [GainCurve], limit: Double = 120, bandLimit: Double? = nil) -> EarFitting {
    EarFitting(
      curves: curves,
      bandLimits: curves.map { _ in SoundPressureLevel(bandLimit ?? limit) },
      outputLimit: SoundPressureLevel(limit), inputAtFullScale: fullScale,
      outputAtFullScale: curves.map { _ in fullScale })
  }

  /// The same gain, dB, at all levels in all bands.
  static func flat(_ gain: Double, bands: BandLayout = .standard) throws -> [GainCurve] {
    let curve = try GainCurve(linear: gain)
    return bands.centres.map { _ in curve }
  }

  /// Gain in all bands that is constant up to 40 dB SPL and compressed above.
  static func compressive(
    _ ratio: Double, gain: Double = 20, bands: BandLayout = .standard
  ) throws -> [GainCurve] {
    let knot = GainCurve.Knot(level: SoundPressureLevel(40), gain: gain)
    let curve = try GainCurve(knots: [knot], slopeAbove: 1 / ratio - 1)
    return bands.centres.map { _ in curve }
  }

  /// - Parameters:
  ///   - rise: Time from silence to full sound, s; 0.05 is the shortest the chain takes.
  ///   - streaming: Source of streamed sound.
  init(
    _ ears: Binaural<EarFitting>, dynamics: Dynamics = Dynamics(), treatment: Treatment = .plain,
    sampleRate: Double = 44_100, frames: Int = 64, bands: BandLayout = .standard, rise: Double = 0.05,
    streaming: StreamingFeed? = nil
  ) throws {
    let geometry = try ChainGeometry(sampleRate: sampleRate, blockFrames: frames)
    let parameters = try ChainParameters(
      ears, dynamics: dynamics, treatment: treatment, bands: bands, geometry: geometry)
    var chain = try LimitedChain(
      geometry: geometry, bands: bands, parameters: parameters, rise: rise, streaming: streaming)
    chain.open()
    self.geometry = geometry
    self.bands = bands
    self.chain = chain
  }

  /// A setting for this rig's chain.
  func parameters(_ ears: Binaural<EarFitting>, dynamics: Dynamics = Dynamics()) throws -> ChainParameters {
    try ChainParameters(ears, dynamics: dynamics, bands: bands, geometry: geometry)
  }

  /// Sends whole blocks through the chain, as the audio thread would: denormals are flushed, and
  /// RealtimeSanitizer watches where it is linked. What is left over at the end stays silent.
  mutating func run(_ left: [Float], _ right: [Float]) -> (left: [Float], right: [Float]) {
    precondition(left.count == right.count, "ears of different length")
    let frames = geometry.blockFrames
    var leftResult = [Float](repeating: 0, count: left.count)
    var rightResult = leftResult
    let control = flushDenormals()
    for start in stride(from: 0, through: left.count - frames, by: frames) {
      var leftSpan = leftResult.mutableSpan
      var rightSpan = rightResult.mutableSpan
      var leftBlock = leftSpan._mutatingExtracting(start..<start + frames)
      var rightBlock = rightSpan._mutatingExtracting(start..<start + frames)
      let leftInput = left.span.extracting(start..<start + frames)
      let rightInput = right.span.extracting(start..<start + frames)
      RealtimeScope.enter()
      chain.process(left: leftInput, right: rightInput, intoLeft: &leftBlock, intoRight: &rightBlock)
      RealtimeScope.exit()
    }
    control.restore()
    return (leftResult, rightResult)
  }

  /// Sends the same sound into both ears; whole blocks, rounded up with silence.
  mutating func run(_ both: [Float]) -> (left: [Float], right: [Float]) {
    let frames = geometry.blockFrames
    let missing = (frames - both.count % frames) % frames
    let padded = both + [Float](repeating: 0, count: missing)
    return run(padded, padded)
  }

  /// Samples that `seconds` last, rounded up to whole blocks.
  func count(_ seconds: Double) -> Int {
    let frames = Double(geometry.blockFrames)
    return Int((seconds * geometry.sampleRate / frames).rounded(.up) * frames)
  }
}
