import Acoustics
import Glibc

/// Transfer of steady speech-shaped noise: gain by third octave, level, delay.
struct NoiseTransfer: Sendable {
  /// Gain in each third octave, dB, from microphone to coupler.
  let gains: [CurvePoint]
  /// Whole output, dB SPL.
  let output: Double
  /// Group delay, s, at each frequency asked for.
  let delays: [CurvePoint]

  /// 200 Hz to 6.3 kHz.
  static let bands = -7...8

  static func period(_ sampleRate: Double) -> Int { sampleRate > 50_000 ? 1 << 17 : 1 << 16 }

  /// - Parameters:
  ///   - level: dB SPL.
  ///   - rest: Time to settle beforehand, s.
  ///   - frequencies: Frequencies at which the delay is read, Hz.
  static func measure<Path: SoundPath & ~Copyable>(
    level: Double, rest: Double, delaysAt frequencies: [Double] = [], on bench: inout Bench<Path>
  ) -> Binaural<NoiseTransfer> {
    let count = period(bench.sampleRate)
    let rate = bench.sampleRate
    let noise = bench.microphones.map {
      SpeechShapedNoise(level: level, count: count, sampleRate: rate, microphone: $0)
    }
    let settle = bench.frames(rest)
    let whole = bench.whole(count)
    var heard = Binaural(both: [Float]())
    var input = heard
    var start = bench.clock
    for frames in [settle, whole] {
      input = noise.map { $0.frames(from: start, count: frames) }
      heard = bench.play(input)
      start += frames
    }
    let transform = FourierTransform(count: count)
    func reading(_ ear: Ear) -> NoiseTransfer {
      let (x, y) = transform.spectra(
        input[ear].suffix(count).map(Double.init), heard[ear].suffix(count).map(Double.init))
      return NoiseTransfer(
        x, y, spacing: rate / Double(count), bench.microphones[ear], bench.earphones[ear], frequencies)
    }
    return Binaural(left: reading(.left), right: reading(.right))
  }

  private init(
    _ x: FourierSpectrum, _ y: FourierSpectrum, spacing: Double, _ microphone: FullScaleResponse,
    _ earphone: FullScaleResponse, _ frequencies: [Double]
  ) {
    let count = x.real.count
    let bands = ThirdOctaves(Self.bands, spacing: spacing, binCount: count)
    func power(_ spectrum: FourierSpectrum, _ scale: FullScaleResponse) -> [Double] {
      (0..<count).map { spectrum.power($0) * pow(10, scale.level(at: Double($0) * spacing) / 10) }
    }
    let (before, after) = (power(x, microphone), power(y, earphone))
    gains = zip(bands.centres, zip(bands.sums { before[$0] }, bands.sums { after[$0] })).map {
      CurvePoint(x: $0, y: 10 * log10(max($1.1, 1e-30) / max($1.0, 1e-30)))
    }
    // Two halves of the spectrum, and a full-scale sine has the mean square ½.
    let length = Double(2 * (count - 1))
    output = 10 * log10(max(4 * after.reduce(0, +) / (length * length), 1e-30))
    delays = frequencies.map { CurvePoint(x: $0, y: Self.delay(x, y, at: $0, spacing: spacing)) }
  }

  /// −dφ/dω of Y/X around a frequency: phase that the transfer function turns by between bins 100 Hz or a
  /// third of the range apart, averaged over a third octave or 100 Hz, whichever is wider. Good for up to 5
  /// ms.
  private static func delay(
    _ x: FourierSpectrum, _ y: FourierSpectrum, at frequency: Double, spacing: Double
  ) -> Double {
    let half = max(frequency * 0.115, 50)
    let first = Int((frequency - half) / spacing)
    let last = min(Int((frequency + half) / spacing), x.real.count - 1)
    let lag = max(1, min((last - first) / 3, Int(100 / spacing)))
    func transfer(_ k: Int) -> (Double, Double) {
      let power = max(x.power(k), 1e-60)
      return (
        (y.real[k] * x.real[k] + y.imaginary[k] * x.imaginary[k]) / power,
        (y.imaginary[k] * x.real[k] - y.real[k] * x.imaginary[k]) / power
      )
    }
    var (real, imaginary) = (0.0, 0.0)
    for k in max(1, first)..<max(2, last - lag) {
      let (a, b) = (transfer(k), transfer(k + lag))
      real += b.0 * a.0 + b.1 * a.1
      imaginary += b.1 * a.0 - b.0 * a.1
    }
    return -atan2(imaginary, real) / (2 * .pi * Double(lag) * spacing)
  }
}
