import CLanes
import Realtime

/// Discrete Fourier transform of both ears at once, single precision, with the same bits on every processor.
///
/// The left ear is the real part and the right ear the imaginary part of one complex signal: the pair then costs what one ear does. The
/// spectra come apart by symmetry, `L[k] = (Z[k] + Z*[N−k])/2` and `R[k] = (Z[k] − Z*[N−k])/2j`.
///
/// Levels, gains and the decisions of noise reduction and frequency lowering follow from these spectra, and some hang on their last bit:
/// of two bins as strong the one is a peak. FFTW rounds in another order on another processor, and with each plan that it measures, so
/// that one prescription sounded a little different on two machines, −71 dB FS at worst (docs/aarch64.md). Here the order is always the
/// same (`CLanes`). What comes of the spectra goes back to sound by FFTW (``InverseTransform``).
///
/// - Shape: `length` complex values.
/// - Threads: created on `control`, run on `audio`.
struct ForwardTransform: ~Copyable {
  let length: Int
  /// Real parts of the bins, closed by that of bin 0, which is its own mirror. - Shape: `length + 1`.
  private(set) var re: Buffer
  /// Imaginary parts, likewise.
  private(set) var im: Buffer
  private var work: Buffer
  private var turns: Buffer

  /// - Parameter length: Frames; a power of two, at least 64.
  init(length: Int) {
    precondition(length >= 64 && length & (length - 1) == 0, "not a length of this transform")
    self.length = length
    re = AlignedBuffer(count: length + 1)
    im = AlignedBuffer(count: length + 1)
    work = AlignedBuffer(count: 2 * length)
    turns = AlignedBuffer(count: Int(clanes_count_turns(Int32(length))))
    unsafe clanes_fill_turns(Int32(length), turns.pointer)
  }

  /// Transforms the `length` frames of `time` that begin at frame `start`.
  ///
  /// - Parameters:
  ///   - time: Interleaved `left, right`.
  ///   - start: First frame; a multiple of 8, which lies as vectors must.
  mutating func process(_ time: borrowing Buffer, from start: Int) {
    precondition(start >= 0 && start % 8 == 0 && 2 * (start + length) <= time.count)
    unsafe transform(time.pointer + 2 * start)
    re[length] = re[0]
    im[length] = im[0]
  }

  @_semantics("no_performance_analysis") @inline(never) private mutating func transform(
    _ frames: UnsafeMutablePointer<Float>
  ) {
    unsafe clanes_transform(
      frames, Int32(length), turns.pointer, work.pointer, re.pointer, im.pointer)
  }
}
