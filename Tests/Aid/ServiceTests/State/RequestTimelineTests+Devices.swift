import Engine
import Testing

@testable import Service

/// Devices that hang or break off, and the watchdog that is fed meanwhile.
extension RequestTimelineTests {
  @Test(
    "sound that stood still at one look and goes on feeds the watchdog a tenth of a second later, not half its time"
  )
  func standstill() {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 4)))
    func fed(after time: Double, blocks: Int) -> Bool {
      daemon.engine(.running) { $0.reading.counters.blocks = blocks }
      daemon.pass(time)
      return daemon.notices.contains(.watchdog)
    }
    #expect(fed(after: 2.01, blocks: 100))
    #expect(!fed(after: 2.01, blocks: 100))
    #expect(fed(after: 0.11, blocks: 101))
  }

  @Test(
    "a device that does not open, also one that was waited for, is told after 5 s, and feeds the watchdog for 10 s",
    arguments: [AidState.starting, .waitingForDevice(reason: "it was unplugged")])
  func doesNotOpen(_ audio: AidState) {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 2)))
    daemon.engine(.waitingForDevice(reason: "it was unplugged"))
    // Waited for, it feeds the watchdog for ever.
    for _ in 0..<20 {
      daemon.pass(1)
      #expect(daemon.notices.contains(.watchdog))
    }
    let since = daemon.now
    daemon.engine(audio) { $0.openingSince = since }
    for second in 1...20 {
      daemon.pass(1)
      #expect(daemon.notices.contains(.watchdog) == (second < 10), "\(second) s")
      let isTold = daemon.state.told.reason?.contains("does not open") == true
      #expect(isTold == (second >= 5), "\(second) s")
    }
  }

  @Test(
    "a device that was lost and does not close is told after 2 s, and feeds the watchdog for 10 s, until it has closed"
  )
  func doesNotClose() {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 2)))
    let lost = AidState.waitingForDevice(reason: "the sound device stopped working (no sound moves)")
    let since = daemon.now
    daemon.engine(lost) { $0.closingSince = since }
    for second in 1...20 {
      daemon.pass(1)
      #expect(daemon.notices.contains(.watchdog) == (second < 10), "\(second) s")
      let isTold = daemon.state.told.reason?.contains("does not close") == true
      #expect(isTold == (second >= 2), "\(second) s")
    }
    daemon.engine(lost) { $0.closingSince = nil }
    daemon.pass(1)
    #expect(daemon.notices.contains(.watchdog))
    #expect(daemon.state.told.reason == "the sound device stopped working (no sound moves)")
  }

  @Test(
    "sound that stands still is told after 3 s and feeds the watchdog no more, whether a stop and a start come meanwhile or not",
    arguments: [false, true])
  func standsStill(isRestarted: Bool) {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 2)))
    let begin = daemon.now
    daemon.engine(.running) { ($0.lastBlock, $0.reading.counters.blocks) = (begin, 100) }
    var fed = 0.0
    for half in 1...60 {
      daemon.pass(0.5)
      if daemon.notices.contains(.watchdog) { fed = daemon.now - begin }
      if half == 2, isRestarted {
        daemon.ask(SoundMethods.Stop())
        daemon.ask(SoundMethods.Start())
        #expect(daemon.state.told.name == .starting)
      }
      // By then the former device's closing is waited for.
      let reason = isRestarted ? "does not close" : "stands still"
      if half >= 6 { #expect(daemon.state.told.reason?.contains(reason) == true, "\(half)") }
    }
    // Once by blocks that had advanced, and while other devices seemed to be opened.
    #expect(fed >= 1 && fed <= (isRestarted ? 3.5 : 1.5), "\(fed)")
  }

  @Test("a thread that does not end before other devices feeds the watchdog for 10 s")
  func doesNotEnd() {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 2)))
    daemon.ask(SoundMethods.Stop())
    daemon.ask(SoundMethods.Start())
    for second in 1...20 {
      daemon.pass(1)
      #expect(daemon.notices.contains(.watchdog) == (second < 10), "\(second) s")
    }
    #expect(daemon.state.told.reason?.contains("does not close") == true)
  }

  @Test(
    "devices that break off within a second of sound, again and again, are told once, and as running once there was a second of it"
  )
  func breaksOff() {
    let daemon = Timeline.running()
    daemon.engine(.running) { $0.isUnproven = true }
    let lines = daemon.log.count
    for _ in 0..<20 {
      daemon.engine(.waitingForDevice(reason: "it drops out")) { $0.breakingOff = "it drops out" }
      daemon.pass(0.2)
      daemon.engine(.running) { $0.isUnproven = true }
      #expect(daemon.state.told.reason == "it drops out")
      daemon.pass(0.01)
    }
    #expect(daemon.log.count == lines + 1)
    daemon.engine(.running) { ($0.isUnproven, $0.breakingOff) = (false, nil) }
    #expect(daemon.state.told.name == .running)
  }

  @Test("so are devices that break off and cannot be opened at once; once they are missing that is told")
  func breaksOffAndIsAway() {
    // Its disk answers: one that has not for 5 s is a line too.
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    let lines = daemon.log.count
    for _ in 0..<20 {
      daemon.engine(.running) { $0.isUnproven = true }
      daemon.engine(.waitingForDevice(reason: "it is gone")) { $0.breakingOff = "it is gone" }
      for state in [AidState.waitingForDevice(reason: "no such device"), .starting, .running] {
        daemon.engine(state)
        #expect(daemon.state.told.reason == "it is gone")
        daemon.pass(0.1)
      }
    }
    #expect(daemon.log.count == lines + 1)
    daemon.engine(.waitingForDevice(reason: "no such device")) { $0.breakingOff = nil }
    #expect(daemon.state.told.reason == "no such device")
    daemon.engine(.faulted(reason: "no such rate")) { $0.breakingOff = "it is gone" }
    #expect(daemon.state.told.name == .faulted)
  }

  @Test("devices that break off and sound are not closed by a start, or for a test")
  func soundsWhileBreakingOff() {
    let daemon = Timeline.running()
    daemon.engine(.waitingForDevice(reason: "it drops out")) { $0.breakingOff = "it drops out" }
    daemon.engine(.running) { $0.isUnproven = true }
    #expect(daemon.state.told.name == .waitingForDevice)
    daemon.ask(SoundMethods.Start())
    #expect(daemon.orders == [])
    daemon.ask(FeedbackMethods.Measure())
    #expect(daemon.orders == [] && daemon.state.test?.phase == .measuring)
  }

  @Test(
    "earphones that are pulled out are waited for, with the reason, once; the devices stay open, and with the plug in it runs again"
  )
  func pulledPlug() {
    let daemon = Timeline.running()
    let lines = daemon.log.count
    for _ in 0..<3 {
      daemon.engine(.running) { $0.withheld = "nothing is plugged into Headphone" }
      daemon.pass(1)
    }
    #expect(daemon.state.told.name == .waitingForDevice)
    #expect(daemon.state.told.reason == "nothing is plugged into Headphone")
    #expect(daemon.orders == [] && daemon.log.count == lines + 1)
    daemon.engine(.running) { $0.withheld = nil }
    #expect(daemon.state.told.name == .running && daemon.orders == [])
  }

  @Test(
    "a reason to withhold sound that was found before the devices were lost is not told in place of the loss"
  )
  func pulledPlugAndLost() {
    let daemon = Timeline.running()
    daemon.engine(.waitingForDevice(reason: "it is gone")) {
      $0.withheld = "nothing is plugged into Headphone"
    }
    #expect(daemon.state.told.reason == "it is gone")
  }
}
