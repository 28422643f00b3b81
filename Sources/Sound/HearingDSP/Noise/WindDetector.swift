import Acoustics
import Glibc
import Realtime

/// Detector of wind over the microphones.
///
/// Wind is loud at low frequencies, with little above. One microphone shows that alone: the power below 300
/// Hz lies 10 dB above that over 900 Hz, and the centre of the spectrum lies below 300 Hz. Two microphones
/// show more: low sounds of the surroundings, whose wavelength is much longer than a head is wide, are
/// coherent between the ears, while the turbulence at each microphone is not; then a weaker slope is
/// enough, and coherent low sounds are never wind. Where both ears get the same signal, or one microphone is
/// dead, coherence tells nothing, and they count as one.
///
/// - Threads: built on `control`, run on `audio`.
struct WindDetector: ~Copyable {
  /// Time constant of the powers compared, s: half of that of openMHA's `windnoise`, to react faster.
  static let averaging = 0.5
  /// Time constant of the coherence between the ears, s.
  static let coherenceAveraging = 0.3
  /// Low over high power from which one microphone shows wind, dB (rule of thumb; LTASS has 6 dB).
  static let slope: Float = 10
  /// The same for two microphones whose sounds are not coherent, dB.
  static let incoherentSlope: Float = 8
  /// Distance below the threshold at which wind is over, dB.
  static let hysteresis: Float = 3
  /// Magnitude-squared coherence up to which low sounds count as incoherent: in a diffuse field between
  /// ears 17 cm apart it is 0.74 at 300 Hz, `sinc²(2πfd/c)`.
  static let coherence: Float = 0.4
  /// Greatest centre of the spectrum, Hz.
  static let centre: Float = 300
  /// Least low-frequency level, dB SPL: a fainter wind needs no relief.
  static let leastLevel: Float = 55
  /// Times in which relief fades in and out, s.
  static let onset = 0.2
  static let decay = 1.0
  /// Time between two readings, s: gusts last for tenths of a second, and a frame reaches over two
  /// readings.
  static let readingTime = 0.006
  /// Frequencies between which relief falls from full to none, Hz.
  static let taper = 500.0...1500.0
  /// First of the four bins whose coherence is read: 172 to 430 Hz at 44.1 kHz.
  private static let firstBin = 2
  /// Power of the difference between the ears up to which both have one microphone: −50 dB.
  private static let sameness: Float = 1e-5
  /// Power of one ear relative to the other's below which it is a dead microphone's: −30 dB. Own choice:
  /// beyond what a head shelters from wind, above the noise of a channel without a microphone.
  private static let deadness: Float = 1e-3

  /// Wind is detected.
  private(set) var isWindy = false
  /// Share of relief in force, 0...1.
  private(set) var amount: Float = 0
  /// Share of the relief in each band, 0...1.
  let shares: Buffer

  /// Weight of each band in ``averages``.
  private let weights: AlignedBuffer<SIMD4<Float>>
  private let share: Float
  private let coherenceShare: Float
  /// Changes of ``amount`` per hop.
  private let steps: (onset: Float, decay: Float)
  private let hopsPerReading: Int
  private var hop = 0
  /// Smoothed power of the low and of the high bands, moment of all over frequency, power of all.
  private var averages = SIMD4<Float>()
  /// Smoothed powers of left and right, the cross spectrum's real and imaginary part, power of the
  /// difference: four bins each.
  private var spectra = InlineArray<5, SIMD4<Float>>(repeating: SIMD4())

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    let (centres, hopTime) = (layout.centres, geometry.hopTime)
    let width = log(Self.taper.upperBound / Self.taper.lowerBound)
    shares = AlignedBuffer(count: layout.stride) { band in
      guard band < layout.count else { return 0 }
      return Float(1 - min(max(log(centres[band] / Self.taper.lowerBound) / width, 0), 1))
    }
    weights = AlignedBuffer(count: layout.count) { band in
      SIMD4(centres[band] <= 260 ? 0.5 : 0, centres[band] >= 1000 ? 0.5 : 0, Float(centres[band]), 1)
    }
    hopsPerReading = geometry.hops(Self.readingTime)
    let time = hopTime * Double(hopsPerReading)
    share = Float(1 - exp(-time / Self.averaging))
    coherenceShare = Float(1 - exp(-time / Self.coherenceAveraging))
    steps = (Float(hopTime / Self.onset), Float(hopTime / Self.decay))
  }

  /// Clears the averages: no wind.
  mutating func reset() {
    isWindy = false
    amount = 0
    averages = SIMD4()
    for index in 0..<5 { spectra[index] = SIMD4() }
  }

  /// Moves by one hop.
  ///
  /// - Parameters:
  ///   - powers: Mean square of each band.
  ///   - spectrum: Of both ears, same moment.
  ///   - offset: dB SPL of a mean square of 1, the greater of both ears'.
  mutating func process(
    _ powers: borrowing Binaural<Buffer>, spectrum: borrowing PairSpectrum, offset: Float
  ) {
    hop += 1
    if hop >= hopsPerReading {
      hop = 0
      readPowers(powers)
      readCoherence(spectrum)
      judge(offset: offset)
    }
    let next = amount + (isWindy ? steps.onset : -steps.decay)
    amount = next < 0 ? 0 : (next > 1 ? 1 : next)
  }

  /// Decides on wind from the averages.
  private mutating func judge(offset: Float) {
    let (low, high, moment, whole) = (averages[0], averages[1], averages[2], averages[3])
    let ratio = Decibel.fromPower(low + 1e-20) - Decibel.fromPower(high + 1e-20)
    let level = Decibel.fromPower(low + 1e-20) + offset
    let (isSingle, isIncoherent) = compareEars()
    let required: Float = isSingle ? Self.slope : Self.incoherentSlope
    let margin: Float = isWindy ? Self.hysteresis : 0
    let isSloped = ratio > required - margin && level > Self.leastLevel - margin
    let isLow = moment < Self.centre * whole || !isSingle
    isWindy = isSloped && isLow && (isSingle || isIncoherent)
  }

  private mutating func readPowers(_ powers: borrowing Binaural<Buffer>) {
    var sums = SIMD4<Float>()
    for band in 0..<weights.count { sums += (powers.left[band] + powers.right[band]) * weights[band] }
    averages += share * (sums - averages)
  }

  /// Smooths powers and cross spectra of the low bins.
  private mutating func readCoherence(_ spectrum: borrowing PairSpectrum) {
    let left = unsafe spectrum.ears.left.lanes.hann(Self.firstBin)
    let right = unsafe spectrum.ears.right.lanes.hann(Self.firstBin)
    let (cross, apart) = (right.conjugateProduct(left), left - right)
    let now: InlineArray<5, SIMD4<Float>> = [left.power, right.power, cross.re, cross.im, apart.power]
    for index in 0..<5 { spectra[index] += (now[index] - spectra[index]) * coherenceShare }
  }

  /// One microphone is heard, by both ears or by one of them; or two with incoherent signals.
  private func compareEars() -> (isSingle: Bool, isIncoherent: Bool) {
    let (left, right) = (spectra[0], spectra[1])
    let cross = ComplexLanes(spectra[2], spectra[3])
    let coherence = (cross.power / (left * right + 1e-20)).sum()
    let isSame = spectra[4].sum() <= Self.sameness * (left + right).sum()
    let (here, there) = (left.sum(), right.sum())
    let isAlone = min(here, there) < Self.deadness * max(here, there)
    return (isSame || isAlone, coherence < 4 * Self.coherence)
  }
}
