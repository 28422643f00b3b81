import Glibc

/// Level of the output against that of the input with two settings, each measured while it was heard, so that
/// both can be compared equally loud.
///
/// The powers of both ears are added over the last seconds, so pauses between words count for little, and a
/// louder or softer talker changes input and output alike. The output is the sound sent to the earphones: what their response does to it
/// by frequency is not counted.
struct LevelMatch: Sendable {
  /// One of two settings that are compared.
  enum Side: String, Sendable, CaseIterable { case prescribed, changed }

  /// Time constant of the averages, s: a sentence or two. Own choice, as the other numbers here.
  static let window = 5.0
  /// Least sound that is compared, s.
  static let leastTime = 2.0
  /// Least level of the input, dB SPL: below it lies the noise of rooms and microphones.
  static let leastLevel = 40.0
  /// Longest time for which one reading stands, s: readings come 20 times a second.
  private static let longestStep = 0.2

  private struct Sums {
    var input = 0.0
    var output = 0.0
    /// Weight of what was added, and its whole time, s.
    var weight = 0.0
    var time = 0.0

    /// Power of the output over that of the input; nil while too little was heard.
    var ratio: Double? {
      let level = 10 * log10(input / max(weight, 1e-9) + 1e-20)
      return time >= LevelMatch.leastTime && level >= LevelMatch.leastLevel ? output / input : nil
    }
  }

  private var sums: [Side: Sums] = [:]
  /// When the sound of the present setting counts from, and when the last reading came, monotonic s.
  private var settled = 0.0
  private var last: Double?

  /// Leaves out the way to another setting.
  mutating func wait(until moment: Double) { settled = moment }

  /// Begins a setting's measurement anew.
  mutating func forget(_ side: Side) { sums[side] = nil }

  /// Adds a reading.
  ///
  /// - Parameters:
  ///   - levels: Of each ear at microphone and earphone, dB SPL, as ``EarMeters`` has them.
  ///   - attenuation: Part of the output's level that was taken away to compare, dB.
  ///   - now: Monotonic, s.
  mutating func add(
    _ side: Side, _ levels: [(input: Double, output: Double)], attenuation: Double, at now: Double
  ) {
    defer { last = now }
    guard let last, now >= settled, now > last else { return }
    let step = min(now - last, Self.longestStep)
    var sum = sums[side] ?? Sums()
    let rest = exp(-step / Self.window)
    func power(_ level: Double) -> Double { level.isFinite ? pow(10, level / 10) : 0 }
    sum.input = rest * sum.input + step * levels.reduce(0) { $0 + power($1.input) }
    sum.output = rest * sum.output + step * levels.reduce(0) { $0 + power($1.output + attenuation) }
    sum.weight = rest * sum.weight + step
    sum.time += step
    sums[side] = sum
  }

  /// Level of the changed setting less that of the prescribed one for the same sound, dB; nil until both were heard.
  var difference: Double? {
    guard let changed = sums[.changed]?.ratio, let prescribed = sums[.prescribed]?.ratio else { return nil }
    let difference = 10 * log10(changed / prescribed)
    return difference.isFinite ? difference : nil
  }
}
