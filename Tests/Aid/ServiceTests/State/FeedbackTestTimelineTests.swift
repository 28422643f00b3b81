import Base
import CommonTesting
import Control
import Engine
import Foundation
import Testing

@testable import Service

/// A feedback test under way, and the sound that comes back after it, however it ends.
@Suite("Feedback test on a timeline") struct FeedbackTestTimelineTests {
  private static let caller = Peer(processID: 71, userID: 0, groupID: 0, connection: 1)
  private static let other = Peer(processID: 72, userID: 0, groupID: 0, connection: 2)
  private static let record = FeedbackRecord(left: FeedbackMethodTests.ear())
  private let folder = TemporaryFolder()

  private func running(_ facts: ServiceState.Facts = .init(started: .at(100))) -> Timeline {
    let disk = ServiceDisk(
      folder: folder.file("state"), store: PrescriptionStore(folder: folder.file("book"))
    ) { .success(.defaults) }
    let daemon = Timeline(ServiceState(facts), disk: disk)
    daemon.happen(.begin)
    daemon.engine(.running)
    return daemon
  }

  /// One whose sound flowed, and that measures.
  private func measuring(endsWhenStopped: Bool = false) -> Timeline {
    let daemon = running(.init(started: .at(100), endsWhenStopped: endsWhenStopped))
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    return daemon
  }

  private func notices(_ daemon: Timeline) -> [FeedbackNotice] {
    daemon.effects.compactMap { if case .tell(Self.caller, let notice) = $0 { notice } else { nil } }
  }

  private func hasEnded(_ daemon: Timeline) -> Bool {
    daemon.effects.contains { if case .endTest = $0 { true } else { false } }
  }

  private func news(_ news: FeedbackTestNews, of number: RequestID = 1) -> Event { .test(number, news) }

  private func failure(_ daemon: Timeline) -> Failure? { notices(daemon).last?.error }

  @Test(
    "it is begun at once where the audio thread is open; the status says so, and there is one at a time")
  func begun() throws {
    let daemon = running()
    let answer = try #require(daemon.ask(FeedbackMethods.Measure([.right]), from: Self.caller)).get()
    #expect(answer.state.name == .waitingForDevice)
    #expect(
      answer.state.reason == "a feedback test is under way, process 71; sound comes back when it ends")
    #expect(daemon.orders == [])
    let begun = daemon.effects.compactMap {
      if case .measure(let number, .path, let ears) = $0 { (number, ears) } else { nil }
    }
    #expect(begun.map(\.0) == [1] && begun.map(\.1) == [[.right]])
    #expect(notices(daemon) == [FeedbackNotice(share: 0)])
    daemon.happen(news(.progress(FeedbackNotice(share: 0.4))))
    #expect(notices(daemon) == [FeedbackNotice(share: 0.4)])
    daemon.happen(news(.progress(FeedbackNotice(onceMore: "noise"))))
    #expect(notices(daemon).first?.onceMore == "noise")
    let report = try #require(daemon.state.report.procedure)
    #expect(
      report.name == "feedback" && report.pid == 71 && report.share == 0.4 && report.endedUnixSeconds == nil
    )
    let text = StatusText(daemon.state.report).text
    #expect(text.contains("feedback, process 71, since "))
    #expect(text.contains("silent since") && text.contains("40 % done"))
    let refusal = try #require(daemon.ask(FeedbackMethods.Measure(), from: Self.other))
    guard case .failure(let failure) = refusal else {
      Issue.record("a second test was begun")
      return
    }
    #expect(
      failure.exitStatus == .temporary && failure.message.contains("a feedback test under way, process 71"))
    // Other connections may close without ending it.
    daemon.happen(.control(.gone(Self.other)))
    #expect(!hasEnded(daemon) && daemon.state.test != nil)
  }

  @Test("its caller is engaged from the call to the end, whatever it has been told")
  func engaged() {
    let daemon = running()
    #expect(daemon.state.engaged.isEmpty)
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    #expect(daemon.state.engaged == [Self.caller])
    daemon.happen(.control(.gone(Self.other)))
    #expect(daemon.state.engaged == [Self.caller])
    daemon.happen(news(.ended(.failure(.cancelled))))
    #expect(daemon.state.engaged.isEmpty)
  }

  @Test("a result is kept, limits the gain, and is told to the caller; sound comes back before")
  func result() throws {
    let daemon = measuring()
    daemon.happen(news(.progress(FeedbackNotice(share: 1))))
    daemon.isDiskStalled = true
    daemon.happen(news(.ended(.success(Self.record))))
    #expect(daemon.state.state.name == .running && daemon.state.report.procedure?.share == 1)
    daemon.releaseDisk()
    let answer = try #require(notices(daemon).last?.answer)
    #expect(answer.message == "Kept; it limits the gain from now on.")
    #expect(answer.feedback.left.path?.capture == "hw:1" && answer.feedback.right.path == nil)
    #expect(daemon.state.feedback.record == Self.record && daemon.applied != nil)
    #expect(daemon.state.test == nil && daemon.state.report.procedure == nil)
    #expect(FeedbackFile(folder: folder.file("state")).read().record == Self.record)
    #expect(daemon.state.feedbackReport.notes.isEmpty)
  }

  @Test("the loop's delay is measured by the same rules, named for what it is, kept and told")
  func delay() throws {
    let daemon = running()
    let asked = try #require(daemon.ask(FeedbackMethods.Measure([.left], of: .delay), from: Self.caller))
    #expect(
      try asked.get().state.reason
        == "a test of the loop's delay is under way, process 71; sound comes back when it ends")
    let begun = daemon.effects.compactMap {
      if case .measure(let number, .delay, let ears) = $0 { (number, ears) } else { nil }
    }
    #expect(begun.map(\.0) == [1] && begun.map(\.1) == [[.left]])
    #expect(daemon.state.report.procedure?.name == "loop delay")
    let record = FeedbackRecord(leftDelay: MeasuredFeedbackTests.delay)
    daemon.happen(news(.ended(.success(record))))
    let answer = try #require(notices(daemon).last?.answer)
    #expect(answer.message.hasPrefix("Kept; auricle status tells it"))
    #expect(answer.feedback.left.delay?.delaySeconds == 0.0072 && answer.feedback.left.path == nil)
    #expect(daemon.state.feedback.record == record && daemon.state.state.name == .running)

    daemon.ask(FeedbackMethods.Measure(of: .delay), from: Self.caller)
    let number = try #require(daemon.state.test?.number)
    daemon.happen(news(.ended(.failure(.nothingHeard(.left, level: 75, noise: 30))), of: number))
    #expect(
      failure(daemon)?.subject == "test of the loop's delay" && failure(daemon)?.exitStatus == .temporary)
    #expect(
      daemon.state.feedbackReport.notes.first?.contains(
        "The test of the loop's delay of process 71 broke off")
        == true)
    #expect(daemon.state.feedback.record == record)
  }

  @Test("a result that the disk does not take in time is told as late, and taken all the same")
  func lateResult() throws {
    let daemon = measuring()
    daemon.isDiskStalled = true
    daemon.happen(news(.ended(.success(Self.record))))
    daemon.ask(SoundMethods.Stop(), from: Self.other)
    #expect(daemon.state.test != nil, "what is measured is not ended")
    daemon.pass(2)
    #expect(failure(daemon)?.message.contains("The request is carried out when it answers") == true)
    #expect(daemon.state.test == nil)
    #expect(daemon.state.feedbackReport.notes.first?.contains("result that is not on the disk") == true)
    daemon.releaseDisk()
    #expect(daemon.state.feedback.record == Self.record && notices(daemon).isEmpty)
    #expect(daemon.state.feedbackReport.notes.isEmpty && daemon.state.report.procedure == nil)
  }

  @Test("a result that the disk refuses is told to the caller, the status and the log")
  func refusedResult() throws {
    let daemon = measuring()
    // A file cannot take the place of a folder that is not empty.
    try FileManager.default.createDirectory(
      atPath: folder.file("state/feedback.json/full"), withIntermediateDirectories: true)
    daemon.happen(news(.ended(.success(Self.record))))
    #expect(failure(daemon) != nil && daemon.state.test == nil && daemon.state.feedback.record.isEmpty)
    let report = try #require(daemon.state.report.procedure)
    #expect(
      report.endedUnixSeconds == 100 && report.reason?.hasPrefix("its result is not on the disk: ") == true)
    let note = try #require(daemon.state.feedbackReport.notes.first)
    #expect(note.contains("The feedback test of process 71 has a result that is not on the disk."))
    #expect(daemon.log.contains { $0.contains("has a result that is not on the disk") })
  }

  /// Each end from outside: what happens, what the caller is told, and the state then.
  private static let ends: [(name: String, event: Event, told: String, state: StatusReport.State.Name)] = [
    ("gone", .control(.gone(caller)), "it was ended from outside", .running),
    ("other", ask(FeedbackMethods.Stop()), "process 72 ended it", .running),
    ("mute", ask(SoundMethods.Mute()), "the aid was muted meanwhile", .muted),
    ("stop", ask(SoundMethods.Stop()), "the aid was stopped meanwhile", .stopped),
    ("shutdown", ask(SoundMethods.Shutdown()), "the aid was stopped meanwhile", .stopped),
    ("SIGTERM", .signal(SIGTERM), "the aid was stopped meanwhile", .stopped),
    ("socket", .socketLost, "the aid was stopped meanwhile", .stopped),
    (
      "device", .test(1, .ended(.failure(.device("the sound device stopped working")))),
      "the sound device stopped working", .running
    ),
    (
      "noise", .test(1, .ended(.failure(.microphoneSilent(.left)))),
      "nothing but zeros from the left microphone", .running
    ),
    ("thread", .soundRefused("none left"), "no audio thread can be made: none left", .faulted),
  ]

  private static func ask(_ method: any ControlMethod) -> Event {
    .control(.request(80, method, from: other))
  }

  @Test(
    "each end: the caller and the status are told the reason, and nothing of it is taken",
    arguments: 0..<ends.count)
  func ended(index: Int) throws {
    let (name, event, reason, state) = Self.ends[index]
    let daemon = measuring()
    daemon.happen(event)
    #expect(hasEnded(daemon) && daemon.state.test == nil, "\(name)")
    #expect(failure(daemon)?.message.contains(reason) == true, "\(name)")
    #expect(daemon.state.state.name == state, "\(name)")
    let note = try #require(daemon.state.feedbackReport.notes.first)
    #expect(note.hasSuffix("The feedback test of process 71 broke off: \(reason). Nothing of it is kept."))
    let report = try #require(daemon.state.report.procedure)
    #expect(report.reason == reason && report.endedUnixSeconds == 100 && report.pid == 71)
    let isBack = daemon.log.contains { $0.contains("What sounded before sounds again.") }
    #expect(isBack == (state == .running), "\(name)")
    // A measurement that was complete in the same moment is not taken.
    daemon.happen(news(.ended(.success(Self.record))))
    #expect(daemon.state.feedback.record.isEmpty && notices(daemon).isEmpty)
    // It has ended once.
    daemon.happen(.control(.gone(Self.caller)))
    #expect(!hasEnded(daemon))
  }

  @Test("the reason stays until the next test or until what was measured is changed")
  func note() {
    let daemon = measuring()
    daemon.happen(.control(.gone(Self.caller)))
    daemon.pass(1000)
    #expect(daemon.state.feedbackReport.notes.count == 1)
    daemon.ask(FeedbackMethods.Clear(), from: Self.other)
    #expect(daemon.state.feedbackReport.notes.isEmpty && daemon.state.report.procedure == nil)
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    daemon.happen(.control(.gone(Self.caller)))
    daemon.ask(FeedbackMethods.Measure(), from: Self.other)
    #expect(daemon.state.feedbackReport.notes.isEmpty)
  }

  @Test("ended by its caller, what sounded before sounds again, and nothing is said of it")
  func cancelled() throws {
    let daemon = measuring()
    let answer = try #require(daemon.ask(FeedbackMethods.Stop(), from: Self.caller)).get()
    #expect(answer.state.name == .running && hasEnded(daemon))
    #expect(failure(daemon)?.message == "feedback test: ended before there was a result.")
    #expect(daemon.state.feedbackReport.notes.isEmpty && daemon.state.report.procedure == nil)
    // Nothing is under way any more.
    #expect(daemon.ask(FeedbackMethods.Stop(), from: Self.other) != nil && !hasEnded(daemon))
  }

  @Test("news of a test that has ended are not those of the next one")
  func stale() {
    let daemon = measuring()
    daemon.ask(FeedbackMethods.Stop(), from: Self.caller)
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    daemon.happen(news(.ended(.failure(.cancelled))))
    #expect(daemon.state.test?.number == 3 && notices(daemon).isEmpty)
    daemon.happen(news(.progress(FeedbackNotice(share: 0.2)), of: 3))
    #expect(notices(daemon) == [FeedbackNotice(share: 0.2)])
  }

  @Test("a stopped daemon opens its devices for the test alone, and gives them back")
  func silentBefore() {
    let daemon = Timeline()
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    #expect(daemon.orders == [.startSilently] && daemon.state.state.name == .stopped)
    #expect(daemon.state.report.procedure != nil)
    daemon.engine(.running)
    #expect(daemon.state.state.name == .stopped)
    daemon.happen(.control(.gone(Self.caller)))
    #expect(daemon.orders == [.requestStop])
    daemon.engine(.stopped)
    #expect(daemon.orders == [.join] && daemon.state.state.name == .stopped)
  }

  @Test("sound that is asked for meanwhile comes when the test has ended")
  func started() {
    let daemon = Timeline()
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    daemon.engine(.running)
    daemon.ask(SoundMethods.Start(), from: Self.other)
    #expect(daemon.orders == [.start] && !hasEnded(daemon))
    #expect(daemon.state.state.name == .waitingForDevice)
    daemon.engine(.running)
    daemon.happen(news(.ended(.failure(.dropOuts))))
    #expect(daemon.orders == [] && daemon.state.state.name == .running)
  }

  @Test("devices that are waited for are tried at once, and a thread that does not end is waited for 2 s")
  func opening() {
    let daemon = running()
    daemon.engine(.waitingForDevice(reason: "none there"))
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    #expect(daemon.orders == [.requestStop] && notices(daemon).isEmpty)
    daemon.engine(.stopped)
    #expect(daemon.orders == [.join, .start] && notices(daemon) == [FeedbackNotice(share: 0)])
    let held = running()
    held.ask(SoundMethods.Stop(), from: Self.other)
    held.ask(FeedbackMethods.Measure(), from: Self.caller)
    held.pass(1.9)
    #expect(held.state.test?.phase == .opening)
    held.pass(0.2)
    #expect(failure(held)?.message.contains("does not close") == true && held.state.test == nil)
  }

  @Test("a muted daemon measures, and is muted then; unmuted meanwhile it sounds then")
  func muted() {
    let daemon = running()
    daemon.ask(SoundMethods.Mute(), from: Self.other)
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    #expect(notices(daemon).count == 1 && daemon.state.state.isMuted)
    daemon.happen(news(.ended(.failure(.dropOuts)), of: 2))
    #expect(daemon.state.state.name == .muted)
    daemon.ask(FeedbackMethods.Measure(), from: Self.caller)
    daemon.ask(SoundMethods.Unmute(), from: Self.other)
    #expect(daemon.state.test != nil)
  }

  @Test("program, volume and tone go on being turned; they are heard when the test has ended")
  func turned() throws {
    let daemon = measuring()
    _ = try #require(daemon.ask(ProgramMethods.Use("music"), from: Self.other)).get()
    #expect(daemon.state.heard.program == .music && daemon.state.test != nil && !hasEnded(daemon))
  }

  @Test("a daemon that ends with its sound stays for the test")
  func stays() {
    let daemon = measuring(endsWhenStopped: true)
    #expect(daemon.state.ending == nil)
    daemon.happen(.control(.gone(Self.caller)))
    #expect(daemon.state.ending == nil && daemon.state.state.name == .running)
  }

  @Test("on the way to the end none is begun")
  func ending() throws {
    let daemon = running()
    daemon.ask(SoundMethods.Shutdown(), from: Self.other)
    let answer = try #require(daemon.ask(FeedbackMethods.Measure(), from: Self.caller))
    #expect(throws: Failure.self) { try answer.get() }
  }
}
