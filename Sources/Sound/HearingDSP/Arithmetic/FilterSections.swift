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

/// Lanes of a row of sections: the left ear's, then as many of the right one's.
protocol SectionLanes: SIMD where Scalar == Float {
  /// Input of each section: a sample of each ear for the first ones, and these outputs, each one section on.
  func onwards(_ left: Float, _ right: Float) -> Self
}

extension SIMD4<Float>: SectionLanes {
  @inline(__always) func onwards(_ left: Float, _ right: Float) -> Self {
    Self(left, self[0], right, self[2])
  }
}

extension SIMD8<Float>: SectionLanes {
  @inline(__always) func onwards(_ left: Float, _ right: Float) -> Self {
    Self(left, self[0], self[1], self[2], right, self[4], self[5], self[6])
  }
}

/// Runs both ears' ``FilterSections`` at once, one sample a step: the first two of them in four lanes, all in
/// eight.
///
/// The sections of a row do not wait for each other: each one's input is the output of the one before a
/// sample ago. That delays the sound by a sample for every section but the first, inaudibly, and makes all
/// sections one vector. Their state is computed from input and former state, not from the output: one
/// multiplication and one subtraction from sample to sample, which set the speed of the loop.
///
/// - Threads: `audio`.
struct SectionRow<Lanes: SectionLanes> {
  /// Coefficients of both ears, the left one's in the lower lanes.
  private var b0 = Lanes(repeating: 1)
  /// b1 − a1·b0 and b2 − a2·b0: trace of a unit of input in each state.
  private var intoFirst = Lanes()
  private var intoSecond = Lanes()
  private var a1 = Lanes()
  private var a2 = Lanes()
  private var first = Lanes()
  private var second = Lanes()
  private var output = Lanes()

  /// Replaces one ear's sections by others, which begin from silence.
  mutating func retarget(_ ear: Ear, to sections: FilterSections) {
    Self.set(&b0, ear, sections.b0)
    Self.set(&intoFirst, ear, sections.b1 - sections.a1 * sections.b0)
    Self.set(&intoSecond, ear, sections.b2 - sections.a2 * sections.b0)
    Self.set(&a1, ear, sections.a1)
    Self.set(&a2, ear, sections.a2)
    Self.set(&first, ear, SIMD4())
    Self.set(&second, ear, SIMD4())
    Self.set(&output, ear, SIMD4())
  }

  /// One sample of each ear in (transposed direct form II).
  ///
  /// - Returns: Output of each section, the left ear's in the lower lanes.
  @inline(__always) mutating func process(_ left: Float, _ right: Float) -> Lanes {
    let input = output.onwards(left, right)
    output = b0 * input + first
    let former = first
    first = (intoFirst * input + second) - a1 * former
    second = intoSecond * input - a2 * former
    return output
  }

  private static func set(_ all: inout Lanes, _ ear: Ear, _ values: SIMD4<Float>) {
    let count = all.scalarCount / 2
    for lane in 0..<count { all[ear == .left ? lane : count + lane] = values[lane] }
  }
}
