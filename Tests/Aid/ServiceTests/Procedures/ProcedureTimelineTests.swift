import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Procedures
import Testing

@testable import Engine
@testable import Service

/// A hearing test or a match under way in the daemon, and the sound that comes back after it.
@Suite("Procedure on a timeline") struct ProcedureTimelineTests {
  static let caller = Peer(processID: 71, userID: 0, groupID: 0, connection: 1)
  static let other = Peer(processID: 72, userID: 0, groupID: 0, connection: 2)
  /// An audiologist who is not the wearer, by a role that ends 30 s after the daemon has begun.
  static let audiologist = {
    var peer = Peer(processID: 73, userID: 1001, groupID: 51, connection: 3)
    peer.roles = [.audiologist]
    peer.grant = RoleGrant(role: .audiologist, means: "PAM", due: 130)
    return peer
  }()
  let folder = TemporaryFolder()

  func grants(_ daemon: Timeline) -> [RoleGrant?] {
    daemon.effects.compactMap { if case .grant(_, let grant) = $0 { .some(grant) } else { nil } }
  }

  func running(
    isCalibrated: Bool = true, by calibration: OutputCalibration = RecordedProcedure.calibration
  ) -> Timeline {
    let disk = ServiceDisk(
      folder: folder.file("state"), store: PrescriptionStore(folder: folder.file("book"))
    ) { .success(.defaults) }
    var hearing = HearingSettings()
    if isCalibrated { hearing.earphones = calibration }
    let daemon = Timeline(ServiceState(.init(started: .at(100)), configured: hearing), disk: disk)
    daemon.happen(.begin)
    daemon.engine(.running)
    return daemon
  }

  static func devices(playback name: String) -> AidDevices {
    let format = StreamFormat(rate: 48_000, channels: 2, format: .float32, period: 64, buffer: 192)
    return AidDevices(captureName: "c", playbackName: name, capture: format, playback: format, period: 64)
  }

  func notices(_ daemon: Timeline) -> [ProcedureNotice] {
    daemon.effects.compactMap {
      if case .tellProcedure(Self.caller, let notice) = $0 { notice } else { nil }
    }
  }

  func refusal<Method: ControlMethod>(
    _ daemon: Timeline, _ method: Method, from peer: Peer = caller
  ) -> Failure? {
    if case .failure(let failure)? = daemon.ask(method, from: peer) { failure } else { nil }
  }

  var start: ProcedureMethods.Start { ProcedureMethods.Start(ProcedureOrder(.hearingTest)) }

  @Test("it is begun where the audio thread is open, says so, and is the only one")
  func begun() throws {
    let daemon = running()
    let answer = try #require(daemon.ask(start, from: Self.caller)).get()
    #expect(answer.state.reason == "a measurement is under way, process 71; sound comes back when it ends")
    let begun = daemon.effects.compactMap {
      if case .carryOut(let number, let commission) = $0 { (number, commission) } else { nil }
    }
    #expect(begun.map(\.0) == [1] && begun.first?.1.earphones == RecordedProcedure.calibration)
    let failure = refusal(daemon, FeedbackMethods.Measure(), from: Self.other)
    #expect(
      failure?.message
        == "feedback test: found a hearing test under way, process 71, expected one at a time. Wait for its end."
    )
    var notice = ProcedureNotice("r", .sounding, share: 0.3)
    notice.question = .detection
    daemon.happen(.procedure(1, .notice(notice)))
    #expect(notices(daemon) == [notice] && daemon.state.report.procedure?.share == 0.3)
    daemon.happen(.procedure(1, .ended(nil)))
    #expect(daemon.state.test == nil && daemon.state.state.name == .running)
    #expect(daemon.state.report.procedure == nil)
  }

  @Test(
    "neither the state nor the service manager's line says which procedure it is: everybody may read both",
    arguments: ProcedureOrder.Name.allCases)
  func namedForNobody(_ name: ProcedureOrder.Name) throws {
    let daemon = running()
    _ = try #require(daemon.ask(ProcedureMethods.Start(ProcedureOrder(name)), from: Self.caller)).get()
    let lines = daemon.notices.compactMap { if case .status(let line) = $0 { line } else { nil } }
    let reason = try #require(daemon.state.report.withoutHearing.state.reason)
    #expect(lines.count == 1 && reason.contains("process 71"))
    for words in ProcedureOrder.Name.allCases.flatMap({ [$0.words, $0.rawValue] }) {
      #expect(!(lines + [reason]).contains { $0.contains(words) }, "\(words)")
    }
    // Whoever has a role is told.
    #expect(daemon.state.report.procedure?.name == name.rawValue)
  }

  @Test("keys are handed on for the connection that began it alone")
  func keys() throws {
    let daemon = running()
    #expect(refusal(daemon, ProcedureMethods.Answer(.heard))?.exitStatus == .unavailable)
    daemon.ask(start, from: Self.caller)
    daemon.ask(ProcedureMethods.Answer(.turn, -5), from: Self.caller)
    let keys = daemon.effects.compactMap { if case .key(let key) = $0 { key } else { nil } }
    #expect(keys == [ProcedureKey(.turn, value: -5)])
    #expect(refusal(daemon, ProcedureMethods.Answer(.heard), from: Self.other)?.exitStatus == .noPermission)
    #expect(!daemon.effects.contains { if case .key = $0 { true } else { false } })
  }

  @Test(
    "mute, stop, another prescription, the end of its connection and a fault end it: silence, then what sounded before, and its record can be gone on with"
  )
  func ends() throws {
    let causes: [(Timeline) -> Void] = [
      { $0.ask(SoundMethods.Mute(), from: Self.other) },
      { $0.ask(SoundMethods.Stop(), from: Self.other) },
      { $0.happen(.control(.gone(Self.caller))) },
      { $0.ask(ProcedureMethods.Stop(), from: Self.other) },
      { $0.ask(ProcedureMethods.Stop(), from: Self.caller) },
      { $0.happen(.procedure(1, .ended(Failure("state folder", found: "no room", exit: .cannotCreate)))) },
    ]
    for cause in causes {
      let daemon = running()
      daemon.ask(start, from: Self.caller)
      daemon.happen(.procedure(1, .notice(ProcedureNotice("r7", .sounding, share: 0.5))))
      cause(daemon)
      #expect(daemon.state.test == nil)
      #expect(daemon.effects.contains { if case .endTest = $0 { true } else { false } })
      let last = try #require(notices(daemon).last)
      #expect(last.phase == .broken && last.record == "r7" && last.error != nil)
      // News that come late are not taken.
      daemon.happen(.procedure(1, .notice(ProcedureNotice("r7", .sounding, share: 0.6))))
      #expect(notices(daemon).isEmpty)
    }
  }

  @Test("a muted, faulted or uncalibrated aid says what has to be done first")
  func readiness() throws {
    let uncalibrated = running(isCalibrated: false)
    #expect(
      refusal(uncalibrated, start)?.remedy?.hasPrefix("Calibrate it first: auricle calibrate earphone")
        == true)
    let exchanged = running()
    var device = RecordedProcedure.calibration.device
    device.identity = DeviceIdentity([DeviceProduct(.usb, vendor: 0x46D, product: 0xA4D)])
    exchanged.state.configured.earphones = RecordedProcedure.calibration.with(
      device, transducer: RecordedProcedure.calibration.transducer)
    exchanged.happen(.found(FoundDevices(earphone: DeviceIdentity([], name: "HDA Intel PCH"))))
    #expect(
      refusal(exchanged, start)?.message.contains(
        "found a calibration that does not count: sound goes to HDA Intel PCH, and it was made with usb:v046Dp0A4D, "
          + "expected usb:v046Dp0A4D. Connect that one, or calibrate this one: auricle calibrate earphone")
        == true)
    let muted = running()
    muted.ask(SoundMethods.Mute(), from: Self.caller)
    #expect(refusal(muted, start)?.remedy == "Take the mute back first: auricle unmute")
    let faulted = running()
    faulted.engine(.faulted(reason: "the device plays no sound"))
    #expect(refusal(faulted, start)?.found.contains("the device plays no sound") == true)
  }

  @Test(
    "a record is gone on with without listening to the room where that is asked for, and an order says it itself"
  )
  func withoutRoom() throws {
    for isLeftOut in [false, true] {
      let daemon = running()
      daemon.ask(ProcedureMethods.Start(resuming: "r", withoutRoom: isLeftOut), from: Self.caller)
      let commissions = daemon.effects.compactMap {
        if case .carryOut(_, let commission) = $0 { commission } else { nil }
      }
      #expect(commissions.map(\.hearsRoom) == [!isLeftOut])
    }
    let failure = #expect(throws: ControlFailure.self) {
      try ProcedureMethods.Start(
        parameters: ["order": ["name": "loudness", "ear": "left"], "without_room": true])
    }
    #expect(
      failure?.message == "without_room: found it beside an order, expected an order without 'room'.")
    #expect(throws: Never.self) {
      try ProcedureMethods.Start(
        parameters: ["order": ["name": "loudness", "ear": "left"], "without_room": false])
    }
  }

  @Test("tones above 90 dB HL are the audiologist's")
  func highest() throws {
    var order = ProcedureOrder(.hearingTest)
    order.highest = 100
    let daemon = running()
    #expect(refusal(daemon, ProcedureMethods.Start(order))?.exitStatus == .noPermission)
    var audiologist = Self.caller
    audiologist.roles = [.audiologist]
    #expect(refusal(daemon, ProcedureMethods.Start(order), from: audiologist) == nil)
  }

  @Test("the role that it needs lasts until it is over, and ends at its own time then")
  func heldRole() throws {
    let ends: [(Timeline) -> Void] = [
      { $0.happen(.procedure(1, .ended(nil))) },
      { $0.ask(ProcedureMethods.Stop(), from: Self.audiologist) },
      { $0.ask(SoundMethods.Mute(), from: Self.other) },
    ]
    for end in ends {
      let daemon = running()
      let moment = daemon.state.now.monotonic
      daemon.ask(start, from: Self.audiologist)
      #expect(grants(daemon) == [Self.audiologist.grant?.held(from: moment)])
      daemon.pass(1000)
      #expect(daemon.state.test != nil && grants(daemon).isEmpty)
      end(daemon)
      #expect(daemon.state.test == nil && grants(daemon) == [Self.audiologist.grant])
    }
  }

  @Test("nor longer than an hour: what is paused then, and goes on for ever, ends with the role")
  func longestRole() throws {
    let daemon = running()
    daemon.ask(start, from: Self.audiologist)
    daemon.pass(3599)
    #expect(daemon.state.test != nil)
    daemon.pass(2)
    #expect(daemon.state.test == nil)
    #expect(daemon.state.report.procedure?.reason?.contains("the role of its client has ended") == true)
  }

  @Test("a role that is given back, or that a sleep of the machine ends, ends the procedure that needs it")
  func endedRole() throws {
    let daemon = running()
    daemon.ask(start, from: Self.audiologist)
    daemon.ask(RoleMethods.End(), from: Self.audiologist)
    #expect(daemon.state.test == nil && grants(daemon) == [nil])
    #expect(daemon.state.report.procedure?.reason?.contains("the role of its client has ended") == true)
    let asleep = running()
    asleep.ask(start, from: Self.audiologist)
    asleep.sleep(10)
    #expect(asleep.state.test == nil && grants(asleep).isEmpty)
  }

  @Test("a wearer's own procedure needs no role but for tones that are the audiologist's")
  func unneededRole() throws {
    var wearer = Self.audiologist
    wearer.roles = [.audiologist, .wearer]
    let own = running()
    own.ask(start, from: wearer)
    #expect(grants(own).isEmpty)
    own.ask(RoleMethods.End(), from: wearer)
    #expect(own.state.test != nil)
    var order = ProcedureOrder(.hearingTest)
    order.highest = 110
    let loud = running()
    let moment = loud.state.now.monotonic
    loud.ask(ProcedureMethods.Start(order), from: wearer)
    #expect(grants(loud) == [wearer.grant?.held(from: moment)])
    loud.ask(RoleMethods.End(), from: wearer)
    #expect(loud.state.test == nil)
  }

  @Test("the end of a feedback test that somebody asks for does not end it")
  func otherEnd() {
    let daemon = running()
    daemon.ask(start, from: Self.caller)
    daemon.ask(FeedbackMethods.Stop(), from: Self.other)
    #expect(daemon.state.test != nil)
  }

  @Test("an order and a record to go on with exclude each other, and one is needed")
  func parameters() {
    #expect(throws: ControlFailure.self) { try ProcedureMethods.Start(parameters: .object([])) }
    #expect(throws: ControlFailure.self) {
      try ProcedureMethods.Start(parameters: ["order": ["name": "loudness"], "resume": "x"])
    }
    #expect(throws: ControlFailure.self) {
      try ProcedureMethods.Start(parameters: ["order": ["name": "shout"]])
    }
    #expect(throws: ControlFailure.self) { try ProcedureMethods.Answer(parameters: ["key": "shout"]) }
    #expect(throws: ControlFailure.self) { try ProcedureMethods.Answer(parameters: ["key": "turn"]) }
    #expect(throws: ControlFailure.self) {
      try ProcedureMethods.Answer(parameters: ["key": "turn", "value": 5000])
    }
  }
}
