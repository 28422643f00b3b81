import Acoustics
import Realtime

/// Power below which the noise in each band of one ear cannot lie: what the band's power did not fall below for most of the last
/// 2.4 s, but for what noise itself fluctuates.
///
/// Speech pauses more often than that in every band, so whatever does not is noise (Martin 2001, IEEE TSAP 9:504). Of the least powers
/// of eight parts the third least counts: two short gaps in a noise say nothing about it. Noise that rises for good is found by this
/// alone: ``NoisePower`` holds it to be speech until then.
///
/// - Threads: built on `control`, run on `audio`.
struct NoiseFloor: ~Copyable {
  /// Time constant of the powers whose least is read, s.
  static let smoothing = 0.03
  /// Time that one minimum is taken over, s, and how many of them count.
  static let part = 0.3
  static let partCount = 8

  /// Floor in force, mean square; ``NoisePower/floor`` until enough minima are known. - Shape: one per band, padded.
  private(set) var power: Buffer
  private var smoothed: Buffer
  /// Least of the part that has begun.
  private var least: Buffer
  /// Least of each of the last parts. - Shape: ``partCount`` × bands, padded.
  private var minima: Buffer
  private let share: Float
  private let partHops: Int
  private var hop = 0
  private var row = 0

  init(stride: Int, geometry: ChainGeometry) {
    power = AlignedBuffer(count: stride)
    smoothed = AlignedBuffer(count: stride)
    least = AlignedBuffer(count: stride)
    minima = AlignedBuffer(count: Self.partCount * stride)
    share = geometry.share(Self.smoothing)
    partHops = geometry.hops(Self.part)
    reset()
  }

  /// Forgets all powers.
  mutating func reset() {
    power.fill(NoisePower.floor)
    smoothed.fill(NoisePower.floor)
    least.fill(.greatestFiniteMagnitude)
    minima.fill(0)
    hop = 0
    row = 0
  }

  /// Takes the noise that was found at the beginning as the power so far; nothing else has been heard.
  mutating func reset(at noise: borrowing Buffer) {
    precondition(noise.count >= smoothed.count)
    for index in 0..<smoothed.count { smoothed[index] = noise[index] }
  }

  /// Reads one hop's band powers.
  mutating func process(_ band: borrowing Buffer, _ bands: borrowing NoiseBands) {
    precondition(band.count >= bands.stride && least.count >= bands.stride)
    let (input, slow, lowest) = unsafe (band.pointer, smoothed.pointer, least.pointer)
    let (result, factors) = unsafe (power.pointer, bands.floorBias.pointer)
    for base in stride(from: 0, to: bands.stride, by: 4) {
      let before = unsafe slow[lanes: base]
      let smooth = unsafe before + share * (input[lanes: base] + NoisePower.floor - before)
      unsafe slow[lanes: base] = smooth
      var found = unsafe lowest[lanes: base]
      found.replace(with: smooth, where: smooth .< found)
      unsafe lowest[lanes: base] = found
    }
    hop += 1
    if hop == partHops { endPart(bands) }
    // Noise that has fallen is not held up to the end of the part.
    for base in stride(from: 0, to: bands.stride, by: 4) {
      let now = unsafe slow[lanes: base] * factors[lanes: base]
      var floor = unsafe result[lanes: base]
      floor.replace(with: now, where: now .< floor)
      unsafe result[lanes: base] = floor
    }
  }

  /// Takes the part's minima among those that count.
  private mutating func endPart(_ bands: borrowing NoiseBands) {
    let width = least.count
    precondition(minima.count == Self.partCount * width && bands.stride <= width)
    let (kept, lowest, result) = unsafe (minima.pointer, least.pointer, power.pointer)
    let factors = unsafe bands.floorBias.pointer
    for base in stride(from: 0, to: bands.stride, by: 4) {
      unsafe kept[lanes: row * width + base] = lowest[lanes: base]
      unsafe lowest[lanes: base] = Self.most
      var (first, second, third) = (Self.most, Self.most, Self.most)
      for part in 0..<Self.partCount {
        var rest = unsafe kept[lanes: part * width + base]
        (first, rest) = Self.inOrder(first, rest)
        (second, rest) = Self.inOrder(second, rest)
        (third, _) = Self.inOrder(third, rest)
      }
      unsafe result[lanes: base] = third * factors[lanes: base]
    }
    hop = 0
    row = row + 1 < Self.partCount ? row + 1 : 0
  }

  private static var most: SIMD4<Float> { SIMD4(repeating: .greatestFiniteMagnitude) }

  /// The lesser and the greater one.
  @inline(__always) private static func inOrder(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    let isLess = b .< a
    return (a.replacing(with: b, where: isLess), b.replacing(with: a, where: isLess))
  }
}
