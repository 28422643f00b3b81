/// One ear's way from one lowering to the next: faded out to the plain sound, and from there in to the other.
///
/// - Threads: `audio`.
struct LoweringEar {
  /// Lowering in force.
  private(set) var plan = LoweringPlan()
  private var next = LoweringPlan()
  /// Share of the lowered sound, 0...1.
  private(set) var share: Float = 0
  private var step: Float = 0
  /// Whether the lowering in force is the wanted one.
  private var isRising = false

  /// Whether the plain sound is heard and stays.
  var isIdle: Bool { share == 0 && !next.isOn }

  /// Sets out for another lowering, over `frames` either way.
  mutating func retarget(_ wanted: LoweringPlan, frames: Float) {
    next = wanted
    isRising = wanted.isOn && wanted == plan
    step = 1 / frames
  }

  /// Takes the next lowering when this one has faded.
  ///
  /// - Returns: Whether it did.
  mutating func turn() -> Bool {
    guard share == 0, next.isOn, next != plan else { return false }
    plan = next
    isRising = true
    return true
  }

  /// The share of the next sample.
  @inline(__always)
  mutating func advance() -> Float {
    share = isRising ? min(1, share + step) : max(0, share - step)
    return share
  }
}
