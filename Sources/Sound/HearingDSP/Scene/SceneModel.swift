public import Acoustics
import Glibc
import Realtime

/// Probability of each scene but quiet, from features: one layer of a few rectified sums, and a
/// logistic regression on them.
///
/// `h = max(0, A·x + a)`, `p = softmax(B·h + b)`; the features' means and deviations are part of A and a.
///
/// - Threads: built on `control`, run on `audio`.
struct SceneModel: ~Copyable {
  /// Scenes: speech, speech in noise, noise, music.
  static var classCount: Int { 4 }

  /// Features and a constant 1, padded to whole vectors. Filled by the caller.
  var features: Buffer
  /// One row per hidden sum, padded.
  private let input: Buffer
  /// Weights of each hidden sum for all classes, and the constants.
  private let output: AlignedBuffer<SIMD4<Float>>

  init() {
    let (count, units) = (SceneFeatures.count, SceneWeights.hiddenCount)
    let stride = (count + 1 + 3) / 4 * 4
    let (numbers, last) = (SceneWeights.input, SceneWeights.output)
    precondition(numbers.count == units * (count + 1), "weights of another set of features")
    precondition(last.count == Self.classCount * (units + 1), "weights of other classes")
    features = AlignedBuffer(count: stride)
    input = AlignedBuffer(count: units * stride) {
      $0 % stride <= count ? numbers[$0 / stride * (count + 1) + $0 % stride] : 0
    }
    output = AlignedBuffer(count: units + 1) { unit in
      SIMD4((0..<Self.classCount).map { last[$0 * (units + 1) + unit] })
    }
  }

  /// Probability of each class, from ``features``.
  mutating func process() -> SIMD4<Float> {
    features[SceneFeatures.count] = 1
    let x = unsafe features.pointer
    let units = output.count - 1
    var score = output[units]
    for unit in 0..<units {
      let row = unsafe input.pointer + unit * features.count
      var sum = SIMD4<Float>()
      for k in stride(from: 0, to: features.count, by: 4) { unsafe sum += x[lanes: k] * row[lanes: k] }
      let total = sum.sum()
      score += (total > 0 ? total : 0) * output[unit]
    }
    // Below e^−40 a class counts as impossible.
    let distance = pointwiseMax(score - score.max(), SIMD4(repeating: -40))
    let share = ComplexExponential.magnitude(distance * Self.octavesPerNeper)
    return share / share.sum()
  }

  /// log2(e).
  private static var octavesPerNeper: Float { 1.442_695_041 }
}

/// Assignment of the chain's bands to the few wide channels by which scenes are classified.
///
/// - Threads: built on `control`, read on `audio`.
struct SceneBands: ~Copyable {
  /// Channels.
  static let channelCount = 6
  /// Upper edges of all channels but the last, Hz. Own choice: about an octave each over the range that
  /// carries speech also through a telephone, one channel below it and one above.
  static let edges = [340.0, 700, 1400, 2250, 4200]
  /// Least centre of a band that counts for quiet, Hz: the rumble below fills every
  /// room and is hardly heard (A-weighting at 125 Hz: −16 dB, IEC 61672-1).
  static let rumble = 177.0

  /// Each channel has a band; otherwise nothing is classified.
  let isComplete: Bool
  /// Channel of each band.
  private let channel: AlignedBuffer<Int32>
  /// First band that counts for quiet.
  private let firstAudible: Int

  init(_ layout: BandLayout) {
    let channels = layout.centres.map { centre in
      Self.edges.firstIndex { centre < $0 } ?? Self.channelCount - 1
    }
    channel = AlignedBuffer(count: layout.count) { Int32(channels[$0]) }
    isComplete = layout.missingSceneBands.isEmpty
    firstAudible = layout.centres.firstIndex { $0 >= Self.rumble } ?? layout.count
  }

  /// Bands of the layout.
  var count: Int { channel.count }

  /// Adds up the channels' powers.
  ///
  /// - Parameters:
  ///   - power: Of each band.
  ///   - factor: Multiplies each.
  /// - Returns: Power of each channel in the first six lanes; of all bands; of those above ``rumble``.
  func sum(_ power: borrowing Buffer, factor: Float) -> (channels: SIMD8<Float>, all: Float, audible: Float)
  {
    precondition(power.count >= channel.count)
    var channels = SIMD8<Float>()
    var (all, audible): (Float, Float) = (0, 0)
    for band in 0..<channel.count {
      let share = power[band] * factor
      channels[Int(channel[band])] += share
      all += share
      audible += band >= firstAudible ? share : 0
    }
    return (channels, all, audible)
  }
}

extension BandLayout {
  /// Ranges, Hz, in which a band is missing by which scenes are classified, from 0 and up to infinity; empty: they are.
  public var missingSceneBands: [Range<Double>] {
    let limits: [Double] = [0] + SceneBands.edges + [.infinity]
    return zip(limits, limits.dropFirst()).map { $0..<$1 }.filter { channel in
      !centres.contains { channel.contains($0) }
    }
  }
}
