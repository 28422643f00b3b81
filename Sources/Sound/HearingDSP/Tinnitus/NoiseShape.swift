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
  private(set) var sections = NoiseSections.none
  /// Factor on the noise; 0: off.
  private(set) var amplitude: Float = 0

  /// Silence, with room for a copy of a noise.
  init(frameLength: Int) { magnitude = AlignedBuffer(count: frameLength / 2) }

  /// - Parameters:
  ///   - sound: nil: none.
  ///   - outputAtFullScale: dB SPL at the ear of a full-scale sine at each band's centre.
  init(
    _ sound: TinnitusSound?, outputAtFullScale: [SoundPressureLevel], bands: BandLayout,
    geometry: ChainGeometry
  ) {
    guard let sound else {
      magnitude = AlignedBuffer(count: 0)
      return
    }
    let (rate, length) = (geometry.sampleRate, Self.frameLength(geometry))
    magnitude = AlignedBuffer(count: length / 2)
    var low = Self.lowest
    switch sound.shape {
    case .broadband: break
    case .band(let pitch, let width):
      sections = NoiseSections(centre: pitch, width: width, isNotch: false, sampleRate: rate)
      low /= 2
    case .notched(let pitch, let width):
      sections = NoiseSections(centre: pitch, width: width, isNotch: true, sampleRate: rate)
    }
    let high = min(Self.highest, 0.45 * rate)
    // Power of 1/f at the ear behind the sections.
    var whole = 0.0
    let steps = Int((log2(high / low) * Self.density).rounded(.up))
    let width = log(high / low) / Double(steps)
    for step in 0..<steps {
      whole += width * sections.power(at: low * exp((Double(step) + 0.5) * width), sampleRate: rate)
    }
    let response = Response(levels: outputAtFullScale.map(\.decibels), centres: bands.centres)
    let reference = response.loudest
    let binWidth = rate / Double(length)
    for k in 1..<length / 2 {
      let f = Double(k) * binWidth
      // The share of the bin that lies within the noise's range.
      let share = max(0, min(high, f + binWidth / 2) - max(low, f - binWidth / 2))
      let power = 0.5 * share / (f * whole) * pow(10, (reference - response.level(at: f)) / 10)
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

extension NoiseShape {
  /// An earphone's level over frequency.
  private struct Response {
    var levels: [Double]
    var centres: [Double]

    var loudest: Double { levels.max() ?? 0 }

    /// Level at `f`, Hz, dB SPL.
    func level(at f: Double) -> Double {
      guard let next = centres.firstIndex(where: { $0 >= f }) else { return levels[levels.count - 1] }
      guard next > 0 else { return levels[0] }
      let share = log(f / centres[next - 1]) / log(centres[next] / centres[next - 1])
      return levels[next - 1] + share * (levels[next] - levels[next - 1])
    }
  }
}
