import Glibc
import Realtime

/// The last stage before the ear: nothing by-passes it.
///
/// Two measures, both below the limit. The level: a mean square smoothed over 10 ms may not exceed the limit, so a
/// square wave, whose level equals its peak, is held 3 dB lower than a sine of the same peak. The peak: no sample exceeds
/// the peak of a sine at the limit. The gain needed for a peak is known as far ahead as the hop in hand reaches, and
/// falls towards it over ``lookAhead``; a peak at the hop's very start is met at once. No delay is added. A clamp
/// follows, and a non-finite sample silences the hop.
///
/// - Threads: `audio`.
struct OutputLimiter: ~Copyable {
  /// Time over which the level is averaged, s: longer than half a period of the lowest band's centre, so that the
  /// waveform of a low tone is not taken for its level.
  static let averaging = 0.010
  /// Time constant of the recovery, s (CHAPRO `tst_gha.c`).
  static let release = 0.050
  /// Time constant with which the gain falls ahead of a peak that is still to come in this hop, s.
  static let lookAhead = 0.0003

  /// Least gain of the last hop, linear: 1 when idle.
  private(set) var gain: Float = 1
  /// Mean square of the last hop after limiting.
  private(set) var outputPower: Float = 0
  private var power: Float = 0
  private var levelGain: Float = 1
  private var peakGain: Float = 1
  private var needed: AlignedBuffer<Float>
  private let averagingPerSample: Float
  private let releasePerSample: Float
  private let approachPerSample: Float

  init(geometry: ChainGeometry) {
    needed = AlignedBuffer(count: geometry.longestHop)
    averagingPerSample = Float(1 / (Self.averaging * geometry.sampleRate))
    releasePerSample = Float(1 - exp(-1 / (Self.release * geometry.sampleRate)))
    approachPerSample = Float(exp(1 / (Self.lookAhead * geometry.sampleRate)))
  }

  /// Forgets the past.
  mutating func reset() {
    gain = 1
    power = 0
    outputPower = 0
    levelGain = 1
    peakGain = 1
  }

  /// Limits one hop in place.
  ///
  /// - Parameters:
  ///   - samples: The hop's samples, `start ..< start + frames`.
  ///   - limitPower: Greatest mean square.
  ///   - limitPeak: Greatest magnitude, at most 1.
  /// - Returns: False when a sample was not finite; the hop is then silence.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func limit(
    _ samples: inout MutableSpan<Float>, from start: Int, frames: Int, limitPower: Float, limitPeak: Float
  ) -> Bool {
    let (square, peak) = Self.measure(samples, from: start, frames: frames)
    // A NaN compares false with everything; a square overflows long before a peak does.
    guard square < .infinity, peak < .infinity else {
      for n in start..<start + frames { samples[n] = 0 }
      reset()
      return false
    }
    let newLevelGain = levelTarget(square, frames: frames, limitPower: limitPower)
    if newLevelGain == 1, levelGain == 1, peakGain == 1, peak <= limitPeak {
      gain = 1
      outputPower = square / Float(frames)
      return true
    }
    shape(
      &samples, from: start, frames: frames, levelTo: newLevelGain, limitPeak: limitPeak)
    return true
  }

  /// Sum of squares and greatest magnitude, in four lanes that do not wait for each other.
  #if RT_LINT
    @_noAllocation
  #endif
  private static func measure(
    _ samples: borrowing MutableSpan<Float>, from start: Int, frames: Int
  ) -> (square: Float, peak: Float) {
    var squares = SIMD4<Float>()
    var (lowest, highest) = (SIMD4<Float>(), SIMD4<Float>())
    let whole = frames / 4 * 4
    for n in stride(from: start, to: start + whole, by: 4) {
      let four = SIMD4(samples[n], samples[n + 1], samples[n + 2], samples[n + 3])
      squares += four * four
      lowest.replace(with: four, where: four .< lowest)
      highest.replace(with: four, where: four .> highest)
    }
    var square = squares.sum()
    var peak = max(highest.max(), -lowest.min())
    for n in start + whole..<start + frames {
      square += samples[n] * samples[n]
      peak = max(peak, abs(samples[n]))
    }
    return (square, peak)
  }

  /// Gain that holds the averaged level at the limit; rises no faster than the release.
  @inline(__always)
  private mutating func levelTarget(_ square: Float, frames: Int, limitPower: Float) -> Float {
    let share = min(1, averagingPerSample * Float(frames))
    power += share * (square / Float(frames) - power)
    let target: Float = power > limitPower ? Self.squareRoot(limitPower / power) : 1
    if target < levelGain { return target }
    let recovered = levelGain + min(1, releasePerSample * Float(frames)) * (target - levelGain)
    return recovered > 0.9999 ? 1 : recovered
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func shape(
    _ samples: inout MutableSpan<Float>, from start: Int, frames: Int, levelTo: Float, limitPeak: Float
  ) {
    // Level gain moves in a line over the hop; then what each peak still needs.
    let step = (levelTo - levelGain) / Float(frames)
    var level = levelGain
    for n in 0..<frames {
      level += step
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
    // Forwards: it recovers slowly.
    var least = peakGain
    var square: Float = 0
    for n in 0..<frames {
      peakGain = min(needed[n], peakGain + releasePerSample * (1 - peakGain))
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

  @_semantics("no_performance_analysis") @inline(__always)
  private static func squareRoot(_ x: Float) -> Float { x.squareRoot() }
}
