import Realtime

/// Moves the peaks of one ear's spectrum down: a phase vocoder that shifts each peak as a whole.
///
/// A peak and the bins around it, half way to the next but no further than a Hann window's main lobe, are one sound.
/// Its frequency follows from the two strongest bins of such a window, `δ = (2α − 1)/(1 + α)` with their ratio α. The
/// bins are moved by the nearest whole number of bins and turned by an angle that grows from frame to frame by the
/// whole distance, so that frames overlap in phase: a tone comes out as a tone. A peak takes over the angle that its
/// bin had in the frame before (Laroche and Dolson 1999, J. Audio Eng. Soc. 47:928: phase-vocoder peak shifting).
///
/// Peaks are listed first and then worked out all at once, which the compiler turns into vectors.
///
/// - Threads: `audio`.
struct PeakShift: ~Copyable {
  /// Power below which nothing is a peak: −200 dB of full scale, and nothing is divided by nothing.
  private static let least: Float = 1e-20
  /// Bins on either side that belong to a peak: a Hann window's main lobe ends there.
  private static let reach = 2
  /// Frames per hop.
  private let hopShare: Float
  private var power: AlignedBuffer<Float>
  /// Angle of each bin, turns.
  private var angle: AlignedBuffer<Float>
  /// Bin of each peak.
  private var peaks: AlignedBuffer<Int32>
  /// What each peak is multiplied with.
  private var cosine: AlignedBuffer<Float>
  private var sine: AlignedBuffer<Float>
  /// Angle of each peak, turns.
  private var turns: AlignedBuffer<Float>
  /// Whole bins that each peak is moved by.
  private var shift: AlignedBuffer<Int32>

  /// - Parameters:
  ///   - length: Of a frame, samples.
  ///   - hop: Between frames, samples.
  init(length: Int, hop: Int) {
    hopShare = Float(hop) / Float(length)
    let bins = length / 2 + 8
    power = AlignedBuffer(count: bins)
    angle = AlignedBuffer(count: bins)
    peaks = AlignedBuffer(count: bins)
    cosine = AlignedBuffer(count: bins)
    sine = AlignedBuffer(count: bins)
    turns = AlignedBuffer(count: bins)
    shift = AlignedBuffer(count: bins)
  }

  /// Writes the moved peaks of `spectrum` into `result`, which holds nothing else then.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func apply(
    _ plan: LoweringPlan, to spectrum: borrowing HalfSpectrum, into result: inout HalfSpectrum
  ) {
    let half = spectrum.half
    precondition(result.half == half && power.count >= half + 8)
    precondition(plan.firstBin >= 1 && plan.lastBin + 3 <= half)
    let (re, im, p) = unsafe (spectrum.re, spectrum.im, power.pointer)
    for k in stride(from: 0, to: half + 4, by: 4) {
      let (x, y) = unsafe (Lanes.forward(re, k), Lanes.forward(im, k))
      unsafe Lanes.store(x * x + y * y, p, k)
      unsafe Lanes.store(SIMD4(), result.re, k)
      unsafe Lanes.store(SIMD4(), result.im, k)
    }
    let count = list(plan)
    workOut(plan, count)
    for index in 0..<count { move(index, count, spectrum, &result) }
  }

  /// Lists the peaks without a branch.
  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func list(_ plan: LoweringPlan) -> Int {
    let (p, found) = unsafe (power.pointer, peaks.pointer)
    var count = 0
    for k in plan.firstBin..<plan.lastBin + 1 {
      let (below, own, above) = unsafe (p[k - 1], p[k], p[k + 1])
      unsafe found[count] = Int32(truncatingIfNeeded: k)
      let isPeak = (own > below ? 1 : 0) & (own >= above ? 1 : 0) & (own > Self.least ? 1 : 0)
      count += isPeak
    }
    return count
  }

  /// Works out where each peak goes; one below the cutoff nowhere.
  @_semantics("no_performance_analysis")
  private mutating func workOut(_ plan: LoweringPlan, _ count: Int) {
    let (p, bins, angles) = unsafe (power.pointer, peaks.pointer, angle.pointer)
    let (cosines, sines, turned, shifts) = unsafe (
      cosine.pointer, sine.pointer, turns.pointer, shift.pointer
    )
    let (cutoff, perCutoff, ratio) = (plan.cutoff, 1 / plan.cutoff, plan.inverseRatio)
    for index in 0..<count {
      let peak = unsafe Int(bins[index])
      let (below, own, above) = unsafe (p[peak - 1], p[peak], p[peak + 1])
      let stronger = above > below ? above : below
      let alpha = (stronger / own).squareRoot()
      let offset = (2 * alpha - 1) / (1 + alpha)
      let bounded = offset > -0.5 ? offset : -0.5
      let position = Float(peak) + (above > below ? bounded : -bounded)
      let octaves = Decibel.fromPower(position * perCutoff) * (1 / Decibel.perPowerDoubling)
      let way = cutoff * ComplexExponential.magnitude(octaves * ratio) - position
      let whole = Self.rounded(way)
      let square = (way - whole) * (way - whole)
      // What the window lets through of a sound that its frames place a little beside where they join: fitted, within
      // 0.0002 dB.
      let gain: Float = 1 + square * (0.394_475 + square * 0.093_231)
      let sum = unsafe angles[peak] + way * hopShare
      let turn = sum - Self.rounded(sum)
      let direction = ComplexExponential.direction(2 * turn)
      let factor = Float(bitPattern: gain.bitPattern | direction.sign)
      let heard: Float = position > cutoff ? factor : 0
      unsafe cosines[index] = heard * direction.cosine
      unsafe sines[index] = heard * direction.sine
      unsafe turned[index] = turn
      unsafe shifts[index] = Int32(truncatingIfNeeded: Int(whole))
    }
  }

  /// Moves one peak and the bins around it.
  @inline(__always)
  private mutating func move(
    _ index: Int, _ count: Int, _ spectrum: borrowing HalfSpectrum, _ result: inout HalfSpectrum
  ) {
    let (bins, angles) = unsafe (peaks.pointer, angle.pointer)
    let peak = unsafe Int(bins[index])
    var (first, end) = (peak - Self.reach, peak + Self.reach + 1)
    if index > 0 {
      let middle = unsafe (Int(bins[index - 1]) + peak + 1) / 2
      first = middle > first ? middle : first
    }
    if index + 1 < count {
      let middle = unsafe (peak + Int(bins[index + 1]) + 1) / 2
      end = middle < end ? middle : end
    }
    let way = Int(shift[index])
    // What would leave the spectrum, or reach 0 Hz, is dropped.
    first = first > 0 ? first : 0
    first = first + way > 0 ? first : 1 - way
    let top = spectrum.half - (way > 0 ? way : 0)
    end = end < top ? end : top
    guard first < end else { return }
    let (c, s, turn) = (cosine[index], sine[index], turns[index])
    let (re, im, intoRe, intoIm) = unsafe (spectrum.re, spectrum.im, result.re, result.im)
    for k in first..<end {
      let (x, y) = unsafe (re[k], im[k])
      unsafe intoRe[k + way] += x * c - y * s
      unsafe intoIm[k + way] += x * s + y * c
      unsafe angles[k] = turn
    }
  }

  /// The nearest whole number of a small one: adding and subtracting 1.5·2²³ rounds.
  @inline(__always)
  private static func rounded(_ x: Float) -> Float { (x + 12_582_912) - 12_582_912 }
}
