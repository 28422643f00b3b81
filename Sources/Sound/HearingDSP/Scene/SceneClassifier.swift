import Acoustics
import Realtime

/// Says what kind of sound surrounds the wearer, twice a second, from the last four seconds.
///
/// - Threads: built on `control`, run on `audio`. Nothing there allocates or locks.
struct SceneClassifier: ~Copyable {
  /// Stretches heard before the first judgement: three seconds.
  private static var leastStretches: Int { 6 }
  /// Power below which a bin of the fine spectrum holds nothing, relative to 0 dB SPL: −10 dB.
  private static var floor: Float { 0.1 }

  /// What was found last.
  private(set) var reading = SceneReading()
  /// Probability of speech, speech in noise, noise and music by the last stretch alone.
  private(set) var probability = SIMD4<Float>(repeating: 0.25)
  /// Judgements so far.
  private(set) var judgements = 0
  private(set) var model: SceneModel

  private let bands: SceneBands
  private var features: SceneFeatures
  private var pitch: PitchPattern
  private var vote = SceneVote()
  private var left: AlignedBuffer<Float>
  private var right: AlignedBuffer<Float>
  private let hopsPerFrame: Int
  private let framesPerStretch: Int
  private var hops = 0
  private var frames = 0
  private var stretches = 0

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(_ layout: BandLayout, geometry: ChainGeometry) throws(ChainError) {
    let pitch = try PitchPattern(geometry: geometry)
    self.pitch = pitch
    model = SceneModel()
    hopsPerFrame = max(1, Int((SceneSeries.frameTime / geometry.hopTime).rounded()))
    let frameTime = Double(hopsPerFrame) * geometry.hopTime
    framesPerStretch = max(1, Int((SceneFeatures.stretchTime / frameTime).rounded()))
    features = SceneFeatures(frameTime: frameTime)
    bands = SceneBands(layout)
    left = AlignedBuffer(count: layout.count)
    right = AlignedBuffer(count: layout.count)
  }

  /// Forgets everything heard, and the scene.
  mutating func reset() {
    features.reset()
    pitch.reset()
    vote = SceneVote()
    reading = SceneReading()
    left.fill(0)
    right.fill(0)
    (hops, frames, stretches) = (0, 0, 0)
  }

  /// Takes in one hop.
  ///
  /// - Parameters:
  ///   - leftEar: With this hop's band powers.
  ///   - rightEar: The same.
  ///   - history: Frames of both ears, interleaved, oldest first.
  ///   - newest: New ones at its end.
  mutating func hear(
    _ leftEar: borrowing EarGain, _ rightEar: borrowing EarGain, history: borrowing AlignedBuffer<Float>,
    newest: Int
  ) {
    guard bands.isComplete else { return }
    let count = bands.count
    precondition(
      leftEar.bandPower.count >= count && rightEar.bandPower.count >= count && left.count == count
        && right.count == count)
    let (leftSum, rightSum) = unsafe (left.pointer, right.pointer)
    for band in 0..<count {
      unsafe leftSum[band] += leftEar.bandPower[unchecked: band]
      unsafe rightSum[band] += rightEar.bandPower[unchecked: band]
    }
    pitch.take(history, frames: newest, floor: Self.floor / Self.factor(leftEar.table.inputOffset))
    hops += 1
    if hops == hopsPerFrame {
      endFrame(leftOffset: leftEar.table.inputOffset, rightOffset: rightEar.table.inputOffset)
    }
  }

  private mutating func endFrame(leftOffset: Float, rightOffset: Float) {
    let share = 1 / Float(hops)
    let leftPower = bands.gather(left, factor: share * Self.factor(leftOffset))
    let rightPower = bands.gather(right, factor: share * Self.factor(rightOffset))
    left.fill(0)
    right.fill(0)
    hops = 0
    let values = SceneSeries.values((leftPower.channels + rightPower.channels) * 0.5)
    features.take(
      values, left: leftPower.all, right: rightPower.all, heard: max(leftPower.heard, rightPower.heard))
    frames += 1
    if frames == framesPerStretch {
      frames = 0
      judge()
    }
  }

  private mutating func judge() {
    features.close(pitch: pitch)
    pitch.clear()
    let level = features.compute(into: &model.features, reading: &reading)
    features.open()
    stretches += 1
    guard stretches >= Self.leastStretches else { return }
    probability = model.evaluate()
    vote.take(probability, level: level)
    reading.scene = vote.scene
    reading.confidence = vote.confidence
    judgements += 1
  }

  /// Ratio of powers for a number of dB.
  @inline(__always)
  private static func factor(_ decibels: Float) -> Float {
    ComplexExponential.magnitude(decibels / Decibel.perPowerDoubling)
  }
}
