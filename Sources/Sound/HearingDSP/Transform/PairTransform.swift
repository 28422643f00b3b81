import CFFTW
import Realtime

/// Discrete Fourier transform of both ears at once, single precision (FFTW).
///
/// The left ear is the real part and the right ear the imaginary part of one complex signal: at these
/// lengths FFTW takes as long for a complex transform as for a real one, so the pair costs half.
/// The spectra come apart by symmetry, `L[k] = (Z[k] + Z*[N−k])/2` and `R[k] = (Z[k] − Z*[N−k])/2j`. The
/// inverse is not scaled: forward then inverse multiplies by ``length``; the chain puts the factor into
/// its gains.
///
/// - Shape: `length` complex values, interleaved; time side `left, right`, spectrum `re, im`.
/// - Threads: created and destroyed on `control`, run on `audio`.
@safe struct PairTransform: ~Copyable {
  let length: Int
  private let plans: PlanPair

  /// - Parameters:
  ///   - length: Frames, of the form 2ᵃ3ᵇ5ᶜ7ᵈ (others make FFTW allocate while running).
  ///   - isMeasured: The planner measures for the fastest plan. Default true; without, a third slower,
  ///     which suffices where a transform runs rarely and a start must not wait for its plan.
  /// - Throws: ``ChainError/noPlan(length:)``.
  init(length: Int, isMeasured: Bool = true) throws(ChainError) {
    let time = Buffer(count: 2 * length)
    let spectrum = Buffer(count: 2 * length)
    // Both plans rely on the alignment of AlignedBuffer and preserve their input.
    let flags = UInt32(isMeasured ? FFTW_MEASURE : FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT)
    let (input, output) = unsafe (Self.complex(time, 0), Self.complex(spectrum, 0))
    self.length = length
    plans = try unsafe PlanPair(length: length) {
      unsafe (
        fftwf_plan_dft_1d(Int32(length), input, output, FFTW_FORWARD, flags),
        fftwf_plan_dft_1d(Int32(length), output, input, FFTW_BACKWARD, flags)
      )
    }
  }

  /// Spectrum of the `length` frames of `time` that begin at frame `start`.
  ///
  /// - Parameter start: First frame; a multiple of 8, so that the plan's alignment holds.
  @_semantics("no_performance_analysis") @inline(never) func forward(
    _ time: borrowing Buffer, from start: Int, into spectrum: inout Buffer
  ) {
    precondition(start % 8 == 0 && 2 * (start + length) <= time.count && spectrum.count >= 2 * length)
    unsafe fftwf_execute_dft(plans.first, Self.complex(time, start), Self.complex(spectrum, 0))
  }

  /// Time signal of a spectrum, `length` times too large.
  @_semantics("no_performance_analysis") @inline(never) func inverse(
    _ spectrum: borrowing Buffer, into time: inout Buffer
  ) {
    precondition(spectrum.count >= 2 * length && time.count >= 2 * length)
    unsafe fftwf_execute_dft(plans.second, Self.complex(spectrum, 0), Self.complex(time, 0))
  }

  /// The same memory as FFTW's complex type, which is a pair of floats.
  private static func complex(
    _ buffer: borrowing Buffer, _ frame: Int
  ) -> UnsafeMutablePointer<fftwf_complex> {
    unsafe UnsafeMutableRawPointer(buffer.pointer + 2 * frame).assumingMemoryBound(to: fftwf_complex.self)
  }
}

/// Two plans of FFTW's that are made and destroyed together.
///
/// - Threads: created and destroyed on `control`.
@safe struct PlanPair: ~Copyable {
  let first: fftwf_plan
  let second: fftwf_plan

  /// - Throws: ``ChainError/noPlan(length:)`` where `make` gave nil.
  init(length: Int, _ make: () -> (fftwf_plan?, fftwf_plan?)) throws(ChainError) {
    var plans: (fftwf_plan?, fftwf_plan?)
    FFTPlanning.exclusively { unsafe plans = make() }
    guard let first = unsafe plans.0, let second = unsafe plans.1 else { throw .noPlan(length: length) }
    unsafe (self.first, self.second) = (first, second)
  }

  deinit {
    let (first, second) = unsafe (first, second)
    FFTPlanning.exclusively {
      unsafe fftwf_destroy_plan(first)
      unsafe fftwf_destroy_plan(second)
    }
  }
}
