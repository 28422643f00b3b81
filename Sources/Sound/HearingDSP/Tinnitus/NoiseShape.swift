import Acoustics
import Fitting
import Glibc
import Realtime

/// One ear's tinnitus sound as the audio thread reads it: amplitude of the noise in each bin of a frame,
/// and the sections that cut a band out of it.
///
/// At the ear the noise is pink: `p(f) ∝ 1/f` between ``lowest`` and ``highest``. The earphone's level at
/// full scale, linear in dB over log frequency between the bands' centres and held beyond them, is taken
/// out bin by bin.
///
/// - Threads: built on `control`, read and copied on `audio`.
struct NoiseShape: ~Copyable, Sendable {
  /// Range of the noise, Hz; own choice: below 100 Hz earphones distort before they sound, above 16 kHz
  /// hardly any person with tinnitus hears. A band below reaches down to half of 100 Hz.
  static let lowest = 100.0
  static let highest = 16_000.0
  /// Points per octave at which the power at the ear is added up: 40 in the narrowest band.
  private static let density = 160.0

  /// Amplitude of the real and of the imaginary part in each bin, for 1/2 of a full scale's mean square at
  /// ``amplitude`` 1 through an earphone of equal level. - Shape: half a frame; none when off.
  private(set) var magnitude: Buffer
  private(set) var sections = FilterSections()
  /// Factor on the noise; 0: off.
  private(set) var amplitude: Float = 0

  /// Silence, with room for a copy of a noise.
  init(frameLength: Int) { magnitude = AlignedBuffer(count: frameLength / 2) }

  /// The tinnitus sound of a fitting; silence without one.
  init(_ fitting: EarFitting, bands: BandLayout, geometry: ChainGeometry) {
    let (rate, length) = (geometry.sampleRate, Self.frameLength(geometry))
    magnitude = AlignedBuffer(count: fitting.tinnitusSound == nil ? 0 : length / 2)
    guard let sound = fitting.tinnitusSound else { return }
    var low = Self.lowest
    switch sound.shape {
    case .broadband: break
    case .band(let pitch, let width):
      sections = FilterSections(centre: pitch, width: width, isNotch: false, sampleRate: rate)
      low /= 2
    case .notched(let pitch, let width):
      sections = FilterSections(centre: pitch, width: width, isNotch: true, sampleRate: rate)
    }
    let high = min(Self.highest, 0.45 * rate)
    // Power of 1/f at the ear behind the sections.
    var whole = 0.0
    let steps = Int((log2(high / low) * Self.density).rounded(.up))
    let width = log(high / low) / Double(steps)
    for step in 0..<steps {
      whole += width * sections.power(at: low * exp((Double(step) + 0.5) * width), sampleRate: rate)
    }
    let response = LogFrequencyTable(bands.centres, fitting.addedAtFullScale.map(\.decibels))
    let reference = response.values.max() ?? 0
    let binWidth = rate / Double(length)
    for k in 1..<length / 2 {
      let f = Double(k) * binWidth
      // The share of the bin that lies within the noise's range.
      let share = max(0, min(high, f + binWidth / 2) - max(low, f - binWidth / 2))
      let power = 0.5 * share / (f * whole) * pow(10, (reference - response.held(at: f)) / 10)
      // A bin of the real ear's spectrum and its mirror, each of power 2A², make a mean square of 4A².
      magnitude[k] = Float((power / 4).squareRoot())
    }
    amplitude = Float(pow(10, (sound.level.decibels - reference) / 20))
  }

  /// Samples per frame of noise: 46 ms at 44.1 kHz, bins 22 Hz apart, a third of the third octave at 125
  /// Hz.
  static func frameLength(_ geometry: ChainGeometry) -> Int { 4 * geometry.filterLength }

  var isOn: Bool { amplitude > 0 }

  /// Both have the same colour, at whatever level.
  func hasColour(of other: borrowing NoiseShape) -> Bool {
    guard magnitude.count == other.magnitude.count, sections == other.sections else { return false }
    for k in 0..<magnitude.count where magnitude[k] != other.magnitude[k] { return false }
    return true
  }

  /// Copies another shape; of one that is off, its amplitude alone.
  mutating func copy(from other: borrowing NoiseShape) {
    amplitude = other.amplitude
    guard other.isOn else { return }
    precondition(magnitude.count == other.magnitude.count, "a noise made for another rate")
    for k in 0..<magnitude.count { magnitude[k] = other.magnitude[k] }
    sections = other.sections
  }
}

/// Sections that cut a band out of the noise, or leave nothing but a band.
extension FilterSections {
  /// Highest band edge, as a share of the sampling rate: beyond it the bilinear transform has no room left.
  private static let highestEdge = 0.45
  /// Poles of the Butterworth prototype of order 4 with positive imaginary part, −sin and cos of π/8 and
  /// 3π/8.
  private static let butterworth = [1.0, 3.0].map { k in (re: -sin(k * .pi / 8), im: cos(k * .pi / 8)) }

  /// Butterworth band filter of order 4, 3 dB at its edges (Oppenheim & Schafer, Discrete-Time Signal
  /// Processing: band transformation of the prototype and bilinear transform, warped to be exact at the
  /// centre).
  ///
  /// - Parameters:
  ///   - centre: Hz, geometric mean of the edges.
  ///   - width: Octaves between the edges.
  ///   - isNotch: The band is cut out; otherwise everything else is.
  init(centre: Double, width: Double, isNotch: Bool, sampleRate: Double) {
    let warp = { (f: Double) in tan(.pi * min(f, Self.highestEdge * sampleRate) / sampleRate) }
    let middle = warp(centre)
    let breadth = warp(centre * exp2(width / 2)) - warp(centre * exp2(-width / 2))
    var lane = 0
    for pole in Self.butterworth {
      // The band's poles solve s² − 2h·s + ω0² = 0 with 2h = p·B, or B/p for a notch, |p| = 1.
      let h = (re: pole.re * breadth / 2, im: (isNotch ? -pole.im : pole.im) * breadth / 2)
      let root = Self.squareRoot((re: h.re * h.re - h.im * h.im - middle * middle, im: 2 * h.re * h.im))
      for sign in [1.0, -1.0] {
        set(lane, pole: (h.re + sign * root.re, h.im + sign * root.im), middle, isNotch)
        lane += 1
      }
    }
  }

  /// One section from a pole of the s plane and its conjugate. A notch has its zeros at the centre, a band
  /// at 0 Hz and half the sampling rate; gain 1 at 0 Hz and at the centre.
  private mutating func set(_ lane: Int, pole: (re: Double, im: Double), _ middle: Double, _ isNotch: Bool)
  {
    // (s − q)(s − q*) = s² + 2d·s + m.
    let (d, m) = (-pole.re, pole.re * pole.re + pole.im * pole.im)
    let w2 = middle * middle
    // At s = jω0 a band's section is k·jω0 / (m − ω0² + 2jd·ω0).
    let (re, im) = (m - w2, 2 * d * middle)
    let scale = isNotch ? m / w2 : (re * re + im * im).squareRoot() / middle
    set(lane, d: d, m: m, scale: scale, zeros: isNotch ? (1 + w2, 2 * (w2 - 1), 1 + w2) : (1, 0, -1))
  }

  private static func squareRoot(_ z: (re: Double, im: Double)) -> (re: Double, im: Double) {
    let size = (z.re * z.re + z.im * z.im).squareRoot()
    let re = max(0, (size + z.re) / 2).squareRoot()
    return (re, copysign(max(0, (size - z.re) / 2).squareRoot(), z.im))
  }

  /// Power gain at a frequency, Hz.
  func power(at frequency: Double, sampleRate: Double) -> Double {
    let (c, s) = (cos(2 * .pi * frequency / sampleRate), sin(2 * .pi * frequency / sampleRate))
    let (c2, s2) = (2 * c * c - 1, 2 * s * c)
    var power = 1.0
    for lane in 0..<4 {
      let b = (Double(b0[lane]), Double(b1[lane]), Double(b2[lane]))
      let a = (Double(a1[lane]), Double(a2[lane]))
      let (re, im) = (b.0 + b.1 * c + b.2 * c2, b.1 * s + b.2 * s2)
      let (poleRe, poleIm) = (1 + a.0 * c + a.1 * c2, a.0 * s + a.1 * s2)
      power *= (re * re + im * im) / (poleRe * poleRe + poleIm * poleIm)
    }
    return power
  }
}
