import Realtime

/// Spread of level between neighbouring bands.
///
/// A steady tone fills one band and leaves its neighbours empty. If each band followed only its own level,
/// a strongly compressed tone would sit in a deep notch of the gain window, narrower than the window can
/// resolve, and come out up to 2.5 dB too loud at 500 Hz. So no band's level counts as lower than its
/// neighbour's less ``slope``. Speech and noise, whose adjacent standard bands differ by less than that
/// (5.5 dB at most in the LTASS of Byrne et al. 1994), are read as they are.
///
/// - Threads: `audio`.
@safe
struct LevelSpread: ~Copyable {
  /// Fall of level from one band to the next, dB. Own choice: tones at all audiometric frequencies are
  /// within 0.6 dB of target at 2:1 and within 0.8 dB at 3:1, and LTASS noise is read 0.1 dB high at most.
  static let slope: Float = 8
  /// Bands over which a level spreads: beyond 16, or 128 dB, nothing is left of any sound.
  private static let reach = 16

  /// The result, with room on both sides. - Shape: `reach + stride + reach`.
  private var levels: AlignedBuffer<Float>
  private var scratch: AlignedBuffer<Float>

  init(stride: Int) {
    levels = AlignedBuffer(count: stride + 2 * Self.reach)
    scratch = AlignedBuffer(count: stride + 2 * Self.reach)
    levels.fill(LevelMemory.floor - 200)
    scratch.fill(LevelMemory.floor - 200)
  }

  /// Spread levels, dB SPL, one per band. Valid while the value lives.
  @inline(__always) @unsafe
  var pointer: UnsafeMutablePointer<Float> { unsafe levels.pointer + Self.reach }

  /// Spreads the levels of the first `count` bands.
  ///
  /// Distances double from pass to pass, 1, 2, 4, 8, which covers every distance up to 15 without a
  /// dependency from band to band.
  mutating func spread(_ input: borrowing AlignedBuffer<Float>, count: Int) {
    precondition(input.count >= count && levels.count >= count + 2 * Self.reach)
    let a = unsafe levels.pointer + Self.reach
    let b = unsafe scratch.pointer + Self.reach
    for band in 0..<count { unsafe a[band] = input[unchecked: band] }
    unsafe Self.pass(a, b, distance: 1, count)
    unsafe Self.pass(b, a, distance: 2, count)
    unsafe Self.pass(a, b, distance: 4, count)
    unsafe Self.pass(b, a, distance: 8, count)
  }

  @inline(__always)
  private static func pass(
    _ from: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>, distance: Int, _ count: Int
  ) {
    let fall = slope * Float(distance)
    for band in 0..<count {
      let (below, own, above) = unsafe (from[band - distance], from[band], from[band + distance])
      let neighbour = (below > above ? below : above) - fall
      unsafe to[band] = own > neighbour ? own : neighbour
    }
  }
}
