import Acoustics
import Glibc
import Realtime

/// Powers of equally wide bins from 0 Hz, which add up to the mean square of the sound.
///
/// - Threads: `any`.
public struct PowerSpectrum: Sendable, Equatable {
  /// Mean square of each bin.
  public let power: [Double]
  /// Hz.
  public let binWidth: Double

  /// - Parameters: As the properties.
  public init(power: [Double], binWidth: Double) { (self.power, self.binWidth) = (power, binWidth) }

  /// Mean square between two frequencies; a bin that lies across an edge counts in proportion.
  public func power(from lower: Double, to upper: Double) -> Double {
    let last = min(Double(power.count - 1), upper / binWidth + 1)
    guard lower < upper, lower / binWidth <= last else { return 0 }
    var sum = 0.0
    for k in Int(lower / binWidth)...Int(last) {
      let (from, to) = ((Double(k) - 0.5) * binWidth, (Double(k) + 0.5) * binWidth)
      sum += power[k] * max(0, min(to, upper) - max(from, lower)) / binWidth
    }
    return sum
  }
}

/// Third octave, base 10 (IEC 61260-1).
///
/// - Threads: `any`.
public struct ThirdOctave: Sendable, Equatable {
  /// Exact centre, 1000 · 10^(n/10) Hz.
  public let centre: Double
  /// Lower edge, Hz.
  public var lower: Double { centre * pow(10, -0.05) }
  /// Upper edge, Hz.
  public var upper: Double { centre * pow(10, 0.05) }

  /// Third octaves from 100 Hz to 16 kHz that end below a frequency, Hz.
  public static func all(below highest: Double) -> [ThirdOctave] {
    (-10...12).map { ThirdOctave(centre: 1000 * pow(10, Double($0) / 10)) }.filter { $0.upper < highest }
  }
}

/// Newest frames of two signals, and the spectrum of each behind a Hann window.
///
/// - Threads: `control`; one at a time.
public struct SpectrumWindow: ~Copyable {
  private var spectrum: PairSpectrum
  private var frames: Buffer
  private var power: Binaural<Buffer>
  private var filled = 0
  private let binWidth: Double

  /// - Parameters:
  ///   - length: Frames of the window, a power of two, at least 64.
  ///   - sampleRate: Hz.
  public init(length: Int, sampleRate: Double) {
    spectrum = PairSpectrum(length: length)
    frames = AlignedBuffer(count: 2 * length)
    power = Binaural { _ in AlignedBuffer(count: length / 2) }
    binWidth = sampleRate / Double(length)
  }

  /// True once the window is full of sound.
  public var isFull: Bool { filled >= spectrum.length }

  /// Begins anew.
  public mutating func reset() { filled = 0 }

  /// Appends frames, oldest first.
  public mutating func process(_ count: Int, _ frame: (Int) -> (left: Float, right: Float)) {
    let length = spectrum.length
    let kept = min(count, length)
    frames.shiftDown(by: 2 * kept)
    for n in 0..<kept {
      let (left, right) = frame(count - kept + n)
      frames[2 * (length - kept + n)] = left.isFinite ? left : 0
      frames[2 * (length - kept + n) + 1] = right.isFinite ? right : 0
    }
    filled = min(length, filled + count)
  }

  /// Spectra of both signals.
  public mutating func processSpectra() -> Binaural<PowerSpectrum> {
    spectrum.process(frames)
    spectrum.hannPower(bins: spectrum.length / 2, into: &power)
    return Binaural { ear in
      PowerSpectrum(power: Self.copy(power, ear), binWidth: binWidth)
    }
  }

  private static func copy(_ power: borrowing Binaural<Buffer>, _ ear: Ear) -> [Double] {
    switch ear {
    case .left: (0..<power.left.count).map { Double(power.left[$0]) }
    case .right: (0..<power.right.count).map { Double(power.right[$0]) }
    }
  }
}
