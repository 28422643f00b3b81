import Acoustics
import Realtime

/// Constants of three layers of ``NoiseModel`` for one ear, by the softest sounds that it hears behind its gain.
///
/// Between two prescriptions, audiograms or turns of volume they are moved by ``NoiseReduction``.
///
/// - Threads: built on `control`, copied on `audio`.
struct NoiseListener: ~Copyable {
  /// Aided threshold that counts as 0, dB HL; parts of 1 that a decibel counts; least and greatest that is counted. The network
  /// was learnt with these: they change together.
  private static let origin = 20.0
  private static let scale = 0.05
  private static let counted = -1.5...2.5
  /// Greatest magnitude that is counted.
  static var greatest: Float { Float(counted.upperBound) }

  /// Constants of ``NoiseModel``'s reading, of the sums of the small network and of each band. - Shape: padded to whole blocks.
  private(set) var reading: Buffer
  private(set) var shared: Buffer
  private(set) var direct: Buffer

  /// - Parameters:
  ///   - aidedThresholds: dB HL, one per band of the layout; nil: not known, 20 dB HL in all.
  ///   - layout: Of the chain.
  init(_ aidedThresholds: [Double]?, layout: BandLayout) {
    let heard = NoiseModel.nearest(of: layout, to: .standard)
    let aided: [Float] = (0..<NoiseModel.bandCount).map { band in
      guard let aidedThresholds else { return 0 }
      let read = (aidedThresholds[Int(heard[band])] - Self.origin) * Self.scale
      guard read.isFinite else { return 0 }
      return Float(min(max(read, Self.counted.lowerBound), Self.counted.upperBound))
    }
    typealias Weights = NoiseWeights
    reading = Self.constants(Weights.readingConstant, aided, Weights.aidedReading)
    shared = Self.constants(Weights.sharedConstant, aided, Weights.aidedShared)
    direct = Self.constants(Weights.directConstant, aided, Weights.aidedDirect)
  }

  /// - Parameter weights: One row for each band, one column per constant.
  private static func constants(_ base: [Float], _ aided: [Float], _ weights: [Float]) -> Buffer {
    precondition(weights.count == aided.count * base.count, "weights of another size")
    return AlignedBuffer(count: DenseLayer.padded(base.count)) { index in
      guard index < base.count else { return 0 }
      return aided.indices.reduce(base[index]) { $0 + aided[$1] * weights[$1 * base.count + index] }
    }
  }

  /// Copies another one's.
  mutating func copy(from other: borrowing NoiseListener) {
    for index in 0..<reading.count { reading[index] = other.reading[index] }
    for index in 0..<shared.count { shared[index] = other.shared[index] }
    for index in 0..<direct.count { direct[index] = other.direct[index] }
  }

  /// Goes a share of the way to another one.
  mutating func processWay(to other: borrowing NoiseListener, share: Float) {
    Self.move(&reading, to: other.reading, share)
    Self.move(&shared, to: other.shared, share)
    Self.move(&direct, to: other.direct, share)
  }

  private static func move(_ constants: inout Buffer, to others: borrowing Buffer, _ share: Float) {
    precondition(others.count >= constants.count)
    let (own, other) = unsafe (constants.pointer, others.pointer)
    for index in 0..<constants.count { unsafe own[index] += share * (other[index] - own[index]) }
  }
}
