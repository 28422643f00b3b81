import Glibc

/// What is read from one ear's sound of a bench: its level, how that jumps, and what lies far above it.
struct SoundReading {
  /// Level of each window, dB, one every quarter of ``ProgramBench/window``.
  let levels: [Double]
  /// Greatest change of level within 100 ms from each point on, dB.
  let jumps: [Double]
  /// Level of what lies above 6 kHz, over 3 ms, dB.
  let treble: [Double]

  /// Time over which treble is read, s: a click is shorter.
  static let trebleWindow = 0.003
  /// Time whose median is the gain, s: many clicks long.
  static let gainWindow = 0.05

  init(_ samples: [Float]) {
    levels = ProgramBench.levels(samples)
    jumps = ProgramBench.jumps(levels)
    treble = ProgramBench.levels(ProgramBench.treble(samples), window: Self.trebleWindow)
  }

  /// Greatest jump in `times`, dB, beyond those that the sound makes of its own in either of two settings.
  func greatestJump(in times: Range<Double>, beyond own: (SoundReading, SoundReading)?) -> Double {
    Self.indices(of: jumps, in: times, window: ProgramBench.window).map { index in
      jumps[index] - (own.map { max($0.0.jumps[index], $0.1.jumps[index]) } ?? 0)
    }.max() ?? .infinity
  }

  /// Indices of readings whose windows begin in `times`.
  private static func indices(of readings: [Double], in times: Range<Double>, window: Double) -> Range<Int>
  {
    let step = window / 4
    let end = min(Double(readings.count), (times.upperBound / step).rounded(.up))
    return Int(times.lowerBound / step)..<Int(end)
  }

  /// Greatest click in `times`, dB below or above the sound after `begin`: power above 6 kHz beyond what either of two settings has
  /// there of its own, and a tenth for what 3 ms differ by. A gain that lies above both ends for longer, on the way between
  /// them, is none: what the 50 ms around have in common counts as gain.
  func greatestClick(
    in times: Range<Double>, after begin: Double, beyond own: (SoundReading, SoundReading)
  ) -> Double {
    let beginning = Int(begin / (ProgramBench.window / 4))
    let level = min(levels[beginning...].max() ?? 0, own.0.levels[beginning...].max() ?? 0)
    let steady = treble.indices.map { max(own.0.treble[$0], own.1.treble[$0]) }
    let around = Int(Self.gainWindow / Self.trebleWindow * 4) / 2
    let greatest =
      Self.indices(of: treble, in: times, window: Self.trebleWindow).map { index in
        let excess = pow(10, treble[index] / 10) - 1.1 * pow(10, steady[index] / 10)
        guard excess > 0 else { return excess }
        let near = max(0, index - around)...min(treble.count - 1, index + around)
        let gains = near.map { treble[$0] - steady[$0] }.sorted()
        let gain = max(0, gains[gains.count / 2])
        return pow(10, treble[index] / 10) - 1.1 * pow(10, (steady[index] + gain) / 10)
      }.max() ?? .infinity
    return 10 * log10(max(greatest, 1e-20)) - level
  }
}
