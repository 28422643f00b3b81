import Acoustics
import Glibc
import Realtime

/// How much of each bin's power belongs to each band, for one analysis transform.
///
/// Bands share a bin that lies across their edge in proportion, so the bands' powers add up to the whole
/// and broadband sound is read as it is. A tone at a band's centre loses what its Hann main lobe spreads
/// over the edges (0.8 dB in the narrowest bands); each row is therefore scaled by half of that loss in dB,
/// which leaves tones and noise equally and oppositely wrong by at most half of it.
///
/// Stored as one run of weights per band, padded to whole vectors of four bins.
///
/// - Threads: built on `control`, read on `audio`.
struct LevelWeights: ~Copyable {
  /// Bands covered, consecutive.
  let bands: Range<Int>
  /// Bins whose power is needed, a multiple of four.
  let powerCount: Int
  /// First bin of each band's run, a multiple of four. - Shape: one per covered band.
  private var firstGroup: AlignedBuffer<Int32>
  /// Where each band's run of weights begins, in groups of four. - Shape: one more than covered bands.
  private var runStart: AlignedBuffer<Int32>
  private var weights: AlignedBuffer<SIMD4<Float>>

  /// - Parameters:
  ///   - layout: All bands.
  ///   - covered: Those read through this transform.
  ///   - length: Transform length, samples.
  ///   - sampleRate: Hz.
  init(_ layout: BandLayout, covering covered: Range<Int>, length: Int, sampleRate: Double) {
    bands = covered
    let rows = covered.map { Self.row(layout, $0, length: length, sampleRate: sampleRate) }
    let groups = rows.map { row in
      let first = (row.firstIndex { $0 > 0 } ?? 0) / 4
      // The bin at half the sampling rate is left out: no converter lets anything through there.
      let last = (row.dropLast().lastIndex { $0 > 0 } ?? 0) / 4
      return first...last
    }
    firstGroup = AlignedBuffer(count: rows.count)
    runStart = AlignedBuffer(count: rows.count + 1)
    weights = AlignedBuffer(count: groups.reduce(0) { $0 + $1.count })
    var next = 0
    var limit = 0
    for (index, row) in rows.enumerated() {
      firstGroup[index] = Int32(groups[index].lowerBound)
      runStart[index] = Int32(next)
      for group in groups[index] {
        var four = SIMD4<Float>()
        for lane in 0..<4 where group * 4 + lane < row.count { four[lane] = Float(row[group * 4 + lane]) }
        weights[next] = four
        next += 1
      }
      limit = max(limit, (groups[index].upperBound + 1) * 4)
    }
    runStart[rows.count] = Int32(next)
    powerCount = limit
  }

  /// Adds up each covered band's power.
  ///
  /// - Parameters:
  ///   - power: Hann-windowed power of each bin, at least `powerCount` bins.
  ///   - result: One mean square per band of the whole layout; only covered ones are written.
  #if RT_LINT
    @_noAllocation
  #endif
  func sum(_ power: borrowing AlignedBuffer<Float>, into result: inout AlignedBuffer<Float>) {
    precondition(power.count >= powerCount)
    let groups = unsafe UnsafeMutableRawPointer(power.pointer).assumingMemoryBound(to: SIMD4<Float>.self)
    for index in 0..<bands.count {
      let first = Int(firstGroup[index])
      let start = Int(runStart[index])
      var total = SIMD4<Float>()
      for step in 0..<Int(runStart[index + 1]) - start {
        unsafe total += groups[first + step] * weights[unchecked: start + step]
      }
      result[bands.lowerBound + index] = total.sum()
    }
  }

  // MARK: - Design

  /// Weights of one band, one per bin.
  static func row(_ layout: BandLayout, _ band: Int, length: Int, sampleRate: Double) -> [Double] {
    let binWidth = sampleRate / Double(length)
    let centres = layout.centres
    let lower = band == 0 ? 0 : sqrt(centres[band - 1] * centres[band])
    let upper =
      band + 1 == centres.count ? sampleRate / 2 + binWidth : sqrt(centres[band] * centres[band + 1])
    let row = (0...length / 2).map { k in
      let (from, to) = ((Double(k) - 0.5) * binWidth, (Double(k) + 0.5) * binWidth)
      return max(0, min(to, upper) - max(from, lower)) / binWidth
    }
    let captured = Self.capturedPower(of: centres[band] / binWidth, by: row)
    let scale = 1 / sqrt(captured)
    return row.map { $0 * scale }
  }

  /// Share of a tone's power that weighted bins see.
  ///
  /// - Parameter position: Frequency of the tone in bins.
  private static func capturedPower(of position: Double, by row: [Double]) -> Double {
    var captured = 0.0
    var whole = 0.0
    for (k, weight) in row.enumerated() {
      let power = hannLobe(position - Double(k))
      captured += weight * power
      whole += power
    }
    return captured / whole
  }

  /// Power of the Hann window's transform `offset` bins from its middle, relative to the middle:
  /// (sinc(x) / (1 − x²))² (Harris 1978, Proc. IEEE 66:51).
  private static func hannLobe(_ offset: Double) -> Double {
    if abs(offset) < 1e-9 { return 1 }
    if abs(abs(offset) - 1) < 1e-9 { return 0.25 }
    let amplitude = sin(.pi * offset) / (.pi * offset) / (1 - offset * offset)
    return amplitude * amplitude
  }
}
