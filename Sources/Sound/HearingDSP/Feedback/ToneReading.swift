import Realtime

/// Figures of the tones in one spectrum.
///
/// - Threads: `audio`.
struct ToneReading {
  /// Bins on each side that belong to a peak: a Hann window's main lobe and one more.
  static let reach = 3

  /// Strongest of the bins read.
  var bin = 0
  /// Frequency of the peak, bins.
  var position: Float = 0
  /// Centre of gravity of the peak with its neighbours, bins: of two tones that beat, between them.
  var centre: Float = 0
  /// Power of the peak with its neighbours.
  var power: Float = 0
  /// Its share in the power of all bins read, 0...1.
  var share: Float = 0
  /// Share of the three strongest peaks, 0...1.
  var threeShare: Float = 0

  /// Reads the bins `lowest ..< count`; takes the peaks out of `powers`.
  init(_ powers: inout Buffer, lowest: Int, count: Int) {
    precondition(lowest >= 1 && count <= powers.count && lowest < count)
    let x = unsafe powers.pointer
    let total = 1e-20 + Self.sum(powers, from: lowest, to: count)
    for rank in 0..<3 {
      let peak = Self.strongest(powers, from: lowest, to: count)
      let most = unsafe x[peak]
      if rank == 0 {
        bin = peak
        position = Float(peak)
        if peak > lowest, peak + 1 < count {
          let a = unsafe Decibel.fromPower(x[peak - 1] + 1e-25)
          let b = Decibel.fromPower(most + 1e-25)
          let c = unsafe Decibel.fromPower(x[peak + 1] + 1e-25)
          let bend = a - 2 * b + c
          if bend < -1e-3 { position += max(-0.5, min(0.5, 0.5 * (a - c) / bend)) }
        }
      }
      var (sum, moment) = (Float(0), Float(0))
      for k in max(lowest, peak - Self.reach)..<min(count, peak + Self.reach + 1) {
        unsafe sum += x[k]
        unsafe moment += x[k] * Float(k - peak)
        unsafe x[k] = 0
      }
      if rank == 0 {
        power = sum
        centre = Float(peak) + moment / (sum + 1e-30)
      }
      threeShare += sum / total
      if rank == 0 { share = sum / total }
    }
  }

  /// Sum of `powers[from ..< to]`, eight lanes at a time.
  private static func sum(_ powers: borrowing Buffer, from: Int, to: Int) -> Float {
    let x = unsafe powers.pointer
    var lanes = SIMD8<Float>()
    var k = from
    while k + 8 <= to {
      unsafe lanes += SIMD8(lowHalf: x[lanes: k], highHalf: x[lanes: k + 4])
      k += 8
    }
    var sum = lanes.sum()
    for rest in k..<to { unsafe sum += x[rest] }
    return sum
  }

  /// Index of the greatest of `powers[from ..< to]`: each of eight lanes keeps its own greatest and its
  /// position.
  private static func strongest(_ powers: borrowing Buffer, from: Int, to: Int) -> Int {
    let x = unsafe powers.pointer
    var most = SIMD8<Float>(repeating: -1)
    var start = SIMD8<Int32>(repeating: Int32(truncatingIfNeeded: from))
    var k = from
    while k + 8 <= to {
      let eight = unsafe SIMD8(lowHalf: x[lanes: k], highHalf: x[lanes: k + 4])
      let isGreater = eight .> most
      most.replace(with: eight, where: isGreater)
      start.replace(with: SIMD8(repeating: Int32(truncatingIfNeeded: k)), where: isGreater)
      k += 8
    }
    var (peak, greatest) = (from, Float(-1))
    for lane in 0..<8 where most[lane] > greatest {
      (peak, greatest) = (Int(start[lane]) + lane, most[lane])
    }
    for rest in k..<to where unsafe x[rest] > greatest { (peak, greatest) = unsafe (rest, x[rest]) }
    return peak
  }

  /// Power of the strongest peak below `count`.
  static func low(_ powers: borrowing Buffer, count: Int) -> Float {
    var (peak, most) = (1, Float(-1))
    for k in 1..<count where powers[k] > most { (peak, most) = (k, powers[k]) }
    var sum: Float = 0
    for k in max(1, peak - reach)..<min(count, peak + reach + 1) { sum += powers[k] }
    return sum
  }
}

/// Detector of steady tones and of sounds with few harmonics, such as a flute's.
///
/// - Threads: `audio`.
struct ToneWatch {
  /// Least share of the power in three peaks above and one below the lowest frequency of a howl, and the
  /// readings for which it must last.
  static let share: Float = 0.99
  static let readings = 5

  private(set) var certainty = ToneCertainty.absent
  private var run = 0
  private var lastPower: Float = 0

  /// Reads the next spectrum.
  ///
  /// - Parameters:
  ///   - low: Power below the bins read.
  ///   - lowPeak: Of that, in the strongest peak.
  mutating func process(_ reading: ToneReading, low: Float, lowPeak: Float) {
    let high = reading.power / max(reading.share, 1e-6)
    let total = high + low + 1e-20
    let strongest = reading.threeShare * high + lowPeak
    let power = reading.power + lowPeak
    let isSteady = power < 1.3 * lastPower && lastPower < 1.3 * power
    lastPower = power
    run = strongest > Self.share * total && isSteady ? min(run + 1, Self.readings) : max(0, run - 2)
    let isCertain = run == Self.readings || (certainty == .certain && run > 0)
    certainty = isCertain ? .certain : run > 0 ? .possible : .absent
  }
}
