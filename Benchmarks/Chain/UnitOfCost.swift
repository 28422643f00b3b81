import CFFTW
import Glibc
import Realtime

/// The unit of cost: for each of two ears one bare 256-point transform of real samples and its inverse
/// (FFTW, single precision, MEASURE plans). A hearing aid by overlap-add needs at least that for every
/// block of 64 frames.
struct UnitOfCost: ~Copyable {
  static let length = 256

  private let samples = AlignedBuffer<Float>(count: 2 * length)
  private let spectra = AlignedBuffer<Float>(count: 2 * stride)
  private let results = AlignedBuffer<Float>(count: 2 * length)
  private let forward: [fftwf_plan]
  private let inverse: [fftwf_plan]

  /// Elements of one ear's spectrum, rounded up so that both ears' begin on a 64-byte boundary.
  private static let stride = length + 16

  init() {
    var forward: [fftwf_plan] = []
    var inverse: [fftwf_plan] = []
    for ear in 0..<2 {
      let time = samples.pointer + ear * Self.length
      let result = results.pointer + ear * Self.length
      let bins = UnsafeMutableRawPointer(spectra.pointer + ear * Self.stride)
        .assumingMemoryBound(to: fftwf_complex.self)
      forward.append(fftwf_plan_dft_r2c_1d(Int32(Self.length), time, bins, UInt32(FFTW_MEASURE)))
      inverse.append(fftwf_plan_dft_c2r_1d(Int32(Self.length), bins, result, UInt32(FFTW_MEASURE)))
    }
    self.forward = forward
    self.inverse = inverse
    // After planning, which overwrites the buffers.
    for n in 0..<2 * Self.length { samples.pointer[n] = Float(sin(0.1 * Double(n))) }
  }

  deinit {
    for plan in forward + inverse { fftwf_destroy_plan(plan) }
  }

  /// Spends one unit.
  @inline(never)
  func spend() {
    for ear in 0..<2 {
      fftwf_execute(forward[ear])
      fftwf_execute(inverse[ear])
    }
  }
}
