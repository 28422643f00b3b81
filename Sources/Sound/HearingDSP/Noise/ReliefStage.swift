import Acoustics
import Realtime

/// Attenuation of both ears' bands by noise reduction, impulse softening, wind relief and microphone
/// expansion.
///
/// With all effects off the gain is the prescribed one to the bit. Before one is on for the first time only wind and noise are
/// followed, so that noise reduction knows the noise when it is turned on; from then on all work further at a depth of 0, so that
/// a program that has them again takes what it would have taken all along.
///
/// - Threads: built on `control`, run on `audio`.
struct ReliefStage: ~Copyable {
  /// Longest time between two evaluations of the noise model, s: the model is most of the cost of noise
  /// reduction, and at 6 ms HASPI already loses 0.03 for N4, because onsets come late (docs/noise.md).
  static let decisionTime = 0.003

  /// Attenuation of each band in this hop, dB ≥ 0. - Shape: one per band, padded.
  private(set) var attenuation: Binaural<Buffer>
  private let bands: NoiseBands
  private var depths: ReliefDepths
  private var ears: Binaural<EarRelief>
  private var wind: WindDetector
  private let hopTime: Double
  /// Hops from one evaluation to the next; the ears take turns, so that no hop pays for both.
  private let turns: Int
  private var turn = 0
  private var hasBegun = false

  /// Findings about the surroundings.
  struct Meters {
    /// Wind blows over a microphone.
    var isWindy: Bool
  }

  var meters: Meters { Meters(isWindy: wind.isWindy) }

  init(
    _ treatment: Treatment, listeners: borrowing Binaural<NoiseListener>, layout: BandLayout,
    geometry: ChainGeometry
  ) {
    bands = NoiseBands(layout, geometry: geometry)
    depths = ReliefDepths(treatment)
    attenuation = Binaural { _ in AlignedBuffer(count: layout.stride) }
    ears = Binaural { _ in EarRelief(layout, geometry: geometry) }
    ears.left.retarget(to: listeners.left)
    ears.right.retarget(to: listeners.right)
    wind = WindDetector(layout, geometry: geometry)
    hopTime = geometry.hopTime
    turns = max(1, Int(Self.decisionTime / geometry.hopTime))
  }

  /// Moves to another treatment over its transition, and to other ears.
  mutating func retarget(to treatment: Treatment, listeners: borrowing Binaural<NoiseListener>) {
    depths.retarget(to: treatment, hopTime: hopTime)
    ears.left.retarget(to: listeners.left)
    ears.right.retarget(to: listeners.right)
  }

  /// Clears the estimates of noise, blows and wind.
  mutating func reset() {
    ears.forEach { $0.reset() }
    attenuation.forEach { $0.fill(0) }
    wind.reset()
  }

  /// Reads one hop and sets both ears' ``attenuation``.
  ///
  /// - Parameters:
  ///   - history: Newest frames, interleaved.
  ///   - frames: Length of the hop.
  ///   - spectrum: Of the history.
  ///   - powers: Mean square of each band.
  ///   - gains: Level of each band, and dB SPL of a mean square of 1.
  mutating func process(
    _ history: borrowing Buffer, frames: Int, spectrum: borrowing PairSpectrum,
    powers: borrowing Binaural<Buffer>, gains: borrowing Binaural<EarGain>
  ) {
    let (left, right) = (gains.left.table.inputOffset, gains.right.table.inputOffset)
    wind.process(powers, spectrum: spectrum, offset: left > right ? left : right)
    ears.left.processNoise(powers.left, bands)
    ears.right.processNoise(powers.right, bands)
    depths.process()
    guard hasBegun || !depths.areOff else { return }
    hasBegun = true
    let difference = ImpulseSoftening.differencePower(history, frames: frames)
    let depth = depths.impulse
    ears.forEach(difference, gains) {
      $0.impulse.process(differencePower: $1, offset: $2.table.inputOffset, depth: depth)
    }
    let softening = softening
    turn = turn + 1 < turns ? turn + 1 : 0
    ears.left.process(
      level: gains.left.level, bands: bands, depths, wind: wind, softening: softening.left,
      decides: turn == 0, into: &attenuation.left)
    ears.right.process(
      level: gains.right.level, bands: bands, depths, wind: wind, softening: softening.right,
      decides: turn == turns / 2, into: &attenuation.right)
  }

  /// Writes each effect's attenuation in the last hop.
  func read(into frame: inout Binaural<GainFrame>) {
    guard hasBegun else { return }
    let softening = softening
    (frame.left.impulseSoftening, frame.right.impulseSoftening) = (softening.left, softening.right)
    ears.left.read(into: &frame.left, bandCount: bands.count, windy: depths.wind * wind.amount, wind.shares)
    ears.right.read(
      into: &frame.right, bandCount: bands.count, windy: depths.wind * wind.amount, wind.shares)
  }

  /// Attenuation of each ear because of a blow, dB ≥ 0: of both alike, so that it keeps its direction, or
  /// each by its own.
  private var softening: Binaural<Float> {
    let (here, there) = (ears.left.impulse.attenuation, ears.right.impulse.attenuation)
    let greater = here > there ? here : there
    let apart = 1 - depths.sharing
    return Binaural(left: greater - apart * (greater - here), right: greater - apart * (greater - there))
  }
}

/// Attenuation of one ear's bands.
///
/// - Threads: built on `control`, run on `audio`.
struct EarRelief: ~Copyable {
  private var noise: NoisePower
  private var reduction: NoiseReduction
  /// Apart from the rest, because the greater finding of both ears may count.
  var impulse: ImpulseSoftening
  private var expansion: MicrophoneExpansion

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    noise = NoisePower(stride: layout.stride, geometry: geometry)
    reduction = NoiseReduction(layout, geometry: geometry)
    impulse = ImpulseSoftening(geometry: geometry)
    expansion = MicrophoneExpansion(layout, geometry: geometry)
  }

  /// Moves to another prescription or audiogram.
  mutating func retarget(to listener: borrowing NoiseListener) { reduction.retarget(to: listener) }

  /// Clears the estimates; noise reduction goes on from its attenuation in force.
  mutating func reset() {
    noise.reset()
    reduction.reset()
    impulse.reset()
    expansion.reset()
  }

  /// Follows the noise in one hop, and what stands out of it.
  mutating func processNoise(_ power: borrowing Buffer, _ bands: borrowing NoiseBands) {
    noise.process(power, bands)
    reduction.processRatios(power, noise: noise, bands: bands)
  }

  /// Writes what noise reduction, expansion and wind relief take away.
  ///
  /// - Parameter windy: Wind relief in force, dB; `shares` of it in each band.
  func read(
    into frame: inout GainFrame, bandCount: Int, windy: Float, _ shares: borrowing Buffer
  ) {
    for band in 0..<bandCount {
      frame.noiseReduction[band] = reduction.attenuation[band]
      frame.expansion[band] = expansion.attenuation[band]
      frame.windRelief[band] = shares[band] * windy
    }
  }

  /// Moves by one hop, whose noise was followed before, and writes the sum of all attenuations.
  ///
  /// - Parameters:
  ///   - wind: Share of wind relief in force, and in each band.
  ///   - softening: Attenuation of all bands because of a blow, dB.
  ///   - decides: Noise reduction evaluates its model in this hop.
  mutating func process(
    level: borrowing Buffer, bands: borrowing NoiseBands, _ depths: ReliefDepths,
    wind: borrowing WindDetector, softening: Float, decides: Bool, into attenuation: inout Buffer
  ) {
    reduction.process(level: level, bands: bands, depth: depths.noise, decides: decides)
    expansion.process(level, noise: depths.microphoneNoise, depth: depths.expansion)
    precondition(attenuation.count >= bands.stride && wind.shares.count >= bands.stride)
    let (result, shares) = unsafe (attenuation.pointer, wind.shares.pointer)
    let windy = depths.wind * wind.amount
    let (noisy, quiet) = unsafe (reduction.attenuation.pointer, expansion.attenuation.pointer)
    for band in 0..<bands.count {
      let sum = unsafe noisy[band] + quiet[band] + shares[band] * windy + softening
      unsafe result[band] = sum < EarGain.greatestRelief ? sum : EarGain.greatestRelief
    }
  }
}

/// Depth of each effect that attenuates, in force or in transition.
///
/// - Threads: built on `control`, run on `audio`.
struct ReliefDepths {
  /// Noise reduction, impulse softening, wind relief, expansion; in force, dB, not negative.
  private var depths: SIMD4<Float>
  private var targets: SIMD4<Float>
  /// dB per hop during a transition.
  private var steps = SIMD4<Float>()
  /// Noise of the microphone itself, dB(A) SPL.
  private(set) var microphoneNoise: Float
  /// Part of the way from an ear's own softening to the greater of both ears', 0...1; in force. It moves as
  /// the depths do, so that a change during a blow is no step.
  private(set) var sharing: Float
  private var targetSharing: Float
  /// Per hop during a transition.
  private var sharingStep: Float = 0

  init(_ treatment: Treatment) {
    depths = Self.depths(treatment)
    targets = depths
    microphoneNoise = Float(treatment.microphoneNoise)
    sharing = treatment.isSofteningShared ? 1 : 0
    targetSharing = sharing
  }

  var noise: Float { depths[0] }
  var impulse: Float { depths[1] }
  var wind: Float { depths[2] }
  var expansion: Float { depths[3] }

  /// Nothing is attenuated, and no effect is fading in.
  var areOff: Bool { (depths + targets).sum() == 0 }

  /// Moves to another treatment in equal steps, at least one.
  mutating func retarget(to treatment: Treatment, hopTime: Double) {
    targets = Self.depths(treatment)
    let hops = Float(max(1, treatment.transition / hopTime))
    for effect in 0..<4 { steps[effect] = abs(targets[effect] - depths[effect]) / hops }
    targetSharing = treatment.isSofteningShared ? 1 : 0
    sharingStep = abs(targetSharing - sharing) / hops
    microphoneNoise = Float(treatment.microphoneNoise)
  }

  /// Moves by one hop.
  mutating func process() {
    for effect in 0..<4 {
      depths[effect] = Self.moved(depths[effect], to: targets[effect], by: steps[effect])
    }
    sharing = Self.moved(sharing, to: targetSharing, by: sharingStep)
  }

  /// A value that is one step nearer to its target.
  private static func moved(_ value: Float, to target: Float, by step: Float) -> Float {
    let distance = target - value
    return abs(distance) <= step ? target : value + (distance > 0 ? step : -step)
  }

  private static func depths(_ treatment: Treatment) -> SIMD4<Float> {
    SIMD4(
      Float(treatment.noiseReduction), Float(treatment.impulseSoftening), Float(treatment.windReduction),
      Float(treatment.expansion))
  }
}
