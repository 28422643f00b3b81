import Bus
import Control
import Engine
import Testing

@testable import Service

@Suite("Sleep of the machine, in time") struct SleepTimelineTests {
  private static func allows(_ timeline: Timeline) -> Bool {
    timeline.effects.contains { if case .allowSleep = $0 { true } else { false } }
  }

  @Test("sound fades out, the devices are closed, then the machine may sleep; afterwards it begins anew")
  func sleeps() {
    let timeline = Timeline.running()
    timeline.happen(.sleep(.begins))
    #expect(timeline.orders == [.requestStop])
    #expect(!Self.allows(timeline))
    #expect(timeline.state.report.state.name == .waitingForDevice)
    #expect(timeline.state.report.state.reason == "the machine goes to sleep")
    // The thread has faded out.
    timeline.engine(.stopped)
    #expect(timeline.orders == [.join])
    #expect(Self.allows(timeline))
    timeline.pass(0.5)
    #expect(!Self.allows(timeline) && timeline.orders == [])
    timeline.sleep(3600)
    #expect(timeline.orders == [])
    timeline.happen(.sleep(.ended))
    #expect(timeline.orders == [.start])
    timeline.engine(.running)
    #expect(timeline.state.report.state.name == .running)
  }

  @Test("where logind does not say that the machine has woken, sound begins ten seconds after it has")
  func unsaid() {
    let timeline = Timeline.running()
    timeline.happen(.sleep(.begins))
    timeline.engine(.stopped)
    // The machine does not sleep yet: nothing begins.
    var starts: [Int] = []
    func pass(_ seconds: ClosedRange<Int>) {
      for second in seconds {
        timeline.pass(1)
        if timeline.orders.contains(.start) { starts.append(second) }
      }
    }
    pass(1...30)
    #expect(starts == [])
    timeline.sleep(3600)
    pass(1...12)
    // A look each second.
    #expect(starts.count == 1 && (10...11).contains(starts[0]))
    // Its word, late, changes nothing.
    timeline.happen(.sleep(.ended))
    #expect(timeline.orders == [])
  }

  @Test("a machine that does not sleep after all has its sound at the word that it does not, at any time")
  func unslept() {
    for wait in [0.5, 3600] {
      let timeline = Timeline.running()
      timeline.happen(.sleep(.begins))
      timeline.engine(.stopped)
      timeline.pass(wait)
      #expect(timeline.orders == [])
      timeline.happen(.sleep(.ended))
      #expect(timeline.orders == [.start])
    }
  }

  @Test("until it has slept no test is begun, and the refusal says why")
  func measuring() {
    let timeline = Timeline.running()
    timeline.happen(.sleep(.begins))
    guard case .failure(let failure)? = timeline.ask(FeedbackMethods.Measure()) else {
      Issue.record("a test was begun")
      return
    }
    #expect(failure.message == "feedback test: the machine goes to sleep. Try again when it has woken.")
    #expect(timeline.state.test == nil)
  }

  @Test("without sound the machine may sleep at once, and nothing begins afterwards")
  func silent() throws {
    let timeline = Timeline.running()
    _ = timeline.ask(SoundMethods.Stop())
    timeline.engine(.stopped)
    timeline.happen(.sleep(.begins))
    #expect(Self.allows(timeline))
    timeline.happen(.sleep(.ended))
    #expect(timeline.orders == [])
    #expect(timeline.state.report.state.name == .stopped)
  }

  @Test("what is asked for while the machine falls asleep is done when it has woken")
  func asked() {
    let timeline = Timeline.running()
    timeline.happen(.sleep(.begins))
    timeline.engine(.stopped)
    _ = timeline.ask(SoundMethods.Stop())
    _ = timeline.ask(SoundMethods.Start())
    #expect(timeline.orders == [])
    timeline.happen(.sleep(.ended))
    #expect(timeline.orders == [.start])
  }

  @Test("a sleep that does not wait for silence is logged once, and sound goes on")
  func unheld() {
    let timeline = Timeline.running()
    for _ in 0..<3 { timeline.happen(.sleep(.unheld(reason: "access denied"))) }
    #expect(
      timeline.log.filter {
        $0.contains("does not let the machine's sleep wait") && $0.contains("access denied")
      }.count == 1)
    #expect(timeline.orders == [])
    #expect(timeline.state.report.state.name == .running)
  }

  @Test("a sleep that waits for silence after all is logged, and the same refusal after it once more")
  func heldAtLast() {
    let timeline = Timeline.running()
    let refusal = SleepWatch.News.unheld(reason: "access denied")
    for news in [refusal, .held, refusal] { timeline.happen(.sleep(news)) }
    let told = timeline.log.filter { $0.contains("the machine's sleep wait until sound has faded") }
    #expect(told.map { $0.contains("access denied") } == [true, false, true])
    #expect(timeline.orders == [])
  }

  @Test("a word that it has woken, without one that it sleeps, leaves a fault as it is")
  func forged() {
    let timeline = Timeline.running()
    timeline.engine(.faulted(reason: "no such rate"))
    timeline.happen(.sleep(.ended))
    #expect(timeline.orders == [])
    #expect(timeline.state.report.state.name == .faulted)
  }
}

@Suite("Sound cards that others may have") struct CardAgreementTests {
  private static let shared = ServiceState(
    ServiceState.Facts(started: .at(100), sharesCards: true))

  private static func asks(_ timeline: Timeline) -> Bool {
    timeline.effects.contains { if case .reserve = $0 { true } else { false } }
  }

  @Test("others are asked before the devices are opened")
  func asksFirst() {
    let timeline = Timeline(Self.shared)
    timeline.happen(.begin)
    #expect(Self.asks(timeline) && timeline.orders == [])
    timeline.happen(.reserved([CardReservation(card: 0, outcome: .held)]))
    #expect(timeline.orders == [.start])
  }

  @Test("who does not answer within a second is not waited for, and who refuses is named in the log")
  func unanswered() {
    let timeline = Timeline(Self.shared)
    timeline.happen(.begin)
    timeline.pass(0.9)
    #expect(timeline.orders == [])
    timeline.pass(0.2)
    #expect(timeline.orders == [.start])
    timeline.happen(.reserved([CardReservation(card: 0, outcome: .refused(by: "PipeWire"))]))
    #expect(timeline.log.contains("info: PipeWire keeps a sound card that was asked for"))
  }

  @Test("the supervisor wakes as that second is over, and not as the next look is due")
  func wakes() {
    let timeline = Timeline(
      ServiceState(ServiceState.Facts(started: .at(100), sharesCards: true), isStopped: true))
    timeline.happen(.begin)
    // Looks are due at 101, and a second after that one.
    timeline.pass(0.6)
    _ = timeline.ask(SoundMethods.Start())
    #expect(Self.asks(timeline) && timeline.orders == [])
    timeline.pass(0.45)
    #expect(timeline.orders == [])
    #expect(timeline.state.deadline > timeline.now && timeline.state.deadline <= 101.61)
    timeline.pass(0.56)
    #expect(timeline.orders == [.start])
  }

  @Test("while a device is waited for they are asked again every two seconds, and no sound waits for that")
  func again() {
    let timeline = Timeline(Self.shared)
    timeline.happen(.begin)
    timeline.happen(.reserved([]))
    timeline.engine(.waitingForDevice(reason: "in use"))
    var times = 0
    for _ in 0..<40 {
      timeline.pass(0.25)
      if Self.asks(timeline) { times += 1 }
    }
    #expect(times == 5)
    timeline.engine(.running)
    timeline.pass(10)
    #expect(!Self.asks(timeline))
  }

  @Test("after the sound the cards are given back, once the devices are closed")
  func givenBack() {
    func releases(_ timeline: Timeline) -> Bool {
      timeline.effects.contains { if case .releaseCards = $0 { true } else { false } }
    }
    let timeline = Timeline(Self.shared)
    timeline.happen(.begin)
    timeline.happen(.reserved([]))
    timeline.engine(.running)
    _ = timeline.ask(SoundMethods.Stop())
    #expect(!releases(timeline))
    timeline.engine(.stopped)
    #expect(releases(timeline))
    timeline.pass(1)
    #expect(!releases(timeline))
    _ = timeline.ask(SoundMethods.Start())
    #expect(Self.asks(timeline))
  }

  @Test("for other devices others are asked once the former ones are closed, and before those are opened")
  func moved() {
    let store = PrescriptionStore(folder: "/nonexistent/book")
    let timeline = Timeline(
      Self.shared, disk: ServiceDisk(folder: nil, store: store) { .success(.defaults) })
    func asked() -> [String] {
      timeline.effects.flatMap { effect -> [String] in
        guard case .reserve(let devices) = effect else { return [] }
        return devices.map { $0.playback ?? "first card" }
      }
    }
    timeline.happen(.begin)
    #expect(asked() == ["first card"])
    timeline.happen(.reserved([]))
    timeline.engine(.running)
    timeline.ask(RouteMethods.Try(capture: nil, playback: "hw:9"))
    #expect(asked() == [] && timeline.orders == [.requestStop])
    timeline.engine(.stopped)
    // The former ones are to come back.
    #expect(asked() == ["hw:9", "first card"] && timeline.orders == [.join])
    timeline.happen(.reserved([]))
    #expect(asked() == [] && timeline.orders == [.start])
    timeline.engine(.running)
    timeline.pass(1)
    #expect(asked() == [])
    timeline.ask(RouteMethods.Back())
    timeline.engine(.stopped)
    #expect(asked() == ["first card"] && timeline.orders == [.join])
  }

  @Test("the system's daemon asks nobody")
  func system() {
    let timeline = Timeline()
    timeline.happen(.begin)
    #expect(!Self.asks(timeline) && timeline.orders == [.start])
  }
}

@Suite("Priority from RealtimeKit") struct PriorityRequestTests {
  private static func asks(_ timeline: Timeline) -> Bool {
    timeline.effects.contains { if case .askForPriority = $0 { true } else { false } }
  }

  @Test("is asked for when the limits do not allow it, every ten seconds, and its refusal is logged once")
  func asked() {
    let timeline = Timeline.running()
    timeline.engine(.running) {
      $0.scheduling = .ordinary(reason: .notPermitted(wanted: 70, limit: 0), nice: 0)
    }
    var times = 0
    for _ in 0..<25 {
      timeline.pass(1)
      if Self.asks(timeline) {
        times += 1
        timeline.happen(.prioritised("RealtimeKit refuses: no"))
      }
    }
    #expect(times == 3)
    #expect(timeline.log.count { $0.hasSuffix("audio thread: RealtimeKit refuses: no") } == 1)
    timeline.engine(.running) { $0.scheduling = .realtime(priority: 20, policy: .roundRobin) }
    timeline.pass(20)
    #expect(!Self.asks(timeline))
    #expect(timeline.state.report.realtime.isGranted && timeline.state.report.realtime.policy == "SCHED_RR")
  }

  @Test(
    "one that was taken away is seen within a second, asked for once a second until it is back, and both are told"
  )
  func takenAway() {
    let timeline = Timeline.running()
    timeline.engine(.running) { $0.scheduling = .realtime(priority: 70) }
    timeline.pass(1)
    timeline.engine(.running) {
      $0.scheduling = .ordinary(reason: .notInForce(policy: 0, priority: 0), nice: 0)
    }
    var times = 0
    for _ in 0..<20 {
      timeline.pass(0.25)
      times += timeline.effects.count { if case .renewScheduling = $0 { true } else { false } }
    }
    #expect(times == 5)
    #expect(!timeline.state.report.realtime.isGranted)
    let lost =
      "warning: audio thread: not real-time (nice 0): SCHED_FIFO was granted, but the kernel now reports policy 0, priority 0"
    #expect(timeline.log.count { $0 == lost } == 1)
    let granted = "info: audio thread: real-time, SCHED_FIFO priority 70"
    let told = timeline.log.count { $0 == granted }
    timeline.engine(.running) { $0.scheduling = .realtime(priority: 70) }
    timeline.pass(1)
    #expect(timeline.log.count { $0 == granted } == told + 1)
    #expect(timeline.state.report.realtime.isGranted)
  }

  @Test("is not asked for where another reason than the limits forbids it")
  func otherReason() {
    let timeline = Timeline.running()
    timeline.engine(.running) { $0.scheduling = .ordinary(reason: .ranTooLong, nice: 0) }
    timeline.pass(20)
    #expect(!Self.asks(timeline))
  }
}

@Suite("Devices' files that cannot be watched") struct WatchRefusalTests {
  @Test(
    "the reason for which a device is tried again and again is logged once, and again when it is another one"
  )
  func once() {
    let timeline = Timeline.running()
    func told() -> [String] { timeline.log.filter { $0.contains("is tried four times a second") } }
    for reason in [
      "jack is on no card", "jack is on no card", "its files cannot be watched",
      "its files cannot be watched",
    ] {
      timeline.engine(.waitingForDevice(reason: "away")) { $0.watchRefusal = reason }
      timeline.pass(1)
    }
    #expect(
      told() == [
        "info: a device that is waited for is tried four times a second: jack is on no card",
        "info: a device that is waited for is tried four times a second: its files cannot be watched",
      ])
  }
}
