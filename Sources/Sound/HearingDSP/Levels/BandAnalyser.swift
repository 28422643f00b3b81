import Acoustics
import Glibc
import Realtime

/// Band powers of both ears, read from the filter's own spectrum at low frequencies and from a shorter
/// transform above ``ChainGeometry/crossover``.
///
/// A Hann window is applied in the spectrum, where it is three taps, so the plain spectrum serves the
/// filter as well.
///
/// - Threads: built on `control`, run on `audio`.
struct BandAnalyser: ~Copyable {
  /// Mean square of each band in the last hop, relative to a digital full scale of 1. - Shape: one per
  /// band, padded.
  private(set) var power: Binaural<Buffer>
  private let long: LevelWeights
  private let short: LevelWeights
  private var shortSpectrum: PairSpectrum
  private var binPower: Binaural<Buffer>

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    let split = layout.centres.firstIndex { $0 >= ChainGeometry.crossover } ?? layout.count
    let rate = geometry.sampleRate
    long = LevelWeights(layout, covering: 0..<split, length: geometry.filterLength, sampleRate: rate)
    short = LevelWeights(
      layout, covering: split..<layout.count, length: geometry.analysisLength, sampleRate: rate)
    shortSpectrum = PairSpectrum(length: geometry.analysisLength)
    binPower = Binaural { _ in AlignedBuffer(count: geometry.filterLength / 2) }
    power = Binaural { _ in AlignedBuffer(count: layout.stride) }
  }

  /// Reads every band's power.
  ///
  /// - Parameters:
  ///   - history: The last `filterLength` frames of the pair, oldest first.
  ///   - spectrum: Their plain spectrum.
  mutating func process(_ history: borrowing Buffer, spectrum: borrowing PairSpectrum) {
    if long.powerCount > 0 {
      spectrum.hannPower(bins: long.powerCount, into: &binPower)
      long.sum(binPower.left, into: &power.left)
      long.sum(binPower.right, into: &power.right)
    }
    if short.powerCount > 0 {
      shortSpectrum.process(history)
      shortSpectrum.hannPower(bins: short.powerCount, into: &binPower)
      short.sum(binPower.left, into: &power.left)
      short.sum(binPower.right, into: &power.right)
    }
  }

  /// Writes every band's power.
  func read(into frame: inout Binaural<GainFrame>, bandCount: Int) {
    for band in 0..<bandCount {
      frame.left.power[band] = power.left[band]
      frame.right.power[band] = power.right[band]
    }
  }
}

/// Share of each bin's power in each band, for one analysis transform.
///
/// Bands share a bin that lies across their edge in proportion, so the bands' powers add up to the whole.
/// A tone at a band's centre loses what its Hann main lobe spreads over the edges (1.3 dB in the narrowest
/// bands), while a band of speech noise gains or loses by its neighbours' lobes, most where the spectrum
/// is steep (0.5 dB below 177 Hz). Each row is scaled so that the two readings are wrong by the same
/// amount in opposite directions, but noise by no more than ``noiseError``; tones then by 0.75 dB, below
/// 177 Hz by 1.1 dB.
///
/// Stored as one run of weights per band, padded to whole vectors of four bins.
///
/// - Threads: built on `control`, read on `audio`.
struct LevelWeights: ~Copyable {
  /// Most by which speech noise is read too high, as a ratio of powers: 0.7 dB, which leaves 0.3 dB of the
  /// 1 dB that a band level may err for the fluctuation of the noise itself.
  private static let noiseError = 1.175

  /// Bands covered, consecutive.
  let bands: Range<Int>
  /// Bins whose power is needed, a multiple of four.
  let powerCount: Int
  /// Weights of each covered band, in groups of four bins.
  private let weights: SparseRows<SIMD4<Float>>

  /// - Parameters:
  ///   - layout: All bands.
  ///   - covered: Those read through this transform.
  ///   - length: Transform length, samples.
  ///   - sampleRate: Hz.
  init(_ layout: BandLayout, covering covered: Range<Int>, length: Int, sampleRate: Double) {
    bands = covered
    let binWidth = sampleRate / Double(length)
    let speech = SpeechBins(binWidth: binWidth, count: length / 2 + 1)
    let runs = covered.map { band in
      let row = Self.row(layout, band, binCount: length / 2 + 1, binWidth: binWidth)
      let scale = Self.scale(row, layout, band, binWidth: binWidth, speech: speech)
      let scaled = row.map { Float($0 * scale) } + [0, 0, 0]
      let groups = (row.firstIndex { $0 > 0 } ?? 0) / 4...(row.lastIndex { $0 > 0 } ?? 0) / 4
      return (first: groups.lowerBound, values: groups.map { SIMD4(scaled[4 * $0..<4 * $0 + 4]) })
    }
    weights = SparseRows(runs)
    powerCount = runs.map { 4 * ($0.first + $0.values.count) }.max() ?? 0
  }

  /// Adds up each covered band's power.
  ///
  /// - Parameters:
  ///   - power: Hann-windowed power of each bin, at least `powerCount` bins.
  ///   - result: One mean square per band of the whole layout; only covered ones are written.
  func sum(_ power: borrowing Buffer, into result: inout Buffer) {
    precondition(power.count >= powerCount)
    let groups = unsafe UnsafeMutableRawPointer(power.pointer).assumingMemoryBound(to: SIMD4<Float>.self)
    for index in 0..<bands.count {
      let first = Int(weights.first[index])
      let start = Int(weights.start[index])
      var total = SIMD4<Float>()
      for step in 0..<Int(weights.start[index + 1]) - start {
        unsafe total += groups[first + step] * weights.values[unchecked: start + step]
      }
      result[bands.lowerBound + index] = total.sum()
    }
  }

  // MARK: - Design

  /// Share of each bin that lies within a band.
  static func row(_ layout: BandLayout, _ band: Int, binCount: Int, binWidth: Double) -> [Double] {
    let (lower, upper) = (layout.edges[band], layout.edges[band + 1])
    var row = (0..<binCount).map { k in
      let (from, to) = ((Double(k) - 0.5) * binWidth, (Double(k) + 0.5) * binWidth)
      return max(0, min(to, upper) - max(from, lower)) / binWidth
    }
    // The bin at half the sampling rate is left out: no converter lets anything through there.
    row[binCount - 1] = 0
    return row
  }

  /// Factor of a row that makes the errors for a tone at the centre and for speech noise equal and opposite.
  private static func scale(
    _ row: [Double], _ layout: BandLayout, _ band: Int, binWidth: Double, speech: SpeechBins
  ) -> Double {
    let position = layout.centres[band] / binWidth
    var (tone, noise) = (0.0, 0.0)
    for (k, weight) in row.enumerated() where weight > 0 {
      tone += weight * SpeechBins.hannShare(position - Double(k))
      noise += weight * speech.power[k]
    }
    let whole = speech.wholePower(from: layout.edges[band], to: layout.edges[band + 1])
    // A band without any speech is taken to read noise as it is.
    let reading = whole > 0 && noise > 0 ? noise / whole : 1
    // A band far narrower than a bin reads next to nothing of a tone, which no factor makes up for.
    return min(1 / sqrt(max(tone, 0.01) * reading), Self.noiseError / reading)
  }
}

/// Power of speech noise in each bin of a Hann-windowed transform: the long-term average spectrum of
/// speech blurred by the window's main lobe.
///
/// - Threads: `control`.
struct SpeechBins {
  /// Level that the noise is taken to have; only ratios matter.
  private static let overall = SoundPressureLevel(65)
  /// Points per bin at which the spectrum is taken.
  private static let density = 16
  /// Bins on either side over which a tone is spread; beyond it the side lobes lie 50 dB down (Harris
  /// 1978).
  private static let reach = 6

  /// Power read in each bin, arbitrary unit.
  private(set) var power: [Double]

  init(binWidth: Double, count: Int) {
    power = Array(repeating: 0, count: count)
    let places = (0..<Self.density).map { (Double($0) + 0.5) / Double(Self.density) }
    // The same in every bin.
    let shares = places.map { place in
      (-Self.reach...Self.reach).map { Self.hannShare(place - place.rounded() - Double($0)) }
    }
    for bin in 0..<count - 1 {
      for (place, shares) in zip(places, shares) {
        let position = Double(bin) + place
        let level = LongTermAverageSpeechSpectrum.spectrumLevel(
          at: position * binWidth, overall: Self.overall)
        let square = pow(10, level.decibels / 10) * binWidth / Double(Self.density)
        guard square > 0 else { continue }
        let first = Int(position.rounded()) - Self.reach
        for k in max(0, first)...min(count - 1, first + 2 * Self.reach) {
          power[k] += square * shares[k - first]
        }
      }
    }
  }

  /// True power of the noise in a frequency range, in the same unit; zero where speech has none.
  func wholePower(from low: Double, to high: Double) -> Double {
    let level = LongTermAverageSpeechSpectrum.bandLevel(from: low, to: high, overall: Self.overall)
    return pow(10, level.decibels / 10)
  }

  /// Share of a tone's power that a Hann-windowed transform puts into a bin `offset` bins away: the
  /// window's transform (sinc(x) / (1 − x²))² (Harris 1978, Proc. IEEE 66:51) over its sum across bins,
  /// 3/2.
  static func hannShare(_ offset: Double) -> Double {
    if abs(offset) < 1e-9 { return 2.0 / 3 }
    if abs(abs(offset) - 1) < 1e-9 { return 1.0 / 6 }
    let amplitude = sin(.pi * offset) / (.pi * offset) / (1 - offset * offset)
    return amplitude * amplitude * 2 / 3
  }
}
