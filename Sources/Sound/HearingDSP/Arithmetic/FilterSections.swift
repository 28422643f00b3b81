import Acoustics

/// Coefficients of up to four second-order sections in a row, one lane each; a lane that is not set passes all.
///
/// `H(z) = (b0 + b1 z⁻¹ + b2 z⁻²) / (1 + a1 z⁻¹ + a2 z⁻²)`, as ``SectionRow`` runs them.
///
/// - Threads: `any`.
struct FilterSections: Equatable, Sendable {
  private(set) var b0 = SIMD4<Float>(repeating: 1)
  private(set) var b1 = SIMD4<Float>()
  private(set) var b2 = SIMD4<Float>()
  private(set) var a1 = SIMD4<Float>()
  private(set) var a2 = SIMD4<Float>()

  /// Sets one section from a pair of poles of the s plane, `s² + 2d·s + m`, by the bilinear transform
  /// `s = (1 − z⁻¹)/(1 + z⁻¹)`.
  ///
  /// - Parameter zeros: Polynomial of z⁻¹ above, times `scale`.
  mutating func set(_ lane: Int, d: Double, m: Double, scale: Double, zeros: (Double, Double, Double)) {
    let a0 = 1 + 2 * d + m
    b0[lane] = Float(scale * zeros.0 / a0)
    b1[lane] = Float(scale * zeros.1 / a0)
    b2[lane] = Float(scale * zeros.2 / a0)
    a1[lane] = Float(2 * (m - 1) / a0)
    a2[lane] = Float((1 - 2 * d + m) / a0)
  }
}

/// Runs both ears' ``FilterSections`` at once, one sample a step.
///
/// The sections of a row do not wait for each other: each one's input is the output of the one before a
/// sample ago. That delays the sound by a sample for every section but the first, inaudibly, and makes the
/// eight sections one vector. Their state is computed from input and former state, not from the output: one
/// multiplication and one subtraction from sample to sample, which set the speed of the loop.
///
/// - Threads: `audio`.
struct SectionRow {
  /// Coefficients of both ears, the left one's in the lower lanes.
  private var b0 = SIMD8<Float>(repeating: 1)
  /// b1 − a1·b0 and b2 − a2·b0: trace of a unit of input in each state.
  private var intoFirst = SIMD8<Float>()
  private var intoSecond = SIMD8<Float>()
  private var a1 = SIMD8<Float>()
  private var a2 = SIMD8<Float>()
  private var first = SIMD8<Float>()
  private var second = SIMD8<Float>()
  private var output = SIMD8<Float>()

  /// Replaces one ear's sections by others, which begin from silence.
  mutating func retarget(_ ear: Ear, to sections: FilterSections) {
    let isLeft = ear == .left
    b0 = Self.with(b0, sections.b0, isLeft)
    intoFirst = Self.with(intoFirst, sections.b1 - sections.a1 * sections.b0, isLeft)
    intoSecond = Self.with(intoSecond, sections.b2 - sections.a2 * sections.b0, isLeft)
    a1 = Self.with(a1, sections.a1, isLeft)
    a2 = Self.with(a2, sections.a2, isLeft)
    first = Self.with(first, SIMD4(), isLeft)
    second = Self.with(second, SIMD4(), isLeft)
    output = Self.with(output, SIMD4(), isLeft)
  }

  /// One sample of each ear in (transposed direct form II).
  ///
  /// - Returns: Output of each section, the left ear's in the lower lanes.
  @inline(__always) mutating func process(_ left: Float, _ right: Float) -> SIMD8<Float> {
    let y = output
    let input = SIMD8(left, y[0], y[1], y[2], right, y[4], y[5], y[6])
    output = b0 * input + first
    let former = first
    first = (intoFirst * input + second) - a1 * former
    second = intoSecond * input - a2 * former
    return output
  }

  @inline(__always) private static func with(
    _ all: SIMD8<Float>, _ four: SIMD4<Float>, _ isLeft: Bool
  ) -> SIMD8<Float> {
    isLeft ? SIMD8(lowHalf: four, highHalf: all.highHalf) : SIMD8(lowHalf: all.lowHalf, highHalf: four)
  }
}
