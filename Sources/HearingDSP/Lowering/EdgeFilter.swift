/// Runs both ears' ``EdgeSections`` at once. The second section takes what the first gave out a sample ago, so that
/// neither waits for the other: 23 µs of delay.
///
/// What a section remembers follows from its input and what it remembered, not from its output: one multiplication and one
/// subtraction from sample to sample, which is what the loop waits for.
///
/// - Threads: `audio`.
struct EdgeFilter {
  private var b0 = SIMD4<Float>(repeating: 1)
  /// b1 − a1·b0 and b2 − a2·b0: a unit of input's trace in each of what is remembered.
  private var intoFirst = SIMD4<Float>()
  private var intoSecond = SIMD4<Float>()
  private var a1 = SIMD4<Float>()
  private var a2 = SIMD4<Float>()
  private var first = SIMD4<Float>()
  private var second = SIMD4<Float>()
  private var output = SIMD4<Float>()

  /// Gives one ear other sections, which begin from silence.
  mutating func set(_ sections: EdgeSections, isLeft: Bool) {
    let lane = isLeft ? 0 : 2
    for index in 0..<2 {
      b0[lane + index] = sections.b0[index]
      intoFirst[lane + index] = sections.b1[index] - sections.a1[index] * sections.b0[index]
      intoSecond[lane + index] = sections.b2[index] - sections.a2[index] * sections.b0[index]
      a1[lane + index] = sections.a1[index]
      a2[lane + index] = sections.a2[index]
      first[lane + index] = 0
      second[lane + index] = 0
      output[lane + index] = 0
    }
  }

  /// One sample of each ear in, one of each out (transposed direct form II).
  @inline(__always)
  mutating func step(_ left: Float, _ right: Float) -> (left: Float, right: Float) {
    let input = SIMD4(left, output[0], right, output[2])
    output = b0 * input + first
    let remembered = first
    first = (intoFirst * input + second) - a1 * remembered
    second = intoSecond * input - a2 * remembered
    return (output[1], output[3])
  }
}
