extension HearingChain {
  /// Numbers that the scene is judged by.
  public static var sceneFeatureCount: Int { SceneFeatures.count }

  /// Judgements of the scene so far, about two a second.
  public var sceneJudgements: Int { scenes.judgements }

  /// One of the numbers that the scene was last judged by, for who trains the judgement anew.
  ///
  /// - Parameter index: In `0..<sceneFeatureCount`.
  public func sceneFeature(_ index: Int) -> Float { scenes.model.features[index] }

  /// Probability of speech, speech in noise, noise and music by the last judgement alone.
  public var sceneProbability: SIMD4<Float> { scenes.probability }
}
