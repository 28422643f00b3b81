import Acoustics
import Base
import Fitting
import HearingDSP
import Realtime

/// Processor time of working out a chain's parameters: what a change of settings costs control before it is heard.
///
/// The smallest hop and the slowest release: the attack and release times of every band are found by playing a step
/// through a model hop by hop, so short hops and long times cost most.
struct ParameterTime: Codable {
  /// Median of the rounds, s.
  let median: Double

  init(rounds: Int) throws {
    let bands = BandLayout.standard
    let geometry = try ChainGeometry(sampleRate: 96_000, blockFrames: 16)
    let curves = try NALRPCompressive(compressionRatio: 2).curves(
      for: StandardAudiogram.n3.audiogram, bands: bands)
    let ear = EarFitting(
      curves: curves, bandLimits: curves.map { _ in BenchedChain.limit }, outputLimit: BenchedChain.limit,
      inputAtFullScale: BenchedChain.fullScale,
      outputAtFullScale: curves.map { _ in BenchedChain.fullScale })
    let dynamics = Dynamics(attack: 0.005, release: 10)
    median =
      Spread(
        try (0..<rounds).map { _ in
          let start = SystemTime.thread
          _ = try ChainParameters(Binaural(both: ear), dynamics: dynamics, bands: bands, geometry: geometry)
          return SystemTime.thread - start
        }
      ).median
  }
}
