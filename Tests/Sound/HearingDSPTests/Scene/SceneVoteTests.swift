import Testing

@testable import HearingDSP

@Suite("Deciding on a scene") struct SceneVoteTests {
  static let speech = SIMD4<Float>(1, 0, 0, 0)
  static let noise = SIMD4<Float>(0, 0, 1, 0)

  @Test("one odd judgement changes nothing, a lasting change comes through within two seconds")
  func steady() {
    var vote = SceneVote()
    for _ in 0..<10 { vote.process(Self.speech, level: 65) }
    #expect(vote.scene == .speech)
    vote.process(Self.noise, level: 65)
    #expect(vote.scene == .speech)
    vote.process(Self.speech, level: 65)
    #expect(vote.scene == .speech)
    // Two judgements a second.
    for _ in 0..<4 { vote.process(Self.noise, level: 65) }
    #expect(vote.scene == .noise)
  }

  @Test("judgements that waver about the middle leave the scene alone")
  func wavering() {
    var vote = SceneVote()
    for _ in 0..<10 { vote.process(Self.speech, level: 65) }
    for index in 0..<50 {
      let share: Float = index % 2 == 0 ? 0.55 : 0.45
      vote.process(SIMD4(share, 1 - share, 0, 0), level: 65)
      #expect(vote.scene == .speech)
    }
  }

  @Test("quiet begins below 40 dB SPL and ends above 42")
  func quiet() {
    var vote = SceneVote()
    vote.process(Self.noise, level: 41)
    #expect(vote.scene == .noise)
    vote.process(Self.noise, level: 39)
    #expect(vote.scene == .quiet)
    vote.process(Self.noise, level: 41)
    #expect(vote.scene == .quiet)
    vote.process(Self.noise, level: 43)
    #expect(vote.scene == .noise)
  }

  @Test("a judgement that is no number counts for nothing")
  func broken() {
    var vote = SceneVote()
    for _ in 0..<5 { vote.process(Self.speech, level: 65) }
    vote.process(SIMD4(repeating: .nan), level: 65)
    #expect(vote.scene == .speech)
    #expect(vote.confidence > 0.5 && vote.confidence <= 1)
  }
}
