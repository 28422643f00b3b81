/// Runs both ears' ``NoiseSections`` at once, one sample a step.
///
/// The sections of a row do not wait for each other: each takes what the one before gave out a sample ago. That
/// delays the noise by three samples, which nobody can tell, and makes the eight sections one vector. What they remember follows
/// from their input and what they remembered, as in ``EdgeFilter``.
///
/// - Threads: `audio`.
struct SectionRow {
  /// Coefficients of both ears, the left one's in the lower lanes.
  private var b0 = SIMD8<Float>(repeating: 1)
  /// b1 − a1·b0 and b2 − a2·b0: a unit of input's trace in each of what is remembered.
  private var intoFirst = SIMD8<Float>()
  private var intoSecond = SIMD8<Float>()
  private var a1 = SIMD8<Float>()
  private var a2 = SIMD8<Float>()
  private var first = SIMD8<Float>()
  private var second = SIMD8<Float>()
  private var output = SIMD8<Float>()

  /// Gives one ear other sections, which begin from silence.
  mutating func set(_ sections: NoiseSections, isLeft: Bool) {
    b0 = Self.with(b0, sections.b0, isLeft)
    intoFirst = Self.with(intoFirst, sections.b1 - sections.a1 * sections.b0, isLeft)
    intoSecond = Self.with(intoSecond, sections.b2 - sections.a2 * sections.b0, isLeft)
    a1 = Self.with(a1, sections.a1, isLeft)
    a2 = Self.with(a2, sections.a2, isLeft)
    first = Self.with(first, SIMD4(), isLeft)
    second = Self.with(second, SIMD4(), isLeft)
    output = Self.with(output, SIMD4(), isLeft)
  }

  /// One sample of each ear in, one of each out (transposed direct form II).
  @inline(__always)
  mutating func step(_ left: Float, _ right: Float) -> (left: Float, right: Float) {
    let y = output
    let input = SIMD8(left, y[0], y[1], y[2], right, y[4], y[5], y[6])
    output = b0 * input + first
    let remembered = first
    first = (intoFirst * input + second) - a1 * remembered
    second = intoSecond * input - a2 * remembered
    return (output[3], output[7])
  }

  @inline(__always)
  private static func with(_ all: SIMD8<Float>, _ four: SIMD4<Float>, _ isLeft: Bool) -> SIMD8<Float> {
    isLeft ? SIMD8(lowHalf: four, highHalf: all.highHalf) : SIMD8(lowHalf: all.lowHalf, highHalf: four)
  }
}
