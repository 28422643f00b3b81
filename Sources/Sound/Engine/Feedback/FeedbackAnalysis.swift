import Acoustics
import Glibc

/// Response, delay, levels by frequency and noise of a repeated sound that a microphone recorded.
///
/// The sound is deconvolved with what was really sent, limiter and ramp included. What differs from one period to the next
/// is noise; it goes the same way, so that it is known in each cell what noise alone would have read.
struct FeedbackAnalysis {
  /// Time of the response that counts, s: an earpiece's own path takes a few ms, a small room's strong reflections come
  /// within this. Own choice; a longer one lets in more noise.
  static let length = 0.15
  /// Part of it that fades out, s.
  static let fade = 0.02
  /// Time kept before the first trace, s: what the test's lower end of 90 Hz makes ring before and after the onset, the inverse
  /// of its edge's 35 Hz.
  static let lead = 0.03
  /// Peak over the RMS of noise from which there is a delay to tell: among 2^16 samples of noise the greatest stands at
  /// 4.4 times its RMS.
  static let leastPeak = 6.0
  /// Height of the first trace relative to the peak, −20 dB, and how long before the peak it is looked for, s.
  static let onset = 0.1
  static let onsetTime = 0.005

  /// Response of the whole period, full scale to full scale, and the same of noise alone.
  let response: [Double]
  let noise: [Double]
  /// Index of the first trace; nil: nothing that stands out of noise.
  let first: Int?
  /// True when the first trace itself stands out of noise, so that its time is certain.
  let isDelayClear: Bool
  private let peak: Int
  private let rate: Double

  /// - Parameters:
  ///   - sent: Whole periods as they left.
  ///   - heard: The same frames at the microphone.
  ///   - count: Frames of a period; at least two periods, an even number.
  ///   - rate: Hz.
  init(sent: [Float], heard: [Float], count: Int, rate: Double) {
    precondition(sent.count == heard.count && sent.count >= 2 * count && sent.count % (2 * count) == 0)
    self.rate = rate
    let x = Self.mean(sent, count, alternating: false)
    let y = Self.mean(heard, count, alternating: false)
    let d = Self.mean(heard, count, alternating: true)
    let transform = FourierTransform(count: count)
    let (sentSpectrum, heardSpectrum) = transform.spectra(x, y)
    let (noiseSpectrum, _) = transform.spectra(d, [Double](repeating: 0, count: count))
    // Response and noise come back by one transform: z = h + i·n.
    var (re, im) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    for bin in 1..<count / 2 {
      let share = FeedbackSignal.share(Double(bin) * rate / Double(count), rate: rate)
      let power = sentSpectrum.power(bin)
      guard share > 0, power > 0 else { continue }
      let (hr, hi) = Self.quotient(heardSpectrum, sentSpectrum, bin, share * share / power)
      let (nr, ni) = Self.quotient(noiseSpectrum, sentSpectrum, bin, share * share / power)
      // The conjugate of Z = H + i·N, with each Hermitian: the forward transform then gives the conjugate of z.
      (re[bin], im[bin]) = (hr - ni, -(hi + nr))
      (re[count - bin], im[count - bin]) = (hr + ni, hi - nr)
    }
    transform.transform(&re, &im)
    let response = re.map { $0 / Double(count) }
    let noise = im.map { -$0 / Double(count) }
    let peak = response.indices.max { abs(response[$0]) < abs(response[$1]) } ?? 0
    let rms = (noise.reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
    let height = abs(response[peak])
    let isFound = height > Self.leastPeak * rms && height > 0
    first = isFound ? Self.onset(response, peak, height, Int(Self.onsetTime * rate)) : nil
    isDelayClear = isFound && Self.onset * height > Self.leastPeak * rms
    (self.response, self.noise, self.peak) = (response, noise, peak)
  }

  private static func quotient(
    _ y: FourierSpectrum, _ x: FourierSpectrum, _ bin: Int, _ factor: Double
  ) -> (Double, Double) {
    (
      factor * (y.real[bin] * x.real[bin] + y.imaginary[bin] * x.imaginary[bin]),
      factor * (y.imaginary[bin] * x.real[bin] - y.real[bin] * x.imaginary[bin])
    )
  }

  /// One period: the mean of all, or of the odd ones less that of the even ones, halved, in which the same noise remains.
  private static func mean(_ sound: [Float], _ count: Int, alternating: Bool) -> [Double] {
    var mean = [Double](repeating: 0, count: count)
    let periods = sound.count / count
    for period in 0..<periods {
      let factor = (alternating && period % 2 == 1 ? -1.0 : 1.0) / Double(periods)
      for index in 0..<count { mean[index] += factor * Double(sound[period * count + index]) }
    }
    return mean
  }

  private static func onset(_ response: [Double], _ peak: Int, _ height: Double, _ reach: Int) -> Int {
    let count = response.count
    let before = (0...reach).last { abs(response[(peak - $0 + count) % count]) >= onset * height }
    return (peak - (before ?? 0) + count) % count
  }

  /// Time from leaving to the first trace coming in, s; nil: none stands out.
  var delay: Double? { first.map { Double($0) / rate } }

  /// Samples of the response from its first trace on.
  ///
  /// - Parameter time: Length, s.
  func taps(_ time: Double) -> [Double] {
    guard let first else { return [] }
    return (0..<Int(time * rate)).map { response[(first + $0) % response.count] }
  }

  /// |F| and noise, RMS, of each cell, both linear.
  func cells() -> [(frequency: Double, magnitude: Double, noise: Double)] {
    let transform = FourierTransform(count: response.count)
    let (f, n) = transform.spectra(windowed(response), windowed(noise))
    let spacing = rate / Double(response.count)
    let half = exp2(0.5 / FeedbackCell.perOctave)
    return FeedbackCell.frequencies(rate: rate).map { frequency in
      // Neighbouring cells meet; a cell has a bin of its own however low it lies.
      let low = Int((frequency / half / spacing).rounded(.down))
      let high = Int((frequency * half / spacing).rounded(.up))
      let greatest = (low...high).map { f.power($0) }.max() ?? 0
      // Of noise a wider range, a third of an octave, for a steadier mean.
      let wide = Int(frequency * 0.89 / spacing)...Int((frequency * 1.12 / spacing).rounded(.up))
      let mean = wide.reduce(0) { $0 + n.power($1) } / Double(wide.count)
      return (frequency, greatest.squareRoot(), mean.squareRoot())
    }
  }

  private func windowed(_ sound: [Double]) -> [Double] {
    let count = sound.count
    let start = (first ?? peak) - Int(Self.lead * rate)
    let length = Int(Self.length * rate)
    let fade = Int(Self.fade * rate)
    var windowed = [Double](repeating: 0, count: count)
    for offset in 0..<length {
      let index = ((start + offset) % count + count) % count
      let left = length - offset
      let factor = left < fade ? (1 - cos(.pi * Double(left) / Double(fade))) / 2 : 1
      windowed[index] = factor * sound[index]
    }
    return windowed
  }
}

/// The test's sound: one period of a sound that repeats, in which every bin of its transform sounds.
///
/// Powers fall by 3 dB per octave, as bands of equal ratio ask for, and phases are chosen so that each part of the
/// period has one frequency (Schroeder 1970): a rising tone, whose peaks stand little above its level. What repeats is
/// told from noise by comparing one period with the next.
struct FeedbackSignal {
  /// Lowest and highest frequency in full, as a share of the rate for the upper one; beyond, levels fall to nothing
  /// over ``edge``.
  static let lowest = 90.0
  static let highest = 0.42
  /// Lowest frequency that sounds at all, Hz, and highest, as a share of the rate: what lies above, converters take away.
  static let edge = (low: 55.0, high: 0.47)

  /// One period. Its RMS value is 1 without equalisation.
  let period: [Double]

  /// Frames of a period: three quarters of a second. A path that is longer than that is no earpiece's.
  static func frames(rate: Double) -> Int { rate > 50_000 ? 1 << 16 : 1 << 15 }

  /// - Parameters:
  ///   - rate: Hz.
  ///   - equalisation: Gain over frequency, dB.
  init(rate: Double, equalisation: (Double) -> Double = { _ in 0 }) {
    let count = Self.frames(rate: rate)
    let spacing = rate / Double(count)
    let powers = (0...count / 2).map { bin -> Double in
      let frequency = Double(bin) * spacing
      let share = Self.share(frequency, rate: rate)
      return bin == 0 ? 0 : share * share / frequency
    }
    let total = powers.reduce(0, +)
    var (real, imaginary) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    // φ(k) = −2π Σ_{l<k} (k − l)·p(l): the group delay grows with the power that lies below.
    var (phase, below) = (0.0, 0.0)
    for bin in 1..<count / 2 {
      phase = (phase - 2 * .pi * below).truncatingRemainder(dividingBy: 2 * .pi)
      below += powers[bin] / total
      let amplitude = powers[bin].squareRoot() * pow(10, equalisation(Double(bin) * spacing) / 20)
      (real[bin], imaginary[bin]) = (amplitude * cos(phase), amplitude * sin(phase))
    }
    FourierTransform(count: count).transform(&real, &imaginary)
    // A cosine of amplitude a has the mean square a²/2.
    let mean = powers[1..<count / 2].reduce(0, +) / 2
    period = real.map { $0 / mean.squareRoot() }
  }

  /// Amplitude of a frequency, 0…1: raised cosines over log frequency at both ends.
  static func share(_ frequency: Double, rate: Double) -> Double {
    func rise(_ frequency: Double, _ from: Double, _ to: Double) -> Double {
      guard frequency > from else { return 0 }
      let way = min(log(frequency / from) / log(to / from), 1)
      return (1 - cos(.pi * way)) / 2
    }
    guard frequency > 0 else { return 0 }
    return rise(frequency, edge.low, lowest) * (1 - rise(frequency, highest * rate, edge.high * rate))
  }
}
