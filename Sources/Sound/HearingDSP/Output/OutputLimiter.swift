import Glibc
import Realtime

/// Limiter of the output, the last stage before the ear, which no sound bypasses.
///
/// Two measures, both below the limit. The peak: no sample exceeds the peak of a sine at the limit. The
/// level: sound may lie above the limit only for as long as the crest of a low tone does. Every sample's
/// square beyond the limit's mean square fills a store, every one below it empties it, and the gain is
/// such that the store holds no more than ``allowance``. So any stretch of sound of length T has at most
/// the level of the limit plus 10·log10(1 + allowance/T), 0.33 dB over 10 ms, from its first sample on,
/// while a sine at the limit passes unchanged from 200 Hz up and a square wave, whose level equals its
/// peak, is held 3 dB lower.
///
/// The whole hop is present, so the gain falls ahead of its peaks, over ``lookAhead``, and no delay is
/// added; at a peak at the hop's very start it falls at once. A clamp follows, and a non-finite sample
/// silences the hop.
///
/// - Threads: `audio`.
struct OutputLimiter: ~Copyable {
  /// Time for which sound of twice the limit's power may last, s. A sine of frequency f at the limit needs
  /// 1/(2πf), a square wave would use it up and go on.
  static let allowance = 0.0008
  /// Time over which the gain falls to a new level, s.
  static let fall = 0.000_36
  /// Time constant with which the level's gain recovers, s (CHAPRO `tst_gha.c`).
  static let release = 0.050
  /// Time constant with which a peak's gain recovers, s. Sound that lasts above the limit is held by the
  /// level's gain, whose sine does not reach the allowed peak; there remain crests, in speech one per pitch
  /// period. Own choice: 2 ms give the gain back before the next one (5 ms at 200 Hz), where 50 ms held
  /// whole vowels 1 dB down for crests of half a millisecond (HASQI of N6 for speech at 65 dB SPL 0.85, now
  /// 0.91); below 2 ms there is little to gain.
  static let peakRelease = 0.002
  /// Time constant with which the gain falls ahead of a later peak of the hop, s. Own choice: as long as a
  /// hop of 1.45 ms permits; at 0.3 ms the edge itself was audible (HASQI of S3 for speech at 80 dB SPL
  /// 0.02 lower).
  static let lookAhead = 0.001
  /// Speed with which a limit rises to a higher one, dB per s, so that an active limiter releases
  /// gradually. Own choice; the greatest step, 60 to 120 dB SPL, takes 0.6 s.
  static let limitRise = 100.0
  /// Least share of the limit's power left while the store empties: 1.5 dB.
  private static var leastShare: Float { 0.7 }

  private var limits: OutputLimits.Ear
  /// Peak allowed now: that of ``limits``, or on its way up to it.
  private var limitPeak: Float
  private let riseFactor: Float
  /// Least gain of the last hop, linear: 1 when idle.
  private var gain: Float = 1
  /// Mean square of the last hop before limiting.
  private var inputPower: Float = 0
  /// The same after limiting.
  private var outputPower: Float = 0
  /// Content of the store: samples at the limit's mean square.
  private var excess: Float = 0
  private var levelGain: Float = 1
  private var peakGain: Float = 1
  private var needed: Buffer
  private let allowed: Float
  private let fallFrames: Int
  private let releasePerSample: Float
  private let peakReleasePerSample: Float
  private let approachPerSample: Float

  init(_ limits: OutputLimits.Ear, geometry: ChainGeometry) {
    self.limits = limits
    limitPeak = limits.peak
    riseFactor = Float(pow(10, Self.limitRise * geometry.hopTime / 20))
    needed = AlignedBuffer(count: geometry.longestHop)
    allowed = Float(Self.allowance * geometry.sampleRate)
    fallFrames = Int((Self.fall * geometry.sampleRate).rounded())
    releasePerSample = Float(1 - exp(-1 / (Self.release * geometry.sampleRate)))
    peakReleasePerSample = Float(1 - exp(-1 / (Self.peakRelease * geometry.sampleRate)))
    approachPerSample = Float(exp(1 / (Self.lookAhead * geometry.sampleRate)))
  }

  /// Empties the store; gains return to 1.
  mutating func reset() {
    gain = 1
    excess = 0
    inputPower = 0
    outputPower = 0
    levelGain = 1
    peakGain = 1
  }

  /// Moves to other limits; behind silence at once, where there is nothing to release.
  mutating func retarget(to limits: OutputLimits.Ear) {
    self.limits = limits
    if outputPower == 0 { limitPeak = limits.peak }
  }

  /// Limits one hop in place.
  ///
  /// - Parameter samples: The hop's samples, `start ..< start + frames`.
  /// - Returns: False when a sample was not finite; the hop is then silence.
  mutating func process(_ samples: inout Samples, from start: Int, frames: Int) -> Bool {
    let risen = limitPeak * riseFactor
    limitPeak = limits.peak < risen ? limits.peak : risen
    // Both limits stand for one level: their ratio stays.
    let share = limitPeak / limits.peak
    let limitPower = limits.power * share * share
    let (square, peak) = Self.measure(samples, from: start, frames: frames)
    // A NaN compares false with everything; a square overflows long before a peak does.
    guard square < .infinity, peak < .infinity else {
      for n in start..<start + frames { samples[n] = 0 }
      reset()
      return false
    }
    inputPower = square / Float(frames)
    let newLevelGain = levelTarget(square, frames: frames, limitPower: limitPower)
    if newLevelGain == 1, levelGain == 1, peakGain == 1, peak <= limitPeak {
      gain = 1
      outputPower = inputPower
    } else {
      shape(&samples, from: start, frames: frames, levelTo: newLevelGain, limitPeak: limitPeak)
    }
    fillStore(samples, from: start, frames: frames, peak: peak, limitPower: limitPower)
    return true
  }

  /// Reports the last hop.
  func read(into report: inout OutputReport.Ear) {
    report.inputPower = inputPower
    report.power = outputPower
    report.limitShare = outputPower / limits.power
    report.limiterGain = gain
  }

  /// Sum of squares and greatest magnitude, in four lanes that do not wait for each other.
  private static func measure(
    _ samples: borrowing Samples, from start: Int, frames: Int
  ) -> (square: Float, peak: Float) {
    var squares = SIMD4<Float>()
    var (lowest, highest) = (SIMD4<Float>(), SIMD4<Float>())
    let whole = frames / 4 * 4
    precondition(start >= 0 && start + frames <= samples.count)
    for n in stride(from: start, to: start + whole, by: 4) {
      let four = unsafe SIMD4(
        samples[unchecked: n], samples[unchecked: n + 1], samples[unchecked: n + 2],
        samples[unchecked: n + 3])
      squares += four * four
      lowest.replace(with: four, where: four .< lowest)
      highest.replace(with: four, where: four .> highest)
    }
    var square = squares.sum()
    // Lane by lane: the library's maximum of a vector is a call of its own.
    var peak: Float = 0
    for lane in 0..<4 { peak = max(peak, max(highest[lane], -lowest[lane])) }
    for n in start + whole..<start + frames {
      square += samples[n] * samples[n]
      peak = max(peak, abs(samples[n]))
    }
    return (square, peak)
  }

  /// Gain at the end of the hop with which the store stays within its allowance; rises no faster than the
  /// release.
  ///
  /// The gain falls in a line from g₀ to g₁ over a share r of the hop, so a hop of evenly spread energy E
  /// lets E·(r·(g₀² + g₀g₁ + g₁²)/3 + (1 − r)·g₁²) through; that must not exceed the rest of the allowance.
  @inline(__always) private func levelTarget(_ square: Float, frames: Int, limitPower: Float) -> Float {
    let length = Float(frames)
    let energy = min(square / limitPower, 1e30)
    let left = max(length + allowed - excess, Self.leastShare * length)
    if energy * levelGain * levelGain <= left {
      let target = energy <= left ? 1 : squareRoot(left / energy)
      let recovered = levelGain + min(1, releasePerSample * length) * (target - levelGain)
      return recovered > 0.9999 ? 1 : recovered
    }
    let r = min(1, Float(fallFrames) / length)
    let (a, b) = (1 - r * (2 / 3), r * levelGain / 3)
    let c = r * levelGain * levelGain / 3 - left / energy
    let least = squareRoot(Self.leastShare * length / energy)
    guard c < 0 else { return min(least, levelGain) }
    let exact = (squareRoot(b * b - 4 * a * c) - b) / (2 * a)
    return min(max(exact, least), levelGain)
  }

  /// Fills and empties the store by the output.
  private mutating func fillStore(
    _ samples: borrowing Samples, from start: Int, frames: Int, peak: Float, limitPower: Float
  ) {
    let perSample = 1 / limitPower
    if peak * peak <= limitPower {
      // Nothing fills it, so the order of the samples does not matter. The output does not exceed the
      // input.
      excess = max(0, excess + (outputPower * perSample - 1) * Float(frames))
      return
    }
    var store = excess
    for n in start..<start + frames { store = max(0, store + (samples[n] * samples[n] * perSample - 1)) }
    excess = store
  }

  private mutating func shape(
    _ samples: inout Samples, from start: Int, frames: Int, levelTo: Float, limitPeak: Float
  ) {
    // Level gain falls quickly and rises over the whole hop; then the gain that each peak still needs.
    let way = levelTo < levelGain ? min(fallFrames, frames) : frames
    let step = (levelTo - levelGain) / Float(way)
    var level = levelGain
    for n in 0..<frames {
      level = n < way - 1 ? level + step : levelTo
      samples[start + n] *= level
      needed[n] = min(1, limitPeak / max(abs(samples[start + n]), 1e-9))
    }
    levelGain = levelTo
    // Backwards: the gain may rise towards a later peak's need only so fast.
    var ahead: Float = 1
    for n in stride(from: frames - 1, through: 0, by: -1) {
      ahead = min(needed[n], min(1, ahead * approachPerSample))
      needed[n] = ahead
    }
    // Forwards: it recovers more slowly.
    var least = peakGain
    var square: Float = 0
    for n in 0..<frames {
      peakGain = min(needed[n], peakGain + peakReleasePerSample * (1 - peakGain))
      least = min(least, peakGain)
      let limited = samples[start + n] * peakGain
      let clamped = min(max(limited, -limitPeak), limitPeak)
      square += clamped * clamped
      samples[start + n] = clamped
    }
    if peakGain > 0.9999 { peakGain = 1 }
    gain = least * levelGain
    outputPower = square / Float(frames)
  }
}
