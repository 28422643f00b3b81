import Realtime

/// Zeroed memory of a fixed size for samples, bins or bands.
typealias Buffer = AlignedBuffer<Float>

/// Four bins at a time: loads and stores that the compiler turns into single instructions.
///
/// The loops over a pair's spectrum read forwards and backwards at once from more arrays than the compiler
/// can prove apart, so it leaves them scalar; written in lanes they run three times as fast.
///
/// - Threads: `any`; allocates nothing.
enum Lanes {
  /// Elements `start ..< start + 4`.
  @inline(__always)
  static func forward(_ base: UnsafeMutablePointer<Float>, _ start: Int) -> SIMD4<Float> {
    unsafe UnsafeRawPointer(base + start).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Eight elements from `start`, interleaved, taken apart.
  @inline(__always)
  static func apart(
    _ base: UnsafeMutablePointer<Float>, _ start: Int
  ) -> (even: SIMD4<Float>, odd: SIMD4<Float>) {
    let eight = unsafe UnsafeRawPointer(base + start).loadUnaligned(as: SIMD8<Float>.self)
    return (eight.evenHalf, eight.oddHalf)
  }

  /// The same with the last pair first.
  @inline(__always)
  static func apartBackwards(
    _ base: UnsafeMutablePointer<Float>, _ start: Int
  ) -> (even: SIMD4<Float>, odd: SIMD4<Float>) {
    let eight = unsafe UnsafeRawPointer(base + start).loadUnaligned(as: SIMD8<Float>.self)
    return (SIMD4(eight[6], eight[4], eight[2], eight[0]), SIMD4(eight[7], eight[5], eight[3], eight[1]))
  }

  @inline(__always)

  static func store(_ value: SIMD4<Float>, _ base: UnsafeMutablePointer<Float>, _ start: Int) {
    unsafe UnsafeMutableRawPointer(base + start).storeBytes(of: value, as: SIMD4<Float>.self)
  }

  /// Stores `even` and `odd` interleaved as eight elements from `start`.
  @inline(__always)
  static func storeInterleaved(
    _ even: SIMD4<Float>, _ odd: SIMD4<Float>, _ base: UnsafeMutablePointer<Float>, _ start: Int
  ) {
    unsafe store(SIMD4(even[0], odd[0], even[1], odd[1]), base, start)
    unsafe store(SIMD4(even[2], odd[2], even[3], odd[3]), base, start + 4)
  }

  /// The same with the last pair first.
  @inline(__always)
  static func storeInterleavedBackwards(
    _ even: SIMD4<Float>, _ odd: SIMD4<Float>, _ base: UnsafeMutablePointer<Float>, _ start: Int
  ) {
    unsafe store(SIMD4(even[3], odd[3], even[2], odd[2]), base, start)
    unsafe store(SIMD4(even[1], odd[1], even[0], odd[0]), base, start + 4)
  }
}

/// Four bins of a spectrum.
typealias ComplexLanes = (re: SIMD4<Float>, im: SIMD4<Float>)
