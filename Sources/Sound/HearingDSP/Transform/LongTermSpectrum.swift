public import Acoustics
import Glibc
import Realtime

/// Average spectrum of a long sound, both ears, in third octaves.
///
/// Welch's method: Hann windows of 186 ms (8192 samples at 44.1 kHz), half overlapping, whose powers are
/// averaged. Bins are shared among bands in proportion, so the bands' powers add up to the whole.
///
/// - Threads: `control`; one at a time.
public struct LongTermSpectrum: ~Copyable {
  private let sampleRate: Double
  private var spectrum: PairSpectrum
  private var pending: Buffer
  private var filled = 0
  private var power: Binaural<Buffer>
  private var sum: Binaural<[Double]>
  private var windows = 0

  public init(sampleRate: Double) {
    let length = sampleRate > 50_000 ? 16_384 : 8192
    self.sampleRate = sampleRate
    spectrum = PairSpectrum(length: length)
    pending = AlignedBuffer(count: 2 * length)
    power = Binaural { _ in AlignedBuffer(count: length / 2) }
    sum = Binaural(both: Array(repeating: 0, count: length / 2))
  }

  /// Adds a stretch of sound.
  public mutating func process(left: borrowing Span<Float>, right: borrowing Span<Float>) {
    let length = spectrum.length
    for n in 0..<min(left.count, right.count) {
      pending[2 * filled] = left[n]
      pending[2 * filled + 1] = right[n]
      filled += 1
      if filled == length { processWindow() }
    }
  }

  /// Third octaves from 100 Hz to 16 kHz that fit below half the sampling rate; empty for a sound
  /// shorter than one window.
  ///
  /// - Returns: Exact centre, 1000 · 10^(n/10) Hz (IEC 61260-1), and mean square: a full-scale sine has ½.
  public func thirdOctaves(_ ear: Ear) -> [(centre: Double, power: Double)] {
    guard windows > 0 else { return [] }
    let spectrum = PowerSpectrum(
      power: sum[ear].map { $0 / Double(windows) }, binWidth: sampleRate / Double(spectrum.length))
    return ThirdOctave.all(below: sampleRate / 2).map {
      ($0.centre, spectrum.power(from: $0.lower, to: $0.upper))
    }
  }

  private mutating func processWindow() {
    let length = spectrum.length
    spectrum.process(pending)
    spectrum.hannPower(bins: length / 2, into: &power)
    sum.forEach(power) { sum, power in for k in sum.indices { sum[k] += Double(power[k]) } }
    windows += 1
    pending.shiftDown(by: length)
    filled = length / 2
  }
}
