import Testing

@testable import Engine
@testable import Service

@Suite struct AidPilotTests {
  private let stage = Stage()

  /// A pilot whose aid sounds.
  private func sounding() -> AidPilot {
    let pilot = AidPilot(stage.aid())
    pilot.requestSound()
    #expect(steer(pilot) { pilot.state == .running })
    return pilot
  }

  /// Steers until something is so.
  private func steer(_ pilot: AidPilot, until isSo: () -> Bool) -> Bool {
    eventually {
      pilot.steer()
      return isSo()
    }
  }

  @Test("a wish for sound starts one thread, a wish for silence ends it")
  func startsAndStops() {
    let pilot = AidPilot(stage.aid())
    #expect(pilot.state == .stopped && pilot.isAtRest)
    pilot.requestSound()
    #expect(steer(pilot) { pilot.state == .running })
    pilot.requestSound()
    pilot.steer()
    #expect(stage.begun.load(ordering: .relaxed) == 1)
    pilot.requestSilence()
    #expect(pilot.state == .stopped)
    #expect(steer(pilot) { pilot.isAtRest })
  }

  @Test("a thread held up inside a device does not hold up the one that steers")
  func doesNotWait() {
    let pilot = AidPilot(stage.aid())
    stage.hold(true)
    pilot.requestSound()
    pilot.steer()
    #expect(pilot.state == .starting)
    pilot.requestSilence()
    // Would hang here if it waited: the thread ends only when it is let go.
    for _ in 0..<10 { pilot.steer() }
    #expect(pilot.state == .stopped && !pilot.isAtRest && !pilot.isSettled)
    stage.hold(false)
    #expect(steer(pilot) { pilot.isAtRest })
    #expect(pilot.isSettled)
  }

  @Test("sound wished for again while the old thread is still ending gets a new thread")
  func startsAgain() {
    let pilot = sounding()
    stage.hold(true)
    pilot.requestReopening()
    pilot.steer()
    #expect(!pilot.isSettled)
    stage.hold(false)
    #expect(steer(pilot) { self.stage.begun.load(ordering: .relaxed) == 2 && pilot.state == .running })
  }

  @Test(
    "sound wished for again before the old thread has ended gets a new thread, whether silence or a loan came between",
    arguments: [false, true])
  func wishTurnsBack(_ isLent: Bool) {
    let pilot = sounding()
    stage.hold(true)
    if isLent { pilot.lend(because: "a test") } else { pilot.requestSilence() }
    pilot.steer()
    if isLent { pilot.takeBack() } else { pilot.requestSound() }
    // The old thread still runs, but what is wished is another.
    pilot.steer()
    #expect(pilot.state == .starting && !pilot.isSettled)
    stage.hold(false)
    #expect(steer(pilot) { pilot.state == .running })
    #expect(stage.begun.load(ordering: .relaxed) == 2 && pilot.isSettled)
  }

  @Test("a device that does not close is told of after two seconds")
  func doesNotClose() {
    let pilot = sounding()
    stage.hold(true)
    pilot.requestReopening()
    pilot.steer()
    #expect(pilot.state == .starting)
    #expect(
      steer(pilot) {
        pilot.state == .waitingForDevice(reason: "the sound device that was used before does not close")
      })
    stage.hold(false)
    #expect(steer(pilot) { pilot.state == .running })
  }

  @Test("a start leaves a fault behind")
  func leavesFault() {
    stage.enter(.faulted, "no such rate")
    let pilot = AidPilot(stage.aid())
    pilot.requestSound()
    #expect(steer(pilot) { pilot.state == .faulted(reason: "no such rate") })
    stage.enter(.sounding)
    pilot.requestSound()
    #expect(steer(pilot) { pilot.state == .running })
    #expect(stage.begun.load(ordering: .relaxed) == 2)
  }

  @Test("devices that are lent are given away by the thread, waited for by its wish, and taken again")
  func lends() {
    let pilot = sounding()
    pilot.lend(because: "a test")
    #expect(pilot.state == .waitingForDevice(reason: "a test") && !pilot.isSettled)
    #expect(steer(pilot) { pilot.isAtRest && pilot.isSettled })
    // Neither a wish for sound nor for other devices takes them from whoever has them.
    pilot.requestSound()
    pilot.requestReopening()
    pilot.steer()
    #expect(pilot.isAtRest && pilot.state == .waitingForDevice(reason: "a test"))
    pilot.takeBack()
    #expect(pilot.state == .starting)
    #expect(steer(pilot) { pilot.state == .running })
    #expect(stage.begun.load(ordering: .relaxed) == 2)
  }

  @Test("a wish for silence stays one while devices are lent, and afterwards")
  func lendsInSilence() {
    let pilot = AidPilot(stage.aid())
    pilot.lend(because: "a test")
    #expect(pilot.state == .stopped && pilot.isSettled)
    pilot.takeBack()
    pilot.steer()
    #expect(pilot.isAtRest && pilot.state == .stopped)
    pilot.requestSound()
    pilot.lend(because: "a test")
    pilot.requestSilence()
    pilot.takeBack()
    pilot.steer()
    #expect(pilot.isAtRest && stage.begun.load(ordering: .relaxed) == 0)
  }

  @Test("reopening what is not in use does nothing")
  func reopensNothing() {
    let pilot = AidPilot(stage.aid())
    pilot.requestReopening()
    pilot.steer()
    #expect(stage.begun.load(ordering: .relaxed) == 0)
  }
}
