import Realtime

/// What one spectrum says about tones in it.
///
/// - Threads: `audio`.
struct ToneReading {
  /// Bins on each side of a peak that are counted to it: a Hann window's main lobe and one more.
  static let reach = 3

  /// Strongest bin from the lowest one looked at.
  var bin = 0
  /// Frequency of the peak, bins.
  var position: Float = 0
  /// Power of the peak with its neighbours.
  var power: Float = 0
  /// Share of that in the power of all bins looked at, 0...1.
  var share: Float = 0
  /// Share of the three strongest peaks, 0...1.
  var threeShare: Float = 0

  /// Reads the bins `lowest ..< count`; takes the peaks out of `powers`.
  #if RT_LINT
    @_noAllocation
  #endif
  init(_ powers: inout AlignedBuffer<Float>, lowest: Int, count: Int) {
    precondition(lowest >= 1 && count <= powers.count && lowest < count)
    let x = unsafe powers.pointer
    var total: Float = 1e-20
    for k in lowest..<count { total += unsafe x[k] }
    for rank in 0..<3 {
      var (peak, most) = (lowest, Float(-1))
      for k in lowest..<count where unsafe x[k] > most { (peak, most) = unsafe (k, x[k]) }
      if rank == 0 {
        bin = peak
        position = Float(peak)
        if peak > lowest, peak + 1 < count {
          let a = unsafe Decibel.fromPower(x[peak - 1] + 1e-25)
          let b = Decibel.fromPower(most + 1e-25)
          let c = unsafe Decibel.fromPower(x[peak + 1] + 1e-25)
          let bend = a - 2 * b + c
          if bend < -1e-3 { position += max(-0.5, min(0.5, 0.5 * (a - c) / bend)) }
        }
      }
      var sum: Float = 0
      for k in max(lowest, peak - Self.reach)..<min(count, peak + Self.reach + 1) {
        unsafe sum += x[k]
        unsafe x[k] = 0
      }
      if rank == 0 { power = sum }
      threeShare += sum / total
      if rank == 0 { share = sum / total }
    }
  }
}
