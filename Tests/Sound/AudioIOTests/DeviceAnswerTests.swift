import Testing

@testable import AudioIO

@Suite("A device's answer") struct DeviceAnswerTests {
  @Test("keeps what can be, error codes too, and is held within 32 bits otherwise")
  func frames() {
    for answer in [0, 64, -32, Int(Int32.max), Int(Int32.min)] {
      #expect(DeviceAnswer.frames(answer) == answer)
    }
    #expect(DeviceAnswer.frames(.max) == Int(Int32.max))
    #expect(DeviceAnswer.frames(.min) == Int(Int32.min))
  }

  @Test("is never more than was asked for")
  func count() {
    #expect(DeviceAnswer.count(64, atMost: 64) == 64)
    #expect(DeviceAnswer.count(.max, atMost: 64) == 64)
    #expect(DeviceAnswer.count(-11, atMost: 64) == -11)
  }

  @Test(
    "of no period, or a buffer that holds none or is beyond all sense, is not worked with",
    arguments: [
      (0, 1024), (-1, 1024), (64, 63), (.max, .max), (64, (1 << 24) + 1), (Int.max, 64), (64, Int.min),
    ])
  func unusable(period: Int, buffer: Int) {
    #expect(!DeviceAnswer.isUsable(period: period, buffer: buffer))
  }

  @Test("of the least and the greatest sizes that are taken is worked with")
  func usable() {
    #expect(DeviceAnswer.isUsable(period: 1, buffer: 1))
    #expect(DeviceAnswer.isUsable(period: 64, buffer: 192))
    #expect(DeviceAnswer.isUsable(period: 1 << 24, buffer: 1 << 24))
  }
}
