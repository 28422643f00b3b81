import Acoustics
import Realtime

/// What is taken from both ears' gain because there is noise, a blow or wind: fills ``EarGain/relief``.
///
/// While nothing is turned on only the wind is watched for, and the gain is the prescribed one to the bit.
///
/// - Threads: built on `control`, run on `audio`.
struct PairRelief: ~Copyable {
  /// Time from one answer of the noise model to the next, at most, s: the model is most of what noise reduction
  /// costs, and of 6 ms HASPI already loses 0.03 for N4, because onsets come late (docs/noise.md).
  static let decisionTime = 0.003

  private let bands: NoiseBands
  private var depths: ReliefDepths
  private var left: EarRelief
  private var right: EarRelief
  private(set) var wind: WindDetector
  private let hopTime: Double
  /// Hops from one answer to the next; the ears take turns, so that no hop pays for both.
  private let turns: Int
  private var turn = 0
  private var isAtWork = false

  init(_ treatment: Treatment, layout: BandLayout, geometry: ChainGeometry) {
    bands = NoiseBands(layout, geometry: geometry)
    depths = ReliefDepths(treatment)
    left = EarRelief(layout, stride: bands.stride, geometry: geometry)
    right = EarRelief(layout, stride: bands.stride, geometry: geometry)
    wind = WindDetector(layout, stride: bands.stride, hopTime: geometry.hopTime)
    hopTime = geometry.hopTime
    turns = max(1, Int(Self.decisionTime / geometry.hopTime))
  }

  /// Sets out for another treatment over its transition.
  mutating func retarget(_ treatment: Treatment) { depths.retarget(treatment, hopTime: hopTime) }

  /// Forgets what was heard.
  mutating func reset() {
    left.reset()
    right.reset()
    wind.reset()
  }

  /// Reads one hop and fills both ears' relief.
  ///
  /// - Parameters:
  ///   - history: The newest frames, interleaved.
  ///   - frames: Length of the hop.
  ///   - spectrum: Of the history.
  ///   - leftGain: Left ear with this hop's band powers and levels.
  ///   - rightGain: Right ear.
  mutating func update(
    _ history: borrowing AlignedBuffer<Float>, frames: Int, spectrum: borrowing PairSpectrum,
    left leftGain: inout EarGain, right rightGain: inout EarGain
  ) {
    let (leftOffset, rightOffset) = (leftGain.table.inputOffset, rightGain.table.inputOffset)
    wind.update(
      left: leftGain.bandPower, right: rightGain.bandPower, spectrum: spectrum,
      offset: leftOffset > rightOffset ? leftOffset : rightOffset)
    depths.advance()
    if depths.areOff {
      rest(&leftGain, &rightGain)
      return
    }
    isAtWork = true
    let blow = ImpulseSoftening.differencePower(history, frames: frames)
    left.readImpulse(blow.left, offset: leftOffset, depth: depths.impulse.current)
    right.readImpulse(blow.right, offset: rightOffset, depth: depths.impulse.current)
    // Both ears together, so that a blow stays where it came from.
    let (here, there) = (left.impulse.attenuation, right.impulse.attenuation)
    let softening = here > there ? here : there
    turn = turn + 1 < turns ? turn + 1 : 0
    left.update(
      &leftGain, bands: bands, depths: depths, wind: wind, softening: softening, decides: turn == 0)
    right.update(
      &rightGain, bands: bands, depths: depths, wind: wind, softening: softening, decides: turn == turns / 2
    )
  }

  /// With everything turned off: lets go, and forgets, so that noise is learned anew when turned on again.
  private mutating func rest(_ leftGain: inout EarGain, _ rightGain: inout EarGain) {
    guard isAtWork else { return }
    isAtWork = false
    left.release()
    right.release()
    leftGain.relief.fill(0)
    rightGain.relief.fill(0)
  }
}
