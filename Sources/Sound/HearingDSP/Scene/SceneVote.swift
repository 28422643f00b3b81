/// Decides on one scene from a row of judgements, slowly enough not to flicker.
///
/// - Threads: `audio`.
struct SceneVote: BitwiseCopyable {
  /// Share of a judgement in the smoothed probabilities. Own choice: after a change the new scene leads after
  /// about one second more.
  static var share: Float { 0.4 }
  /// How far the probability of another scene must lie above that of the present one.
  static var lead: Float { 0.2 }
  /// Levels above rumble between which it stays what it was, quiet or not, dB SPL. Own choice: a quiet room has
  /// 30–40 dB, soft speech 45 dB and more.
  static var quiet: (enter: Float, leave: Float) { (40, 42) }

  private(set) var scene: Scene?
  private(set) var confidence: Float = 0
  private var smoothed = SIMD4<Float>(repeating: 0.25)

  /// Takes in one judgement.
  ///
  /// - Parameters:
  ///   - probability: Of speech, speech in noise, noise, music.
  ///   - level: dB SPL above rumble.
  mutating func take(_ probability: SIMD4<Float>, level: Float) {
    // Anything but a number counts for nothing.
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
    if let present = Self.index(scene) {
      if smoothed[best] < smoothed[present] + Self.lead { best = present }
    }
    scene = Self.scene(best)
    confidence = smoothed[best]
  }

  private static func index(_ scene: Scene?) -> Int? {
    switch scene {
    case .speech: 0
    case .speechInNoise: 1
    case .noise: 2
    case .music: 3
    case .quiet, nil: nil
    }
  }

  private static func scene(_ index: Int) -> Scene {
    switch index {
    case 0: .speech
    case 1: .speechInNoise
    case 2: .noise
    default: .music
    }
  }
}
