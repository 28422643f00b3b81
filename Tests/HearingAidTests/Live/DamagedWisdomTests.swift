import CommonTesting
import Testing

@testable import HearingAid

@Suite("Live loop with damaged plans") struct DamagedWisdomTests {
  @Test("plays, tells of it once, and leaves plans that the next start takes")
  func plays() throws {
    let folder = TemporaryFolder()
    folder.write(Array(repeating: 0xA5, count: 3000), to: "wisdom")
    for isDamaged in [true, false] {
      let bench = try LiveBench { $0.wisdomPath = folder.file("wisdom") }
      bench.run(until: 30)
      #expect(bench.blocks >= 25)
      #expect(bench.board.notice.withLock { $0.hasDamagedWisdom } == isDamaged)
    }
    #expect(folder.names == ["wisdom"])
  }

  @Test("is asked once whether they were damaged")
  func once() throws {
    let folder = TemporaryFolder()
    folder.write("damaged", to: "wisdom")
    let bench = try LiveBench { $0.wisdomPath = folder.file("wisdom") }
    let aid = bench.aid()
    #expect(!aid.takeDamagedWisdom())
    try aid.start()
    #expect(eventually { aid.takeDamagedWisdom() })
    #expect(!aid.takeDamagedWisdom())
    aid.stop()
  }
}
