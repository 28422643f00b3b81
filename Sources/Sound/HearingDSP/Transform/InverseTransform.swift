import CFFTW
import Realtime

/// Sound of both ears' spectra at once, by the inverse discrete Fourier transform, single precision (FFTW).
///
/// The left ear is the real part and the right ear the imaginary part of one complex signal: at these
/// lengths FFTW takes as long for a complex transform as for a real one, so the pair costs half. The result is not scaled: a
/// ``ForwardTransform`` and then this one multiply by ``length``; the chain puts the factor into its gains.
///
/// - Shape: `length` complex values, interleaved; spectrum `re, im`, time side `left, right`.
/// - Threads: created and destroyed on `control`, run on `audio`.
@safe struct InverseTransform: ~Copyable {
  let length: Int
  private let plan: fftwf_plan

  /// - Parameters:
  ///   - length: Frames, of the form 2ᵃ3ᵇ5ᶜ7ᵈ (others make FFTW allocate while running).
  ///   - isMeasured: The planner measures for the fastest plan. Default true; without, a third slower,
  ///     which suffices where a transform runs rarely and a start must not wait for its plan.
  /// - Throws: ``ChainError/noPlan(length:)``.
  init(length: Int, isMeasured: Bool = true) throws(ChainError) {
    let time = Buffer(count: 2 * length)
    let spectrum = Buffer(count: 2 * length)
    // The plan relies on the alignment of AlignedBuffer and preserves its input.
    let flags = UInt32(isMeasured ? FFTW_MEASURE : FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT)
    var made: fftwf_plan?
    FFTPlanning.exclusively {
      unsafe made = fftwf_plan_dft_1d(
        Int32(length), Self.complex(spectrum), Self.complex(time), FFTW_BACKWARD, flags)
    }
    guard let plan = unsafe made else { throw .noPlan(length: length) }
    self.length = length
    unsafe self.plan = plan
  }

  deinit {
    let plan = unsafe plan
    FFTPlanning.exclusively { unsafe fftwf_destroy_plan(plan) }
  }

  /// Time signal of a spectrum, `length` times too large.
  @_semantics("no_performance_analysis") @inline(never) func process(
    _ spectrum: borrowing Buffer, into time: inout Buffer
  ) {
    precondition(spectrum.count >= 2 * length && time.count >= 2 * length)
    unsafe fftwf_execute_dft(plan, Self.complex(spectrum), Self.complex(time))
  }

  /// The same memory as FFTW's complex type, which is a pair of floats.
  private static func complex(_ buffer: borrowing Buffer) -> UnsafeMutablePointer<fftwf_complex> {
    unsafe UnsafeMutableRawPointer(buffer.pointer).assumingMemoryBound(to: fftwf_complex.self)
  }
}
