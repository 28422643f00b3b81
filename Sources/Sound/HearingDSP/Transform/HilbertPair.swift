import CFFTW
import Realtime

/// Turns a log magnitude into the phase of the minimum-phase filter that has it, by folding the real
/// cepstrum (Oppenheim & Schafer, Discrete-Time Signal Processing, chapter on minimum-phase sequences).
///
/// A log magnitude is even and real, so its cepstrum is a cosine series `c[n]`; keeping only positive times
/// doubles it, and the phase is the sine series `-2 c[n]`: one cosine transform, one sine transform.
///
/// - Threads: `control`.
@safe
struct HilbertPair: ~Copyable {
  /// Intervals between 0 Hz and half the sampling rate.
  let intervals: Int
  private var values: Buffer
  private var series: Buffer
  private let cosine: fftwf_plan
  private let sine: fftwf_plan

  init(intervals: Int) throws(ChainError) {
    self.intervals = intervals
    values = AlignedBuffer(count: intervals + 1)
    series = AlignedBuffer(count: intervals + 1)
    let (input, output) = unsafe (values.pointer, series.pointer)
    // ESTIMATE: run once per band at start-up, where measuring costs more than it saves.
    var plans: (cosine: fftwf_plan?, sine: fftwf_plan?)
    FFTPlanning.exclusively {
      unsafe plans.cosine = fftwf_plan_r2r_1d(
        Int32(intervals + 1), input, output, FFTW_REDFT00, UInt32(FFTW_ESTIMATE))
      unsafe plans.sine = fftwf_plan_r2r_1d(
        Int32(intervals - 1), output + 1, input + 1, FFTW_RODFT00, UInt32(FFTW_ESTIMATE))
    }
    guard let cosine = unsafe plans.cosine, let sine = unsafe plans.sine else {
      throw .noPlan(length: intervals)
    }
    unsafe self.cosine = cosine
    unsafe self.sine = sine
  }

  deinit {
    let (first, second) = unsafe (cosine, sine)
    FFTPlanning.exclusively {
      unsafe fftwf_destroy_plan(first)
      unsafe fftwf_destroy_plan(second)
    }
  }

  /// Phase, rad, at the same points as `logMagnitude`, nepers.
  ///
  /// - Parameter logMagnitude: `intervals + 1` points from 0 Hz to half the sampling rate.
  mutating func phase(of logMagnitude: [Double]) -> [Double] {
    precondition(logMagnitude.count == intervals + 1)
    for n in 0...intervals { values[n] = Float(logMagnitude[n]) }
    unsafe fftwf_execute(cosine)
    // REDFT00 gives 2N·c[n] and RODFT00 twice the sine sum: -2·c[n]·sin becomes -1/(2N) of the
    // coefficients.
    let scale = -1 / Float(2 * intervals)
    for n in 1..<intervals { series[n] = series[n] * scale }
    unsafe fftwf_execute(sine)
    return [0] + (1..<intervals).map { Double(values[$0]) } + [0]
  }
}
