import Glibc

/// Share of an effect, which approaches its target by a fixed part of the distance per hop.
///
/// - Threads: built on `control`, run on `audio`.
struct Fade {
  /// In force, 0...1.
  private(set) var share: Float = 0
  private var target: Float = 0
  private let step: Float

  /// - Parameter step: Part of the distance covered per hop, 0...1.
  init(step: Float) { self.step = step }

  /// The effect is heard, or will be.
  var isActive: Bool { target > 0 || share > 0 }

  /// Fades in, or out.
  mutating func retarget(to isOn: Bool) { target = isOn ? 1 : 0 }

  /// Moves by one hop; jumps to the target within 0.001 of it.
  ///
  /// - Returns: Share at the hop's beginning and at its end.
  mutating func process() -> (before: Float, after: Float) {
    let before = share
    let next = share + step * (target - share)
    share = abs(next - target) < 1e-3 ? target : next
    return (before, share)
  }
}
