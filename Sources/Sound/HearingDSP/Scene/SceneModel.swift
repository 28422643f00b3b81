import Realtime

/// Turns features into the probability of each scene but quiet: one layer of a few rectified sums, and a
/// logistic regression on them.
///
/// `h = max(0, A·x + a)`, `p = softmax(B·h + b)`; the features' means and deviations are part of A and a.
///
/// - Threads: built on `control`, run on `audio`.
struct SceneModel: ~Copyable {
  /// Scenes told apart: speech, speech in noise, noise, music.
  static var classCount: Int { 4 }

  /// Features and a constant 1, padded to whole vectors. Filled by the caller.
  var features: AlignedBuffer<Float>
  private var hidden: AlignedBuffer<Float>
  /// One row per hidden sum, padded.
  private var input: AlignedBuffer<Float>
  /// One row per class.
  private var output: AlignedBuffer<Float>
  private let stride: Int

  init() {
    let (count, units) = (SceneFeatures.count, SceneWeights.hiddenCount)
    stride = (count + 1 + 3) / 4 * 4
    features = AlignedBuffer(count: stride)
    hidden = AlignedBuffer(count: units)
    input = AlignedBuffer(count: units * stride)
    output = AlignedBuffer(count: Self.classCount * (units + 1))
    let numbers = SceneWeights.input
    precondition(numbers.count == units * (count + 1), "weights of another set of features")
    precondition(SceneWeights.output.count == Self.classCount * (units + 1), "weights of other classes")
    for unit in 0..<units {
      for index in 0...count { input[unit * stride + index] = numbers[unit * (count + 1) + index] }
    }
    for (index, weight) in SceneWeights.output.enumerated() { output[index] = weight }
  }

  /// Probability of each class, from ``features``.
  mutating func evaluate() -> SIMD4<Float> {
    features[SceneFeatures.count] = 1
    let x = unsafe features.pointer
    for unit in 0..<hidden.count {
      let row = unsafe input.pointer + unit * stride
      var sum = SIMD4<Float>()
      for k in Swift.stride(from: 0, to: stride, by: 4) {
        unsafe sum += Lanes.forward(x, k) * Lanes.forward(row, k)
      }
      let total = sum.sum()
      hidden[unit] = total > 0 ? total : 0
    }
    var score = SIMD4<Float>()
    let width = hidden.count + 1
    for index in 0..<Self.classCount {
      var sum = output[index * width + hidden.count]
      for unit in 0..<hidden.count { sum += hidden[unit] * output[index * width + unit] }
      score[index] = sum
    }
    let greatest = max(max(score[0], score[1]), max(score[2], score[3]))
    var share = SIMD4<Float>()
    for index in 0..<Self.classCount {
      // Below e^−40 nothing is left of a class.
      let distance = max(score[index] - greatest, -40)
      share[index] = ComplexExponential.magnitude(distance * Self.octavesPerNeper)
    }
    return share / share.sum()
  }

  /// log2(e).
  private static var octavesPerNeper: Float { 1.442_695_041 }
}
