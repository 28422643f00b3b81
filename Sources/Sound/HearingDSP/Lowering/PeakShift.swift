import Realtime

/// Phase vocoder that moves the peaks of one ear's spectrum down, each as a whole.
///
/// A peak and the bins around it, half way to the next but no further than a Hann window's main lobe, are
/// one sound. Its frequency follows from the two strongest bins of such a window, `δ = (2α − 1)/(1 + α)`
/// with their ratio α. The bins are moved by the nearest whole number of bins and turned by an angle that
/// grows from frame to frame by the whole distance, so that frames overlap in phase: a tone comes out as a
/// tone. A peak takes over the angle that its bin had in the frame before (Laroche and Dolson 1999, J.
/// Audio Eng. Soc. 47:928: phase-vocoder peak shifting).
///
/// Peaks are listed first and then computed all at once, which the compiler turns into vectors.
///
/// - Threads: `audio`.
struct PeakShift: ~Copyable {
  /// Least power of a peak: −200 dB re full scale, which also keeps the divisor from zero.
  private static let least: Float = 1e-20
  /// Bins on either side that belong to a peak: a Hann window's main lobe ends there.
  private static let reach = 2
  /// Frames per hop.
  private let hopShare: Float
  private var power: Buffer
  /// Angle of each bin, turns.
  private var angle: Buffer
  /// Bin of each peak.
  private var peaks: AlignedBuffer<Int32>
  /// Complex factor of each peak.
  private var cosine: Buffer
  private var sine: Buffer
  /// Angle of each peak, turns.
  private var turns: Buffer
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

  /// Writes the moved peaks of `spectrum`, and zero elsewhere, into `result`.
  mutating func process(
    _ spectrum: borrowing HalfSpectrum, plan: LoweringPlan, into result: inout HalfSpectrum
  ) {
    let half = spectrum.half
    precondition(result.half == half && power.count >= half + 8)
    precondition(plan.firstBin >= 1 && plan.lastBin + 3 <= half)
    let (x, p) = unsafe (spectrum.lanes, power.pointer)
    for k in stride(from: 0, to: half + 4, by: 4) { unsafe p[lanes: k] = x[k].power }
    result.clear()
    let count = list(plan)
    workOut(plan, count)
    for index in 0..<count { move(index, count, spectrum, &result) }
  }

  /// Lists the peaks without a branch.
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

  /// Computes the target of each peak, four at a time; a peak below the cutoff gets the factor 0.
  private mutating func workOut(_ plan: LoweringPlan, _ count: Int) {
    let (p, bins, angles) = unsafe (power.pointer, peaks.pointer, angle.pointer)
    // The last four may be fewer: the rest is any bin.
    for rest in count..<count + 4 { unsafe bins[rest] = Int32(truncatingIfNeeded: plan.firstBin) }
    let (perCutoff, ratio) = (1 / plan.cutoff, plan.inverseRatio)
    let limit = SIMD4<Float>(repeating: Float(power.count))
    for index in stride(from: 0, to: count, by: 4) {
      var (below, own, above) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
      var (bin, before, factors) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
      for lane in 0..<4 {
        let peak = unsafe Int(bins[index + lane])
        (below[lane], own[lane], above[lane]) = unsafe (p[peak - 1], p[peak], p[peak + 1])
        bin[lane] = Float(peak)
        before[lane] = unsafe angles[peak]
        factors[lane] = plan.factors[peak]
      }
      let stronger = below.replacing(with: above, where: above .> below)
      let alpha = Octaves.squareRoot(stronger / (own + Self.least))
      let offset = (2 * alpha - 1) / (1 + alpha)
      let half = SIMD4<Float>(repeating: 0.5)
      // The lanes that are no peak must stay numbers too.
      let raised = (-half).replacing(with: offset, where: offset .> -half)
      let bounded = half.replacing(with: raised, where: raised .< half)
      let position = bin + (-bounded).replacing(with: bounded, where: above .> below)
      let way =
        plan.cutoff * ComplexExponential.magnitude(Octaves.logarithm(position * perCutoff) * ratio)
        - position
      let rounded = Octaves.rounded(way)
      // A conversion to integers must not trap: a number out of reach, or NaN, moves nothing.
      let isWithin = (rounded .> -limit) .& (rounded .< limit)
      let whole = SIMD4<Float>().replacing(with: rounded, where: isWithin)
      let bins = Octaves.integer(whole)
      let square = (way - whole) * (way - whole)
      // Makes up for the window's loss where frames place a sound a little beside the place at which they
      // join: fitted, within 0.0002 dB.
      let gain = 1 + square * (0.394_475 + square * 0.093_231)
      let sum = before + way * hopShare
      let turn = sum - Octaves.rounded(sum)
      let factor = SIMD4<Float>().replacing(
        with: gain * factors, where: (position .> plan.cutoff) .& isWithin)
      let direction = Octaves.direction(2 * turn, factor: factor)
      unsafe cosine.pointer[lanes: index] = direction.cosine
      unsafe sine.pointer[lanes: index] = direction.sine
      unsafe turns.pointer[lanes: index] = turn
      unsafe UnsafeMutableRawPointer(shift.pointer + index).storeBytes(of: bins, as: SIMD4<Int32>.self)
    }
  }

  /// Moves one peak and the bins around it.
  @inline(__always) private mutating func move(
    _ index: Int, _ count: Int, _ spectrum: borrowing HalfSpectrum, _ result: inout HalfSpectrum
  ) {
    let (bins, angles) = unsafe (peaks.pointer, angle.pointer)
    let peak = unsafe Int(bins[index])
    var (first, end) = (peak - Self.reach, peak + Self.reach + 1)
    if index > 0 { first = unsafe max(first, (Int(bins[index - 1]) + peak + 1) / 2) }
    if index + 1 < count { end = unsafe min(end, (peak + Int(bins[index + 1]) + 1) / 2) }
    let way = Int(shift[index])
    // Bins that would leave the spectrum, or reach 0 Hz, are dropped.
    first = max(first, max(0, 1 - way))
    end = min(end, spectrum.half - max(0, way))
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
}
