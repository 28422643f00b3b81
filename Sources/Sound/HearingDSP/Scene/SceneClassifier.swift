import Acoustics
import Realtime

/// Classifier of the sound around the wearer: a decision twice a second, from the last four seconds.
///
/// - Threads: built on `control`, run on `audio`. Nothing there allocates or locks.
struct SceneClassifier: ~Copyable {
  /// Stretches before the first decision: three seconds.
  private static var leastStretches: Int { 6 }
  /// Power added to each bin of the fine spectrum, relative to 0 dB SPL: −10 dB.
  private static var floor: Float { 0.1 }

  /// Last decision.
  private(set) var meters = SceneReading()
  /// Probability of speech, speech in noise, noise and music by the last stretch alone.
  private(set) var probability = SIMD4<Float>(repeating: 0.25)
  /// Decisions so far.
  private(set) var judgements = 0
  private(set) var model: SceneModel

  private let bands: SceneBands
  private var features: SceneFeatures
  private var pitch: PitchPattern
  private var vote = SceneVote()
  /// Band powers added up over a frame.
  private var sums: Binaural<Buffer>
  private let hopsPerFrame: Int
  private let framesPerStretch: Int
  private var hops = 0
  private var frames = 0
  private var stretches = 0

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    pitch = PitchPattern(geometry: geometry)
    model = SceneModel()
    hopsPerFrame = geometry.hops(SceneSeries.frameTime)
    let frameTime = Double(hopsPerFrame) * geometry.hopTime
    framesPerStretch = max(1, Int((SceneFeatures.stretchTime / frameTime).rounded()))
    features = SceneFeatures(frameTime: frameTime)
    bands = SceneBands(layout)
    sums = Binaural { _ in AlignedBuffer(count: layout.count) }
  }

  /// Clears all averages, and the scene.
  mutating func reset() {
    features.reset()
    pitch.reset()
    vote = SceneVote()
    meters = SceneReading()
    sums.forEach { $0.fill(0) }
    (hops, frames, stretches) = (0, 0, 0)
  }

  /// Reads one hop.
  ///
  /// - Parameters:
  ///   - powers: Mean square of each band.
  ///   - gains: dB SPL of a mean square of 1.
  ///   - history: Frames of both ears, interleaved, oldest first.
  ///   - newest: New ones at its end.
  mutating func process(
    _ powers: borrowing Binaural<Buffer>, gains: borrowing Binaural<EarGain>, history: borrowing Buffer,
    newest: Int
  ) {
    guard bands.isComplete else { return }
    let count = bands.count
    sums.forEach(powers) { sum, power in
      let (summands, available) = (sum.count, power.count)
      precondition(summands == count && available >= count)
      let (sums, powers) = unsafe (sum.pointer, power.pointer)
      for band in 0..<count { unsafe sums[band] += powers[band] }
    }
    let (left, right) = (gains.left.table.inputOffset, gains.right.table.inputOffset)
    pitch.process(history, frames: newest, floor: Self.floor / Decibel.toPower(left))
    hops += 1
    if hops == hopsPerFrame { processFrame(Decibel.toPower(left), Decibel.toPower(right)) }
  }

  private mutating func processFrame(_ leftFactor: Float, _ rightFactor: Float) {
    let share = 1 / Float(hops)
    let left = bands.sum(sums.left, factor: share * leftFactor)
    let right = bands.sum(sums.right, factor: share * rightFactor)
    sums.forEach { $0.fill(0) }
    hops = 0
    features.process(
      SceneSeries.values((left.channels + right.channels) * 0.5),
      powers: Binaural(left: left.all, right: right.all), audible: max(left.audible, right.audible))
    frames += 1
    if frames == framesPerStretch {
      frames = 0
      processStretch()
    }
  }

  private mutating func processStretch() {
    let level = features.processStretch(pitch: pitch, into: &model.features, meters: &meters)
    pitch.resetSums()
    stretches += 1
    guard stretches >= Self.leastStretches else { return }
    probability = model.process()
    vote.process(probability, level: level)
    (meters.scene, meters.confidence) = (vote.scene, vote.confidence)
    judgements += 1
  }
}

/// Decision on one scene from successive probabilities, slow enough not to flicker.
///
/// - Threads: `audio`.
struct SceneVote: BitwiseCopyable {
  /// Share of a new probability in the smoothed ones. Own choice: after a change the new scene leads after
  /// about one second more.
  static var share: Float { 0.4 }
  /// Excess over the probability of the present scene that another one needs.
  static var lead: Float { 0.2 }
  /// Levels above rumble between which quiet stays quiet and sound stays sound, dB SPL. Own choice: a quiet
  /// room has 30–40 dB, soft speech 45 dB and more.
  static var quiet: (enter: Float, leave: Float) { (40, 42) }

  private(set) var scene: Scene?
  private(set) var confidence: Float = 0
  private var smoothed = SIMD4<Float>(repeating: 0.25)

  /// Reads one probability.
  ///
  /// - Parameters:
  ///   - probability: Of speech, speech in noise, noise, music.
  ///   - level: dB SPL above rumble.
  mutating func process(_ probability: SIMD4<Float>, level: Float) {
    // NaN is ignored.
    let isSound = probability.sum() > 0.5
    if isSound { smoothed += Self.share * (probability - smoothed) }
    let limit = scene == .quiet ? Self.quiet.leave : Self.quiet.enter
    if level < limit {
      scene = .quiet
      confidence = min(1, 0.5 + (limit - level) / 10)
      return
    }
    var best = 0
    for index in 1..<4 where smoothed[index] > smoothed[best] { best = index }
    // The probabilities lack quiet, the first of all scenes.
    if let scene, scene != .quiet {
      let present = Int(scene.rawValue) - 1
      if smoothed[best] < smoothed[present] + Self.lead { best = present }
    }
    scene = Scene(rawValue: UInt8(best + 1))
    confidence = smoothed[best]
  }
}
