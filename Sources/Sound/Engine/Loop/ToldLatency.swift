/// Delay of the devices by many of their own readings.
///
/// Some drivers tell whole periods, most of the time one too many, and very rarely, where they read it
/// while it changed, too few. The shortest is believed but for the shortest of all, a small share.
///
/// - Threads: `any`; allocates nothing.
struct ToldLatency: BitwiseCopyable {
  /// Share of all readings that is left out. Own choice: below one in twenty, which some drivers tell
  /// right; behind a sound server whose cycles were late, one too short a reading spoilt three tests of
  /// twelve while the shortest of all was taken.
  static let leftOut: Float = 0.03

  /// Readings after which counting begins anew, so that there is room for the share left out, and readings
  /// until what was believed before gives way.
  private static let most: Float = 1000
  private static let enough: Float = 100

  /// Delay that was believed before counting began anew; negative: none.
  private var former: Int32 = -1
  /// The shortest so far, ascending, frames.
  private var shortest = SIMD32<Int32>(repeating: .max)
  private var count: Float = 0

  /// Takes a reading, frames.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func tell(_ latency: Int) {
    if count >= Self.most {
      let last = value
      self = ToldLatency()
      former = last
    }
    count += 1
    var longer = Int32(clamping: latency)
    for place in 0..<32 where longer < shortest[place] {
      (shortest[place], longer) = (longer, shortest[place])
    }
  }

  /// Frames; nil: nothing told.
  var believed: Int? { count > 0 ? Int(value) : nil }

  /// Frames, once something was told.
  private var value: Int32 {
    if former >= 0, count < Self.enough { return former }
    // One at least, as soon as there is another: what comes once comes once in the beginning too.
    let wanted = 1 + Int(Self.leftOut * count)
    let last = count < 32 ? Int(count) - 1 : 31
    return shortest[wanted < last ? wanted : last]
  }
}
