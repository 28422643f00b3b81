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

  /// Elements `end`, `end − 1`, `end − 2`, `end − 3`.
  @inline(__always)
  static func backward(_ base: UnsafeMutablePointer<Float>, _ end: Int) -> SIMD4<Float> {
    let v = unsafe forward(base, end - 3)
    return SIMD4(v[3], v[2], v[1], v[0])
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
