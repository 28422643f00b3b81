import AudioIO
import AudioIOTesting
import Testing

/// Sound of a playback buffer that runs empty, on a card that goes on through it until it notices.
@Suite("Underrun") struct UnderrunTests {
  /// Frames heard that are not later than one before: the source counts up.
  func repeated(_ rig: FakeRig) -> Int {
    var newest: Float = 0
    var count = 0
    for sample in rig.heardLeft where sample != 0 {
      if sample <= newest { count += 1 }
      newest = max(newest, sample)
    }
    return count
  }

  @Test("silence follows the last new sample, and nothing is played twice", arguments: [true, false])
  func silenceFollows(isLinkable: Bool) throws {
    let rig = FakeRig()
    rig.isLinkable = isLinkable
    var loop = LoopProgram(rig)
    try loop.stream.open()
    for _ in 0..<50 {
      #expect(loop.run(blocks: 20) == 20)
      rig.advance(0.1)
    }
    #expect(loop.stream.counters.underruns >= 49)
    #expect(repeated(rig) == 0)
  }

  @Test("a program that ends without a word is not heard again")
  func killed() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 50)
    rig.advance(1)
    #expect(repeated(rig) == 0)
    #expect(rig.heardLeft.last == 0)
  }

  @Test("a driver that cannot silence its buffer is used all the same, and the stream says so")
  func refusal() throws {
    let rig = FakeRig()
    rig.schedule(ScriptedFault(.playback, .silence, .fail(PCMFault(errno: 22))))
    var loop = LoopProgram(rig)
    try loop.stream.open()
    #expect(loop.run(blocks: 50) == 50)
    let silences = loop.stream.silencesPlayed
    #expect(!silences)
    rig.advance(0.1)
    // This is what the others are spared.
    #expect(repeated(rig) > 0)
  }
}
