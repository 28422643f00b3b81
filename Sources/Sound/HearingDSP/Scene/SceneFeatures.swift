import Acoustics
import Realtime

/// Features by which a scene is classified, from the last seconds of sound. All are differences and ratios,
/// so that neither level nor a microphone's colour changes them much.
///
/// In order: for each of eight series (see ``SceneSeries``) five distances between the shares 5, 25, 50,
/// 75, 95 and 99 % of its levels; the logarithm of the energy of each of its six bands of modulation;
/// correlation of neighbouring and next-but-one channels at the rate of syllables; skewness of the steps of
/// each series; mean and deviation of the resemblance of fine spectra at four distances in time, and of the
/// prominence of their peaks.
///
/// - Threads: built on `control`, run on `audio`.
struct SceneFeatures: ~Copyable {
  /// Number of features.
  static var count: Int { starts.pitch + 10 }
  /// First feature of each kind but the distances.
  private static var starts: (modulation: Int, correlation: Int, skewness: Int, pitch: Int) {
    (5 * 8, 5 * 8 + 6 * 8, 5 * 8 + 6 * 8 + 5, 5 * 8 + 6 * 8 + 5 + 8)
  }
  /// Stretches of half a second that are classified together, 4 s: own choice, the middle of three to five
  /// seconds; with less a speaker's pause counts as the end of speech.
  static var stretchCount: Int { 8 }
  /// Length of a stretch, s.
  static let stretchTime = 0.5

  /// Distance of a step, frames: about 46 ms.
  private static var step: Int { 4 }

  /// Sums over one stretch.
  struct Stretch: BitwiseCopyable {
    /// Energy of each modulation band, syllabic movement squared, with the next channel, with the next but
    /// one, steps squared, steps cubed.
    var vectors = InlineArray<11, SIMD8<Float>>(repeating: SIMD8())
    var pitch = SIMD16<Float>()
    /// Frames, spectra compared, power of the left and of the right ear, power above rumble.
    var scalars = SIMD8<Float>()
  }

  private var distribution = LevelDistribution(stretches: SceneFeatures.stretchCount)
  private var modulation: ModulationBank
  private var stretches = AlignedBuffer<Stretch>(count: SceneFeatures.stretchCount)
  private var recent = AlignedBuffer<SIMD8<Float>>(count: SceneFeatures.step)
  private var origin = SIMD8<Float>()
  private var isEmpty = true
  private var stretch = 0
  private var age = 0

  init(frameTime: Double) { modulation = ModulationBank(frameTime: frameTime) }

  mutating func reset() {
    distribution.reset()
    modulation.reset()
    stretches.fill(Stretch())
    isEmpty = true
    stretch = 0
    age = 0
  }

  /// Reads one frame.
  ///
  /// - Parameters:
  ///   - values: Of the eight series.
  ///   - powers: At each ear, 1 for 0 dB SPL.
  ///   - audible: Of the louder ear, without rumble.
  mutating func process(_ values: SIMD8<Float>, powers: Binaural<Float>, audible: Float) {
    if isEmpty {
      origin = values
      recent.fill(values)
      isEmpty = false
    }
    distribution.process(values, stretch: stretch)
    modulation.process(values - origin)
    var sums = stretches[stretch]
    var syllabic = SIMD8<Float>()
    for band in 0..<ModulationBank.count {
      let moved = modulation.output[band]
      sums.vectors[band] += moved * moved
      if ModulationBank.syllabic.contains(band) { syllabic += moved }
    }
    let rest = ModulationBank.count
    let next = SIMD8(syllabic[1], syllabic[2], syllabic[3], syllabic[4], syllabic[5], 0, 0, 0)
    let second = SIMD8(syllabic[2], syllabic[3], syllabic[4], syllabic[5], 0, 0, 0, 0)
    sums.vectors[rest] += syllabic * syllabic
    sums.vectors[rest + 1] += syllabic * next
    sums.vectors[rest + 2] += syllabic * second
    let slot = age % Self.step
    let change = values - recent[slot]
    recent[slot] = values
    age += 1
    sums.vectors[rest + 3] += change * change
    sums.vectors[rest + 4] += change * change * change
    sums.scalars += SIMD8(1, 0, powers.left, powers.right, audible, 0, 0, 0)
    stretches[stretch] = sums
  }

  /// Ends a stretch, computes all features, and begins the next stretch in the place of the oldest.
  ///
  /// - Parameter pitch: Of the stretch.
  /// - Returns: In `meters` the figures for display, and the level that decides on quiet, dB SPL.
  mutating func processStretch(
    pitch: borrowing PitchPattern, into result: inout Buffer, meters: inout SceneReading
  ) -> Float {
    stretches[stretch].pitch = pitch.sums
    stretches[stretch].scalars[1] = pitch.found
    let level = compute(into: &result, meters: &meters)
    stretch = (stretch + 1) % Self.stretchCount
    distribution.reset(stretch: stretch)
    stretches[stretch] = Stretch()
    return level
  }

  private func compute(into result: inout Buffer, meters: inout SceneReading) -> Float {
    precondition(result.count >= Self.count)
    var (total, pitch) = (SIMD8<Float>(), SIMD16<Float>())
    for index in 0..<Self.stretchCount {
      total += stretches[index].scalars
      pitch += stretches[index].pitch
    }
    let frames = max(total[0], 1)
    computeSpread(into: &result, frames: frames)
    computeModulation(into: &result, frames: frames)
    let patterns = max(total[1], 1)
    for index in 0..<5 {
      // Four resemblances and the prominence, each followed by its square.
      let place = index < 4 ? index : 8
      let mean = pitch[place] / patterns
      let square = pitch[place + (index < 4 ? 4 : 1)] / patterns
      result[Self.starts.pitch + 2 * index] = mean
      result[Self.starts.pitch + 2 * index + 1] = Decibel.squareRoot(max(square - mean * mean, 0))
    }
    meters.level = Decibel.fromPower(max(total[2], total[3]) / frames + 1e-6)
    meters.levelAboveBackground =
      distribution.level(0.95, series: 6, frames: frames)
      - distribution.level(0.05, series: 6, frames: frames)
    meters.syllabicModulation = syllabicShare()
    meters.tonality = min(max(pitch[1] / patterns, 0), 1)
    return Decibel.fromPower(total[4] / frames + 1e-6)
  }

  private func computeSpread(into result: inout Buffer, frames: Float) {
    let shares = SIMD8<Float>(0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0, 0)
    for series in 0..<8 {
      var below = distribution.level(shares[0], series: series, frames: frames)
      for index in 0..<5 {
        let level = distribution.level(shares[index + 1], series: series, frames: frames)
        result[5 * series + index] = level - below
        below = level
      }
    }
  }

  private func computeModulation(into result: inout Buffer, frames: Float) {
    let starts = Self.starts
    for band in 0..<ModulationBank.count {
      let energy = sum(band) / frames
      for series in 0..<8 {
        // 0.01 dB² is less than the movement of any sound.
        result[starts.modulation + 8 * band + series] = Decibel.fromPower(energy[series] + 0.01)
      }
    }
    let rest = ModulationBank.count
    let (own, neighbour, second) = (sum(rest), sum(rest + 1), sum(rest + 2))
    for index in 0..<5 {
      let (channel, distance) = index < 3 ? (index + 1, 1) : (index - 2, 2)
      let common = distance == 1 ? neighbour[channel] : second[channel]
      let both = Decibel.squareRoot(own[channel] * own[channel + distance] + 0.01)
      result[starts.correlation + index] = common / both
    }
    let (squares, cubes) = (sum(rest + 3) / frames, sum(rest + 4) / frames)
    for series in 0..<8 {
      let square = squares[series] + 0.01
      result[starts.skewness + series] = cubes[series] / (square * Decibel.squareRoot(square))
    }
  }

  /// Share of the modulation of the range of speech that lies at 2–8 Hz.
  private func syllabicShare() -> Float {
    var (all, syllabic): (Float, Float) = (0, 0)
    for band in 0..<ModulationBank.count {
      let energy = sum(band)[6]
      all += energy
      if ModulationBank.syllabic.contains(band) { syllabic += energy }
    }
    return syllabic / (all + 1e-6)
  }

  @inline(__always) private func sum(_ vector: Int) -> SIMD8<Float> {
    var result = SIMD8<Float>()
    for index in 0..<Self.stretchCount { result += stretches[index].vectors[vector] }
    return result
  }
}
