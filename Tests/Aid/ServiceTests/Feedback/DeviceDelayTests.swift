import Testing

@testable import Service

/// What is made of delays that drivers tell by whole periods.
@Suite("DeviceDelay") struct DeviceDelayTests {
  // 64 frames at 48 kHz.
  static let period = 64.0 / 48_000

  @Test("a period more that is told by chance is no news, a period less counts at once")
  func chance() {
    var delay = DeviceDelay()
    #expect(delay.value == nil)
    let isFirst = delay.tell(0.005, now: 0)
    #expect(isFirst)
    for step in 1...400 {
      // Told right once in a second.
      let isRight = step % 20 == 0
      let isNews = delay.tell(isRight ? 0.005 : 0.005 + Self.period, now: 0.05 * Double(step))
      #expect(!isNews)
    }
    #expect(delay.value == 0.005)
    let isShorter = delay.tell(0.005 - Self.period, now: 20.1)
    #expect(isShorter)
    #expect(delay.value == 0.005 - Self.period)
  }

  @Test("a delay that stays longer is believed after two seconds, at once after a drop-out")
  func longer() {
    var delay = DeviceDelay()
    let isFirst = delay.tell(0.005, now: 0)
    #expect(isFirst)
    var believed: Double?
    for step in 1...60 where believed == nil {
      let now = 0.05 * Double(step)
      if delay.tell(0.005 + Self.period, now: now) { believed = now }
    }
    // The reading at 0 s is forgotten 2 s later.
    #expect(believed.map { (2.0...2.1).contains($0) } == true)
    #expect(delay.value == 0.005 + Self.period)
    delay.begin()
    let isAnother = delay.tell(0.0115, now: 4)
    #expect(isAnother)
    #expect(delay.value == 0.0115)
    // 22 frames: two clocks that keep together.
    let isDrift = delay.tell(0.01195, now: 7)
    #expect(!isDrift)
  }
}
