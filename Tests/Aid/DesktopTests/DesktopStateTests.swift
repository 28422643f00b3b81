import Bus
import Testing

@testable import DesktopCommand
@testable import Service

@Suite("The desktop's state") struct DesktopStateTests {
  /// A state on a timeline that the test tells.
  private final class Timeline {
    var state = DesktopState()
    var now = 1000.0

    @discardableResult func happen(_ event: DesktopState.Event) -> [DesktopState.Order] {
      state.handle(event, at: now)
    }

    /// The daemon tells a state.
    @discardableResult func aid(
      _ name: StatusReport.State.Name, _ reason: String? = nil, muted: Bool? = nil,
      _ change: (inout AidStanding) -> Void = { _ in }
    ) -> [DesktopState.Order] {
      var standing = AidStanding(state: StatusReport.State(name, reason: reason, isMuted: muted, since: 0))
      change(&standing)
      return happen(.aid(standing))
    }

    /// The connection is lost to a person's own aid.
    @discardableResult func lose() -> [DesktopState.Order] {
      happen(.lost(socket: "/nonexistent/auricle/control.sock"))
    }

    /// Lets time pass, as the loop does: until the next moment that matters.
    func pass(_ seconds: Double) -> [DesktopState.Order] {
      let end = now + seconds
      var orders: [DesktopState.Order] = []
      while state.deadline <= end {
        now = max(now, state.deadline)
        orders += happen(.time)
      }
      now = end
      return orders + happen(.time)
    }
  }

  /// Silences that are shown.
  private func shown(_ orders: [DesktopState.Order]) -> [Notice] {
    orders.compactMap { if case .show(.silence, let notice) = $0 { notice } else { nil } }
  }

  @Test("a silence that lasts is told once, with its reason and what to do, and closed when sound is back")
  func once() throws {
    let timeline = Timeline()
    #expect(timeline.aid(.running).isEmpty)
    #expect(timeline.aid(.waitingForDevice, "no such device hw:CARD=Aid").isEmpty)
    #expect(timeline.pass(2.9).isEmpty)
    let orders = timeline.pass(0.2)
    #expect(orders.count == 1)
    let notice = try #require(shown(orders).first)
    #expect(notice.summary == "Hearing aid silent: it waits for a device")
    #expect(
      notice.body == "Waiting: no such device hw:CARD=Aid.\n"
        + "The sound starts by itself when that has changed; stop waiting with: auricle stop")
    #expect(notice.urgency == .normal && notice.isLasting)
    #expect(timeline.pass(3600).isEmpty)
    #expect(timeline.aid(.starting).isEmpty)
    #expect(timeline.aid(.running) == [.close(.silence)])
    #expect(timeline.pass(3600).isEmpty)
  }

  @Test(
    "gaps that pass by themselves are not told: devices opened again, a daemon that was killed and is back within 3 s"
  )
  func gaps() {
    let timeline = Timeline()
    timeline.aid(.running)
    timeline.aid(.waitingForDevice, "busy")
    #expect(timeline.pass(2.9).isEmpty)
    #expect(timeline.aid(.running).isEmpty)
    #expect(timeline.pass(60).isEmpty)
    #expect(timeline.lose().isEmpty)
    #expect(timeline.pass(2.9).isEmpty)
    #expect(timeline.aid(.starting).isEmpty)
    #expect(timeline.aid(.running).isEmpty)
    #expect(timeline.pass(60).isEmpty)
  }

  @Test("a fault is told at once, as critical, with a button that starts again")
  func fault() throws {
    let timeline = Timeline()
    timeline.aid(.running)
    let notice = try #require(shown(timeline.aid(.faulted, "the output was not finite")).first)
    #expect(notice.urgency == .critical && notice.isLasting)
    #expect(notice.body.hasPrefix("No sound: the output was not finite.\nCorrect it, then: auricle start"))
    #expect(notice.action == Notice.Action("start", "Start"))
    #expect(timeline.happen(.acted(.silence, "start")) == [.call(.start)])
    #expect(timeline.happen(.acted(.silence, "shutdown")).isEmpty)
  }

  @Test(
    "a start by the button that comes to nothing is told anew, though the server closes the notice then",
    arguments: [false, true])
  func failedStart(isClosedLate: Bool) {
    let (timeline, reason) = (Timeline(), "the card refuses its rate")
    timeline.aid(.running)
    #expect(shown(timeline.aid(.faulted, reason)).count == 1)
    #expect(timeline.happen(.acted(.silence, "start")) == [.call(.start)])
    if isClosedLate {
      // The same notice is still there, as far as is known.
      #expect(timeline.aid(.faulted, reason).isEmpty)
      #expect(timeline.happen(.dismissed(.silence)).isEmpty)
      #expect(shown(timeline.pass(3)).map(\.urgency) == [.critical])
    } else {
      #expect(timeline.happen(.dismissed(.silence)).isEmpty)
      #expect(timeline.aid(.starting).isEmpty)
      #expect(shown(timeline.aid(.faulted, reason)).map(\.urgency) == [.critical])
    }
    // One that is closed by hand stays closed.
    timeline.happen(.dismissed(.silence))
    timeline.aid(.starting)
    #expect(timeline.aid(.faulted, reason).isEmpty)
    #expect(timeline.pass(60).isEmpty)
  }

  @Test("while a start by the button takes long nothing is told; what comes of it is, or the daemon's end")
  func longStart() {
    let outcomes: [(Timeline) -> [Notice.Urgency]] = [
      { self.shown($0.aid(.faulted, "the card refuses its rate")).map(\.urgency) },
      { self.shown($0.aid(.waitingForDevice, "busy")).map(\.urgency) },
      { self.shown($0.aid(.running)).map(\.urgency) },
      { timeline in self.shown(timeline.lose() + timeline.pass(3)).map(\.urgency) },
    ]
    let expected: [[Notice.Urgency]] = [[.critical], [.normal], [], [.critical]]
    for (outcome, expected) in zip(outcomes, expected) {
      let timeline = Timeline()
      timeline.aid(.running)
      timeline.aid(.stopped)
      #expect(shown(timeline.pass(3)).count == 1)
      timeline.happen(.acted(.silence, "start"))
      timeline.happen(.dismissed(.silence))
      #expect(timeline.pass(0.3).isEmpty)
      #expect(timeline.aid(.starting).isEmpty)
      #expect(timeline.pass(4).isEmpty)
      #expect(outcome(timeline) == expected)
    }
  }

  @Test("a notice that a press leaves open and that is closed later is closed by hand, and stays closed")
  func closedAfterPress() {
    let (timeline, reason) = (Timeline(), "the card refuses its rate")
    timeline.aid(.running)
    #expect(shown(timeline.aid(.faulted, reason)).count == 1)
    timeline.happen(.acted(.silence, "start"))
    #expect(timeline.aid(.starting).isEmpty)
    #expect(timeline.aid(.faulted, reason).isEmpty)
    #expect(timeline.pass(2).isEmpty)
    #expect(timeline.happen(.dismissed(.silence)).isEmpty)
    #expect(timeline.pass(60).isEmpty)
    #expect(timeline.aid(.faulted, reason).isEmpty)
  }

  @Test("a wait after a start by the button is told after 3 s, and sound after it closes nothing twice")
  func startedByButton() {
    let timeline = Timeline()
    timeline.aid(.running)
    timeline.aid(.stopped)
    #expect(shown(timeline.pass(3)).count == 1)
    timeline.happen(.acted(.silence, "start"))
    timeline.happen(.dismissed(.silence))
    timeline.aid(.waitingForDevice, "busy")
    #expect(shown(timeline.pass(3)).map(\.urgency) == [.normal])
    timeline.aid(.stopped)
    #expect(shown(timeline.pass(3)).map(\.urgency) == [.low])
    timeline.happen(.acted(.silence, "start"))
    timeline.happen(.dismissed(.silence))
    // The server has closed it.
    #expect(timeline.aid(.running).isEmpty)
    #expect(timeline.pass(60).isEmpty)
  }

  @Test("drop-outs that keep the aid nearly silent are told after 3 s, until it sounds in full")
  func dropouts() throws {
    let timeline = Timeline()
    timeline.aid(.running)
    #expect(timeline.aid(.running, "the sound device drops out again and again").isEmpty)
    #expect(timeline.pass(2.9).isEmpty)
    let notice = try #require(shown(timeline.pass(0.2)).first)
    #expect(notice.summary == "Hearing aid nearly silent: drop-outs")
    #expect(notice.body == "Sound is on: the sound device drops out again and again.")
    #expect(notice.urgency == .normal && notice.isLasting && notice.action == nil)
    #expect(timeline.aid(.running) == [.close(.silence)])
  }

  @Test(
    "a daemon that ends without a word is told as that, and nothing is promised that only a daemon can do")
  func gone() throws {
    let timeline = Timeline()
    timeline.aid(.running)
    timeline.lose()
    let notice = try #require(shown(timeline.pass(3)).first)
    #expect(notice.summary == "Hearing aid silent: it has ended unexpectedly")
    #expect(notice.urgency == .critical && notice.action == nil && notice.body.contains("auricle start"))
    #expect(timeline.happen(.acted(.silence, "start")).isEmpty)
    #expect(timeline.aid(.running) == [.close(.silence)])
  }

  @Test("a daemon that never ran is no alarm")
  func never() {
    let timeline = Timeline()
    #expect(timeline.pass(3600).isEmpty)
    #expect(timeline.lose().isEmpty)
    #expect(timeline.pass(3600).isEmpty)
  }

  @Test(
    "a mute and a stop are told quietly, with the way back; one from before this program began is no news")
  func asked() throws {
    let timeline = Timeline()
    timeline.aid(.muted)
    #expect(timeline.pass(60).isEmpty)
    timeline.aid(.running)
    timeline.aid(.muted)
    let muted = try #require(shown(timeline.pass(3)).first)
    #expect(muted.urgency == .low && !muted.isLasting && muted.action == Notice.Action("unmute", "Unmute"))
    #expect(muted.body == "Muted. Sound again with: auricle unmute")
    #expect(timeline.happen(.acted(.silence, "unmute")) == [.call(.unmute)])
    timeline.aid(.stopped)
    let stopped = try #require(shown(timeline.pass(3)).first)
    #expect(stopped.urgency == .low && stopped.action == Notice.Action("start", "Start"))
    // The daemon of `auricle start` ends with the sound: the button goes, nothing is alarming.
    let last = try #require(shown(timeline.lose()).first)
    #expect(last.urgency == .low && last.action == nil)
    #expect(timeline.pass(3600).isEmpty)
  }

  @Test("the last state of a daemon that does not answer more counts: it was stopped")
  func lastWord() throws {
    let timeline = Timeline()
    timeline.aid(.running)
    timeline.happen(.state(StatusReport.State(.stopped, since: 0)))
    timeline.lose()
    #expect(try #require(shown(timeline.pass(3)).first).urgency == .low)
  }

  @Test("a device that is missing while the aid is muted is no alarm until the mute is taken back")
  func mutedWait() throws {
    let timeline = Timeline()
    timeline.aid(.running)
    timeline.aid(.waitingForDevice, "busy", muted: true)
    #expect(shown(timeline.pass(3)).map(\.urgency) == [.low])
    timeline.aid(.waitingForDevice, "busy", muted: false)
    #expect(shown(timeline.pass(3)).map(\.urgency) == [.normal])
  }

  @Test("a procedure that a person has begun is no silence to be told of")
  func testing() {
    let timeline = Timeline()
    timeline.aid(.running)
    timeline.aid(.waitingForDevice, "a feedback test") { $0.isTesting = true }
    #expect(timeline.pass(600).isEmpty)
  }

  @Test("another cause replaces the notice; one that was closed comes back only for a worse one")
  func causes() {
    let timeline = Timeline()
    timeline.aid(.running)
    timeline.aid(.waitingForDevice, "busy")
    #expect(shown(timeline.pass(3)).count == 1)
    timeline.aid(.waitingForDevice, "no such device")
    #expect(shown(timeline.pass(3)).map { $0.body.contains("no such device") } == [true])
    timeline.happen(.dismissed(.silence))
    timeline.aid(.waitingForDevice, "busy")
    #expect(timeline.pass(60).isEmpty)
    #expect(shown(timeline.aid(.faulted, "the card refuses its rate")).map(\.urgency) == [.critical])
    timeline.happen(.dismissed(.silence))
    // Nothing is left to close.
    #expect(timeline.aid(.running).isEmpty)
  }

  @Test(
    "a plug with a loose contact is told every 30 s at most, a reason that changes all the time after 3 s all the same"
  )
  func flood() {
    let timeline = Timeline()
    timeline.aid(.running)
    var count = 0
    for _ in 0..<60 {
      timeline.aid(.waitingForDevice, "no such device")
      count += shown(timeline.pass(4)).count
      timeline.aid(.running)
      count += shown(timeline.pass(1)).count
    }
    // 300 s.
    #expect(1...10 ~= count)
    timeline.now += 60
    for number in 0..<4 {
      timeline.aid(.waitingForDevice, "reason \(number)")
      count = shown(timeline.pass(1)).count
      if count > 0 {
        #expect(number == 2)
        break
      }
    }
    #expect(count == 1)
  }

  @Test(
    "a trial that is over at its time is told, without anything about what was prescribed; one that a person ends is not"
  )
  func trial() throws {
    let timeline = Timeline()
    timeline.aid(.running) { ($0.trialEnds, $0.time) = (5000, 4000) }
    #expect(timeline.aid(.running) { $0.time = 4100 }.isEmpty)
    timeline.aid(.running) { ($0.trialEnds, $0.time) = (5000, 4200) }
    // A daemon that was started again meanwhile.
    timeline.lose()
    let orders = timeline.aid(.running) { $0.time = 5000.4 }
    guard case .show(.trial, let notice)? = orders.first, orders.count == 1 else {
      Issue.record("\(orders)")
      return
    }
    #expect(notice.summary == "Hearing aid: the trial is over")
    #expect(notice.body == "The sound is as it was before the trial.\nMore: auricle rx list")
    #expect(timeline.aid(.running) { $0.time = 5001 }.isEmpty)
    // The next trial closes it.
    #expect(timeline.aid(.running) { ($0.trialEnds, $0.time) = (9000, 5002) } == [.close(.trial)])
  }

  @Test("texts of the daemon are bounded, and act on no screen")
  func texts() throws {
    let timeline = Timeline()
    timeline.aid(.running)
    let reason = "a\u{1B}[2Jb\u{7}" + String(repeating: "c", count: 10_000)
    let notice = try #require(shown(timeline.aid(.faulted, reason)).first)
    #expect(notice.body.count <= 400)
    #expect(notice.body.hasPrefix("No sound: a?[2Jb?ccc"))
  }

  @Test(
    "the daemon is told of earphones once, again by a new connection, and when they are not known any more")
  func earphones() {
    let timeline = Timeline()
    let buds = StatusReport.Earphones(connection: .bluetooth, name: "Buds")
    #expect(timeline.happen(.worn(buds)).isEmpty)
    #expect(timeline.aid(.running) == [.tell(buds)])
    #expect(timeline.happen(.worn(buds)).isEmpty)
    timeline.lose()
    #expect(timeline.aid(.running) == [.tell(buds)])
    #expect(timeline.happen(.worn(nil)) == [.tell(nil)])
    timeline.lose()
    #expect(timeline.aid(.running).isEmpty)
  }
}
