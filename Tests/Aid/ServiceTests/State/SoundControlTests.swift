import Engine
import Testing

@testable import Service

@Suite struct SoundControlTests {
  /// One whose thread runs.
  private func sounding() -> Box {
    let control = Box()
    control.wantSound(.stopped)
    _ = control.step(.stopped, now: 0)
    return control
  }

  @Test("a start makes one thread, a stop ends it")
  func startsAndStops() {
    let control = Box()
    #expect(control.step(.stopped, now: 0) == [] && control.state(.stopped, now: 0) == .stopped)
    control.wantSound(.stopped)
    #expect(control.step(.stopped, now: 0) == [.start])
    control.wantSound(.running)
    #expect(control.step(.running, now: 1) == [] && control.state(.running, now: 1) == .running)
    control.wantSilence()
    #expect(control.state(.running, now: 1) == .stopped)
    #expect(control.step(.running, now: 1) == [.requestStop] && !control.isSettled)
    #expect(control.step(.stopped, now: 1.1) == [.join] && control.isSettled && !control.hasThread)
  }

  @Test("a thread held up inside a device is asked once and not waited for")
  func doesNotWait() {
    let control = sounding()
    control.wantSilence()
    #expect(control.step(.starting, now: 0) == [.requestStop])
    for second in 1..<10 { #expect(control.step(.starting, now: Double(second)) == []) }
    #expect(control.state(.starting, now: 9) == .stopped && control.hasThread && !control.isSettled)
    #expect(control.step(.stopped, now: 10) == [.join])
  }

  @Test(
    "sound wanted again before the old thread has ended gets a new one, whether silence, a test or other devices came between",
    arguments: [0, 1, 2])
  func turnsBack(_ between: Int) {
    let control = sounding()
    switch between {
    case 0: control.wantSilence()
    case 1: control.occupy("a test", .faulted(reason: "r"))
    default: control.wantReopening()
    }
    #expect(control.step(.running, now: 0) == [.requestStop])
    switch between {
    case 0: control.wantSound(.running)
    case 1: control.vacate()
    default: break
    }
    #expect(control.step(.running, now: 0.1) == [])
    #expect(control.state(.running, now: 0.1) == .starting && !control.isSettled)
    #expect(control.step(.stopped, now: 0.2) == [.join, .start])
    #expect(control.isSettled)
  }

  @Test("a device that does not close is reported after two seconds, one that is waited for at once")
  func doesNotClose() {
    let control = sounding()
    control.wantReopening()
    _ = control.step(.running, now: 10)
    #expect(control.state(.running, now: 11.9) == .starting)
    #expect(
      control.state(.running, now: 12)
        == .waitingForDevice(reason: "the sound device that was used before does not close"))
    #expect(control.state(.waitingForDevice(reason: "gone"), now: 10) == .waitingForDevice(reason: "gone"))
  }

  @Test("a device that does not open within five seconds is reported as one that is waited for")
  func doesNotOpen() {
    let control = sounding()
    _ = control.step(.starting, now: 10)
    #expect(control.state(.starting, now: 14.9) == .starting)
    guard case .waitingForDevice(let reason) = control.state(.starting, now: 15) else {
      Issue.record("not reported")
      return
    }
    #expect(reason.contains("does not open"))
    _ = control.step(.running, now: 16)
    #expect(control.state(.running, now: 16) == .running)
    // The next opening has its own time.
    _ = control.step(.starting, now: 20)
    #expect(control.state(.starting, now: 21) == .starting)
  }

  @Test("devices that are granted and do not move yet are starting: they have opened")
  func opensAndMovesLate() {
    let control = sounding()
    _ = control.step(.starting, opening: 10, now: 10)
    _ = control.step(.starting, areOpen: true, now: 13.2)
    #expect(control.openingSince == nil && control.state(.starting, now: 16) == .starting)
    // Not granted, they may hang.
    _ = control.step(.starting, now: 20)
    #expect(control.openingSince == 20)
  }

  @Test(
    "a device that was waited for and does not open again is reported after five seconds, whatever was told of it before"
  )
  func doesNotOpenAgain() {
    let control = sounding()
    let waiting = AidState.waitingForDevice(reason: "the sound device stopped working")
    let hanging = AidState.waitingForDevice(
      reason: "the sound device does not open: its sound server may hang")
    _ = control.step(waiting, opening: 10, now: 10)
    #expect(control.state(waiting, now: 14.9) == waiting && control.openingSince == 10)
    #expect(control.state(waiting, now: 15) == hanging)
    // An attempt that fails, and the next one.
    _ = control.step(waiting, now: 16)
    #expect(control.state(waiting, now: 16) == waiting && control.openingSince == nil)
    _ = control.step(waiting, opening: 17, now: 17)
    #expect(control.state(waiting, now: 21.9) == waiting)
    // Asked to end, it hangs all the same.
    control.wantSound(waiting)
    #expect(control.step(waiting, opening: 17, now: 22) == [.requestStop])
    #expect(control.state(waiting, now: 22) == hanging)
  }

  @Test(
    "a device that was lost and does not close is reported after two seconds, whatever was told of it before, and a fault goes on being told"
  )
  func hangsClosing() {
    let control = sounding()
    let waiting = AidState.waitingForDevice(reason: "the sound device stopped working")
    let hanging = AidState.waitingForDevice(
      reason: "the sound device does not close: its sound server may hang")
    _ = control.step(waiting, closing: 10, now: 10)
    #expect(control.state(waiting, now: 11.9) == waiting && control.closingSince == 10)
    #expect(control.state(waiting, now: 12) == hanging)
    let fault = AidState.faulted(reason: "no such rate")
    #expect(control.state(fault, now: 12) == fault)
    // Asked to end, for other devices, it hangs all the same.
    control.wantReopening()
    #expect(control.step(waiting, closing: 10, now: 13) == [.requestStop])
    #expect(control.state(waiting, now: 13) == hanging)
    // The server goes on.
    #expect(control.step(.stopped, now: 20) == [.join, .start])
    #expect(control.state(.starting, now: 20) == .starting && control.closingSince == nil)
    // Silence was asked for.
    _ = control.step(.running, closing: 30, now: 30)
    control.wantSilence()
    #expect(control.state(.running, now: 40) == .stopped)
  }

  @Test("a device that was granted and does not start is reported as that after five seconds")
  func doesNotStart() {
    let control = sounding()
    _ = control.step(.starting, opening: 10, areOpen: true, now: 14.9)
    #expect(control.state(.starting, now: 14.9) == .starting)
    #expect(
      control.state(.starting, now: 15)
        == .waitingForDevice(reason: "the sound device does not start: its sound server may hang"))
  }

  @Test(
    "a device that sounds and has no block for three seconds is reported, until it has one; time in which nobody looks does not count"
  )
  func standsStill() {
    let control = sounding()
    let hanging = AidState.waitingForDevice(
      reason: "the sound device stands still: its sound server may hang")
    for now in stride(from: 10, through: 12.5, by: 0.5) {
      _ = control.step(.running, lastBlock: 9, now: now)
    }
    #expect(control.state(.running, now: 12.5) == .running && !control.isStandingStill)
    _ = control.step(.running, lastBlock: 9, now: 13)
    #expect(control.state(.running, now: 13) == hanging && control.isStandingStill)
    _ = control.step(.running, lastBlock: 13.2, now: 13.5)
    #expect(control.state(.running, now: 13.5) == .running)
    // The process itself stood still.
    _ = control.step(.running, lastBlock: 13.2, now: 100)
    #expect(control.state(.running, now: 100) == .running)
    // No sound flows, so no block is missing.
    for now in 101..<120 { _ = control.step(.waitingForDevice(reason: "gone"), now: Double(now)) }
    #expect(!control.isStandingStill)
  }

  @Test(
    "a start leaves a fault behind and cuts a wait short",
    arguments: [
      AidState.faulted(reason: "no such rate"), .waitingForDevice(reason: "none there"),
    ])
  func startsAnew(_ stuck: AidState) {
    let control = sounding()
    #expect(control.step(stuck, now: 0) == [] && control.state(stuck, now: 0) == stuck)
    control.wantSound(stuck)
    #expect(control.step(stuck, now: 1) == [.requestStop])
    #expect(control.step(.stopped, now: 1) == [.join, .start])
  }

  @Test("a thread that cannot be made is a fault until the next start")
  func refused() {
    let control = sounding()
    control.refuse("no memory")
    #expect(control.state(.stopped, now: 0) == .faulted(reason: "no memory") && control.isSettled)
    #expect(control.step(.stopped, now: 1) == [])
    control.wantSound(.stopped)
    #expect(control.step(.stopped, now: 1) == [.start])
  }

  @Test("a stop leaves it behind that no thread could be made")
  func stoppedAfterRefusal() {
    let control = sounding()
    control.refuse("no memory")
    control.wantSilence()
    #expect(control.state(.stopped, now: 0) == .stopped && control.isSettled)
    #expect(control.step(.stopped, now: 1) == [])
    control.wantSound(.stopped)
    #expect(control.step(.stopped, now: 2) == [.start])
  }

  @Test("a test has the thread that there is, and sound is waited for until it has ended")
  func occupied() {
    let control = sounding()
    control.occupy("a test", .running)
    #expect(control.step(.running, now: 0) == [] && control.isSettled && control.isOpen)
    control.wantSound(.running)
    #expect(control.step(.running, now: 1) == [])
    #expect(control.state(.running, now: 1) == .waitingForDevice(reason: "a test"))
    control.vacate()
    #expect(control.step(.running, now: 2) == [] && control.state(.running, now: 2) == .running)
  }

  @Test(
    "for a test in silence a thread is made that does not sound, until sound is wanted or the test has ended"
  )
  func occupiedInSilence() {
    let control = Box()
    control.occupy("a test", .stopped)
    #expect(control.state(.stopped, now: 0) == .stopped && !control.isOpen)
    #expect(control.step(.stopped, now: 0) == [.startSilently] && control.isOpen)
    #expect(control.step(.running, now: 0) == [])
    control.wantSound(.running)
    #expect(control.step(.running, now: 0) == [.start] && control.step(.running, now: 0) == [])
    control.wantSilence()
    control.vacate()
    #expect(control.step(.running, now: 0) == [.requestStop])
    #expect(control.step(.stopped, now: 0) == [.join] && control.state(.stopped, now: 0) == .stopped)
  }

  @Test("a test that gets no thread leaves no fault where silence is wanted")
  func occupiedInVain() {
    let control = Box()
    control.occupy("a test", .stopped)
    _ = control.step(.stopped, now: 0)
    control.refuse("no memory")
    control.vacate()
    #expect(control.state(.stopped, now: 0) == .stopped && control.step(.stopped, now: 0) == [])
  }

  @Test("reopening what is not in use does nothing")
  func reopensNothing() {
    let control = Box()
    control.wantReopening()
    #expect(control.step(.stopped, now: 0) == [] && control.isSettled)
  }
}

/// The control, so that an expectation may move it on.
@dynamicMemberLookup private final class Box {
  private var control = SoundControl()

  subscript<Value>(dynamicMember path: KeyPath<SoundControl, Value>) -> Value { control[keyPath: path] }

  func step(
    _ audio: AidState, opening: Double? = nil, closing: Double? = nil, lastBlock: Double? = nil,
    areOpen: Bool = false, now: Double
  ) -> [SoundControl.Order] {
    control.step(
      audio, opening: opening, closing: closing, lastBlock: lastBlock, areOpen: areOpen, now: now)
  }
  func state(_ audio: AidState, now: Double) -> AidState { control.state(audio, now: now) }
  func wantSound(_ audio: AidState) { control.wantSound(audio) }
  func wantSilence() { control.wantSilence() }
  func wantReopening() { control.wantReopening() }
  func occupy(_ reason: String, _ audio: AidState) { control.occupy(reason, audio) }
  func vacate() { control.vacate() }
  func refuse(_ reason: String) { control.refuse(reason) }
}
