import Acoustics
import Base
import CommonTesting
import Control
import Engine
import Fitting
import Glibc
import Prescriptions
import Testing

@testable import HearingDSP
@testable import Service

/// Debug mode: temporary, limited, shown, audited, and gone with whatever ends it.
@Suite("Debug mode on a timeline") struct DebugTimelineTests {
  private static let caller = peer(RoleGrant(role: .audiologist, means: "PAM", due: 700))
  private static let other = Peer(processID: 72, userID: 1001, groupID: 1000, connection: 2)
  private let folder = TemporaryFolder()

  private static func peer(_ grant: RoleGrant) -> Peer {
    var peer = Peer(processID: 71, userID: 1000, groupID: 1000, connection: 1)
    (peer.roles, peer.grant) = ([grant.role], grant)
    return peer
  }

  /// One whose sound flows, fitted.
  private func running(endsWhenStopped: Bool = false) -> Timeline {
    let disk = ServiceDisk(
      folder: folder.file("state"), store: PrescriptionStore(folder: folder.file("book"))
    ) { .success(.defaults) }
    let configured = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
    let daemon = Timeline(
      ServiceState(.init(started: .at(100), endsWhenStopped: endsWhenStopped), configured: configured),
      disk: disk)
    daemon.happen(.begin)
    daemon.engine(.running)
    return daemon
  }

  /// One in debug mode, with noise reduction left out.
  private func debugging() throws -> Timeline {
    let daemon = running()
    try ask(daemon, DebugMethods.Begin(seconds: 60))
    try ask(daemon, DebugMethods.Stage("noise-reduction", on: false))
    return daemon
  }

  @discardableResult private func ask<Method: ControlMethod>(
    _ daemon: Timeline, _ method: Method, from peer: Peer = caller
  ) throws -> Method.Reply { try #require(daemon.ask(method, from: peer)).get() }

  private func refusal<Method: ControlMethod>(
    _ daemon: Timeline, _ method: Method, from peer: Peer = caller
  ) -> Failure? {
    if case .failure(let failure) = daemon.ask(method, from: peer) { failure } else { nil }
  }

  /// Sound with levels at microphone and earphone, dB SPL, for a time.
  private func sound(_ daemon: Timeline, _ input: Double, _ output: Double, seconds: Double = 4) {
    for _ in 0..<Int(seconds * 20) {
      daemon.now += 0.05
      daemon.engine(.running) {
        $0.devices = MeasuredFeedbackTests.devices()
        $0.reading.meters.frames += 2205
        for ear in [\ChainMeters.left, \.right] {
          $0.reading.meters[keyPath: ear].inputPower = Float(pow(10, input / 10))
          $0.reading.meters[keyPath: ear].outputPower = Float(pow(10, output / 10))
        }
      }
    }
  }

  // MARK: - In it

  @Test("a change is heard at once, ramped, and told by status and answers; the end takes it back")
  func change() throws {
    let daemon = running()
    let former = daemon.state.heard
    let begun = try ask(daemon, DebugMethods.Begin())
    #expect(begun.debug?.untilUnixSeconds == 700 && begun.debug?.changes == [])
    #expect(daemon.state.report.debug?.pid == 71)
    let answer = try ask(daemon, DebugMethods.Set("threshold", to: 5, ear: .right, at: 2000))
    #expect(answer.debug?.changes == ["right ear, 2000 Hz: threshold +5 dB"])
    #expect(daemon.applied?.debug?.thresholds.right == [2000: 5])
    #expect((daemon.applied?.transition ?? 0) >= ProgramPace.bySwitch)
    try ask(daemon, DebugMethods.Set("attack", to: 0.01))
    let stage = try ask(daemon, DebugMethods.Stage("feedback-canceller", on: false))
    #expect(stage.message.contains("Caution: without the canceller whistling is nearer"))
    let words = ["right ear, 2000 Hz: threshold +5 dB", "attack 10 ms", "without feedback canceller"]
    #expect(stage.debug?.changes == words)
    let text = StatusText(daemon.state.report).text
    #expect(text.contains("Debug mode") && words.allSatisfy { text.contains($0) })
    #expect(try ask(daemon, DebugMethods.Show(), from: Self.other).debug == daemon.state.report.debug)
    // Taken back one by one.
    try ask(daemon, DebugMethods.Set("threshold", to: nil, ear: .right, at: 2000))
    try ask(daemon, DebugMethods.Set("attack", to: nil))
    #expect(try ask(daemon, DebugMethods.Stage("feedback-canceller", on: true)).debug?.changes == [])
    #expect(daemon.applied?.debug == nil)
    try ask(daemon, DebugMethods.Stage("compression", on: false))
    try ask(daemon, DebugMethods.End())
    #expect(daemon.applied != nil && daemon.applied?.debug == nil && daemon.state.report.debug == nil)
    for ear in Ear.allCases {
      #expect(try daemon.state.heard.fitting(for: ear) == former.fitting(for: ear))
    }
    #expect(daemon.log.contains { $0.contains("debug mode began: user 1000, process 71") })
    #expect(daemon.log.contains("notice: debug mode ended: on command"))
  }

  @Test("program, volume and measured feedback go on being heard in it")
  func otherChanges() throws {
    let daemon = try debugging()
    try ask(daemon, ProgramMethods.Use("music"), from: Self.other)
    #expect(
      daemon.state.heard.program == .music && daemon.state.heard.debug?.stagesOff == [.noiseReduction])
  }

  @Test("both settings are compared equally loud: the louder one is turned down, 6 dB at most")
  func compare() throws {
    let daemon = running()
    try ask(daemon, DebugMethods.Begin())
    #expect(refusal(daemon, DebugMethods.Compare())?.message.contains("nothing is changed") == true)
    sound(daemon, 65, 80)
    try ask(daemon, DebugMethods.Stage("noise-reduction", on: false))
    let early = try ask(daemon, DebugMethods.Compare("prescribed"))
    #expect(early.debug?.heard == "prescribed" && early.debug?.levelDifferenceDB == nil)
    #expect(early.message.contains("Not matched in level") && daemon.applied?.debug == nil)
    try ask(daemon, DebugMethods.Compare("changed"))
    daemon.now += 5
    sound(daemon, 65, 83)
    let first = try ask(daemon, DebugMethods.Compare())
    #expect(first.debug?.heard == "prescribed" && first.debug?.levelDifferenceDB == 3)
    #expect(first.debug?.turnedDownDB == 0 && daemon.applied?.debug == nil)
    let second = try ask(daemon, DebugMethods.Compare())
    #expect(second.debug?.heard == "changed" && second.debug?.turnedDownDB == 3)
    #expect(abs((daemon.applied?.debug?.attenuation ?? 0) - 3) < 0.01)
    #expect(second.message.contains("The changed setting is 3.0 dB louder; that is taken away"))
    // What is taken away does not count as softer.
    daemon.now += 5
    sound(daemon, 65, 80, seconds: 30)
    #expect(try ask(daemon, DebugMethods.Compare("changed")).debug?.turnedDownDB == 3)
    // 15 dB softer: the prescribed one gives way, by no more than 6 dB; a new change is measured anew.
    try ask(daemon, DebugMethods.Stage("compression", on: false))
    daemon.now += 5
    sound(daemon, 65, 65, seconds: 6)
    let third = try ask(daemon, DebugMethods.Compare("prescribed"))
    #expect(third.debug?.levelDifferenceDB == -15 && third.debug?.turnedDownDB == 6)
    #expect(daemon.applied?.debug?.stagesOff == [] && daemon.applied?.debug?.attenuation == 6)
    #expect(try ask(daemon, DebugMethods.Compare()).debug?.turnedDownDB == 0)
  }

  @Test(
    "what was measured before program or volume were changed is not compared with what is heard since",
    arguments: [true, false])
  func otherConditions(isVolume: Bool) throws {
    let daemon = running()
    try ask(daemon, DebugMethods.Begin())
    sound(daemon, 65, 80)
    try ask(daemon, DebugMethods.Stage("noise-reduction", on: false))
    daemon.now += 5
    sound(daemon, 65, 83)
    if isVolume {
      try ask(daemon, ProgramMethods.Volume(.by(-2)), from: Self.other)
    } else {
      try ask(daemon, ProgramMethods.Use("music"), from: Self.other)
    }
    #expect(try ask(daemon, DebugMethods.Compare()).message.contains("Not matched in level"))
    // Measured since, they are.
    daemon.now += 10
    sound(daemon, 65, 78)
    try ask(daemon, DebugMethods.Compare())
    daemon.now += 10
    sound(daemon, 65, 81)
    #expect(try ask(daemon, DebugMethods.Compare()).debug?.levelDifferenceDB == 3)
  }

  @Test("a reading counts once, however often it is looked at")
  func sameReading() throws {
    let daemon = running()
    try ask(daemon, DebugMethods.Begin())
    sound(daemon, 65, 80, seconds: 1)
    // Ten seconds in which the engine shows no other.
    for _ in 0..<200 {
      daemon.now += 0.05
      daemon.engine(.running)
    }
    try ask(daemon, DebugMethods.Stage("noise-reduction", on: false))
    daemon.now += 5
    sound(daemon, 65, 83)
    #expect(try ask(daemon, DebugMethods.Compare()).message.contains("Not matched in level"))
  }

  // MARK: - Ends

  private static func ask(_ method: any ControlMethod) -> Event {
    .control(.request(80, method, from: other))
  }

  /// Each end from outside, and its reason.
  private static let ends: [(event: Event, reason: String)] = [
    (.control(.gone(caller)), "its connection has ended"),
    (ask(DebugMethods.End()), "process 72 ended it"), (ask(SoundMethods.Mute()), "the aid was muted"),
    (ask(SoundMethods.Stop()), "the aid was stopped"),
    (ask(SoundMethods.Shutdown()), "the aid was stopped"),
    (.signal(SIGTERM), "the aid was stopped"), (.signal(SIGHUP), "the configuration was read again"),
    (ask(SoundMethods.Reload()), "the configuration was read again"),
    (.control(.request(80, RoleMethods.End(), from: caller)), "its role was given back"),
    (.socketLost, "the aid was stopped"), (.soundRefused("none left"), "the sound has a fault"),
    (.audio(AudioNotice(state: .faulted(reason: "r"))), "the sound has a fault"),
  ]

  @Test("each end takes the changes back at once, and is logged with its reason", arguments: 0..<ends.count)
  func ended(index: Int) throws {
    let (event, reason) = Self.ends[index]
    let daemon = try debugging()
    daemon.happen(event)
    #expect(daemon.state.debug == nil && daemon.state.heard.debug == nil, "\(reason)")
    #expect(daemon.applied != nil && daemon.applied?.debug == nil, "\(reason)")
    #expect(daemon.log.contains("notice: debug mode ended: \(reason)"), "\(reason)")
  }

  @Test("it ends at its time, also over a sleep of the machine, and not with another connection")
  func time() throws {
    let daemon = try debugging()
    daemon.happen(.control(.gone(Self.other)))
    daemon.pass(59)
    #expect(daemon.state.debug != nil)
    daemon.pass(1.1)
    #expect(daemon.state.debug == nil && daemon.applied?.debug == nil && daemon.applied != nil)
    #expect(daemon.log.contains("notice: debug mode ended: its time is over"))
    #expect(refusal(daemon, DebugMethods.Show()) == nil)
    #expect(
      refusal(daemon, DebugMethods.Stage("expansion", on: false))?.message.contains("Debug mode is off")
        == true)
  }

  @Test(
    "it lasts no longer than the role, and somebody without a role is told that it is on, not what it changes"
  )
  func role() throws {
    let daemon = running()
    let short = Self.peer(RoleGrant(role: .developer, means: "PAM", due: 130))
    let answer = try ask(daemon, DebugMethods.Begin(seconds: 600), from: short)
    #expect(answer.debug?.role == "developer" && answer.debug?.untilUnixSeconds == 130)
    try ask(daemon, DebugMethods.Stage("expansion", on: false), from: short)
    let told = try ask(daemon, ReportMethods.Status(), from: Self.other)
    #expect(told.debug?.role == "developer" && told.debug?.changes == [])
    daemon.pass(30)
    #expect(daemon.state.debug == nil)
  }

  @Test("ten minutes, of which a moment went by since the proof of the role, are told as ten at most")
  func longestTime() throws {
    let peer = Self.peer(RoleGrant(role: .developer, means: "PAM", due: 699.75))
    let answer = try ask(running(), DebugMethods.Begin(seconds: 600), from: peer)
    #expect(answer.message.hasPrefix("Debug mode is on for 10 min at most."))
    #expect(answer.debug?.untilUnixSeconds == 699.75)
  }

  @Test("another prescription ends it")
  func prescription() throws {
    let daemon = try debugging()
    let clinic = try CardMaker()
    let identity = clinic.key.identity
    _ = try ask(
      daemon, TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
    let card = try clinic.prescription(1)
    let preview = try ask(daemon, PrescriptionMethods.Look(card: card))
    #expect(daemon.state.debug != nil)
    _ = try ask(daemon, PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
    #expect(daemon.state.debug == nil && daemon.state.heard.debug == nil)
    #expect(daemon.log.contains("notice: debug mode ended: the prescription changed"))
  }

  // MARK: - Audit

  @Test("beginning and end are in the audit trail with who it was; without the note it does not stay")
  func audit() throws {
    let daemon = running()
    let identity = try CardMaker().key.identity
    _ = try ask(
      daemon, TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
    try ask(daemon, DebugMethods.Begin(seconds: 60))
    daemon.happen(.control(.gone(Self.caller)))
    let lines = try ask(daemon, BookMethods.ShowAudit(count: 2)).lines
    #expect(lines.map(\.action) == ["debug-began", "debug-ended"])
    #expect(lines[0].subject == "60 s" && lines[0].uid == 1000 && lines[0].pid == 71)
    #expect(lines[0].role == "audiologist" && lines[0].proof == "PAM")
    #expect(lines[1].subject == "its connection has ended" && lines[1].role == "audiologist")
    // A book that is opened again has them.
    daemon.disk?.store.close()
    #expect(try ask(daemon, BookMethods.VerifyAudit()).isWhole)
    // A disk that does not answer.
    daemon.isDiskStalled = true
    daemon.ask(DebugMethods.Begin(), from: Self.caller)
    #expect(!daemon.isAnswered)
    daemon.pass(2.1)
    daemon.pass(0.1)
    #expect(daemon.state.debug == nil)
  }

  // MARK: - Refused

  @Test("what is not there, out of range or somebody else's is refused and changes nothing")
  func refused() throws {
    let daemon = try debugging()
    let refusals: [(any ControlMethod, String)] = [
      (DebugMethods.Set("threshold", to: 25, ear: .left, at: 1000), "expected -20 to 20 dB"),
      (DebugMethods.Set("threshold", to: 5, ear: .left, at: 1234), "expected a measured one: 250"),
      (DebugMethods.Set("attack", to: 0.001), "expected 0.005 to 2 s"),
      (DebugMethods.Set("noise-reduction", to: 19), "expected 0 to"),
      (DebugMethods.Set("compression-ratio", to: 4), "expected 1 to 3"),
      (DebugMethods.Stage("tinnitus-sound", on: false), "nothing of it in the prescription"),
      (DebugMethods.Begin(), "another one, process 71"),
    ]
    let former = daemon.state.debug?.settings
    for (method, words) in refusals {
      daemon.happen(.control(.request(90, method, from: Self.caller)))
      guard case .failure(let failure) = daemon.answers[90] else {
        Issue.record("\(method) was carried out")
        continue
      }
      #expect(failure.message.contains(words), "\(failure.message)")
      #expect(daemon.applied == nil && daemon.state.debug?.settings == former)
    }
    #expect(
      refusal(daemon, DebugMethods.Stage("expansion", on: false), from: Self.other)?.message.contains(
        "the one of process 71") == true)
    let names: [any ControlMethod] = [
      DebugMethods.Set("atack", to: 1), DebugMethods.Stage("echo", on: false),
      DebugMethods.Set("threshold", to: 1), DebugMethods.Set("attack", to: 1, ear: .left, at: 1000),
      DebugMethods.Compare("both"),
    ]
    for method in names { #expect(throws: ControlFailure.self) { try method.check() } }
  }

  @Test("without sound there is nothing to begin with")
  func noSound() {
    let daemon = running()
    daemon.ask(SoundMethods.Mute())
    daemon.engine(.muted)
    #expect(refusal(daemon, DebugMethods.Begin())?.message.contains("expected sound that flows") == true)
    #expect(daemon.state.debug == nil)
  }
}
