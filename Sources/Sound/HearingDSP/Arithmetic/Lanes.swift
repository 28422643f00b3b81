import Realtime

/// Zeroed memory of a fixed size for samples, bins or bands.
typealias Buffer = AlignedBuffer<Float>

/// One ear's block, which a stage changes in place.
typealias Samples = MutableSpan<Float>

/// Four elements at a time: loads and stores that the compiler turns into single instructions.
///
/// The loops over a pair's spectrum read forwards and backwards at once from more arrays than the compiler
/// can prove apart, so it leaves them scalar; written in lanes they run three times as fast.
///
/// - Threads: `any`; allocates nothing.
extension UnsafeMutablePointer where Pointee == Float {
  /// Elements `start ..< start + 4`.
  @inline(__always) @unsafe subscript(lanes start: Int) -> SIMD4<Float> {
    get { unsafe UnsafeRawPointer(self + start).loadUnaligned(as: SIMD4<Float>.self) }
    nonmutating set {
      unsafe UnsafeMutableRawPointer(self + start).storeBytes(of: newValue, as: SIMD4<Float>.self)
    }
  }

  /// Writes four complex numbers, `re, im`, from element `start` on.
  @inline(__always) @unsafe func store(_ numbers: ComplexLanes, at start: Int) {
    let (re, im) = (numbers.re, numbers.im)
    unsafe self[lanes: start] = SIMD4(re[0], im[0], re[1], im[1])
    unsafe self[lanes: start + 4] = SIMD4(re[2], im[2], re[3], im[3])
  }
}

/// Four bins of a spectrum.
///
/// - Threads: `any`; allocates nothing.
struct ComplexLanes {
  var re: SIMD4<Float>
  var im: SIMD4<Float>

  @inline(__always) init(_ re: SIMD4<Float> = SIMD4(), _ im: SIMD4<Float> = SIMD4()) {
    (self.re, self.im) = (re, im)
  }

  /// The last one first.
  @inline(__always) var reversed: Self {
    Self(SIMD4(re[3], re[2], re[1], re[0]), SIMD4(im[3], im[2], im[1], im[0]))
  }

  /// Squared magnitude.
  @inline(__always) var power: SIMD4<Float> { re * re + im * im }

  /// Product of another number with the conjugate of this one.
  @inline(__always) func conjugateProduct(_ other: ComplexLanes) -> ComplexLanes {
    ComplexLanes(re * other.re + im * other.im, re * other.im - im * other.re)
  }

  @inline(__always) static func + (a: Self, b: Self) -> Self { Self(a.re + b.re, a.im + b.im) }

  @inline(__always) static func - (a: Self, b: Self) -> Self { Self(a.re - b.re, a.im - b.im) }

  @inline(__always) static func * (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }

  @inline(__always) static func * (a: SIMD4<Float>, x: Self) -> Self { Self(a * x.re, a * x.im) }

  @inline(__always) static func * (a: Float, x: Self) -> Self { Self(a * x.re, a * x.im) }
}

/// Real and imaginary parts of a spectrum, apart, four bins at a time.
///
/// - Threads: `any`; allocates nothing.
@unsafe struct SpectrumLanes {
  let re: UnsafeMutablePointer<Float>
  let im: UnsafeMutablePointer<Float>

  /// Bins `start ..< start + 4`.
  @inline(__always) subscript(start: Int) -> ComplexLanes {
    get { unsafe ComplexLanes(re[lanes: start], im[lanes: start]) }
    nonmutating set { unsafe (re[lanes: start], im[lanes: start]) = (newValue.re, newValue.im) }
  }

  /// Four bins from `start` on after a Hann window of double height, which is three taps in the spectrum.
  @inline(__always) func hann(_ start: Int) -> ComplexLanes {
    unsafe self[start] - 0.5 * (self[start - 1] + self[start + 1])
  }
}

/// Rows of a matrix that are zero but for one run of values each.
///
/// - Threads: built on `control`, read on `audio`.
struct SparseRows<Value: BitwiseCopyable>: ~Copyable {
  /// Column of each row's first value.
  let first: AlignedBuffer<Int32>
  /// Start of each row's run in ``values``. - Shape: one more than rows.
  let start: AlignedBuffer<Int32>
  /// All runs, one after another.
  let values: AlignedBuffer<Value>

  init(_ runs: [(first: Int, values: [Value])]) {
    let all = runs.flatMap(\.values)
    first = AlignedBuffer(count: runs.count) { Int32(runs[$0].first) }
    start = AlignedBuffer(count: runs.count + 1) { Int32(runs.prefix($0).flatMap(\.values).count) }
    values = AlignedBuffer(count: all.count) { all[$0] }
  }
}
