import Acoustics
import Base
import CommonTesting
import Control
import Engine
import Prescriptions
import Synchronization
import Testing

@testable import Service

@Suite("A clinic's device on a timeline") struct DeviceTimelineTests {
  private let folder = TemporaryFolder()
  private let clinic: CardMaker
  private let mark: DeviceMark
  private let daemon: Timeline
  private let machine = Machine()

  /// The mark of the machine and `control.owner`, as the daemon finds them.
  private final class Machine: Sendable {
    let standing = Mutex(DeviceStanding.own)
    let owner = Mutex(Configuration.Owner.wearer)
  }

  private static let root = {
    var peer = Peer(processID: 9, userID: 0, groupID: 0, connection: 5)
    peer.roles = [.operator]
    return peer
  }()
  private static let wearer = {
    var peer = Peer(processID: 8, userID: 1001, groupID: 50, connection: 6)
    peer.roles = [.wearer]
    return peer
  }()

  init() throws {
    clinic = try CardMaker()
    mark = DeviceMark(
      clinic: clinic.key.identity, device: .drawn, since: clinic.now, by: 1000, daemonUser: 900)
    var configured = HearingSettings()
    configured.audiograms = Binaural(both: StandardAudiogram.n4.audiogram)
    var facts = ServiceState.Facts(started: .now)
    facts.rule = AccessRule(userID: 900, groupID: 50)
    facts.standing = { [machine] in machine.standing.withLock { $0 } }
    let disk = ServiceDisk(folder: nil, store: PrescriptionStore(folder: folder.path + "/book")) {
      [machine] in
      let owner = machine.owner.withLock(\.rawValue)
      return Result { () throws(ConfigurationFailures) in
        try Configuration.reading([UInt8]("[control]\nowner = \"\(owner)\"\n".utf8), file: "/nowhere")
      }
    }
    daemon = Timeline(ServiceState(facts, configured: configured), disk: disk)
  }

  private func follow() throws -> DeviceAnswer {
    try #require(daemon.ask(DeviceMethods.Follow(), from: Self.root)).get()
  }

  private func handOver() throws -> DeviceAnswer {
    machine.standing.withLock { $0 = .clinics(mark) }
    machine.owner.withLock { $0 = .clinic }
    return try follow()
  }

  private func trail() throws -> [String] {
    try #require(daemon.ask(BookMethods.ShowAudit(count: 100), from: Self.root)).get().lines.map {
      "\($0.action) \($0.subject)"
    }
  }

  /// The clinic as the trail names it.
  private var key: String { "key \(mark.clinic.fingerprint.grouped.prefix(9))" }

  private var rules: [AccessRule] {
    daemon.effects.compactMap { if case .admit(let rule) = $0 { rule } else { nil } }
  }

  @Test(
    "until then the configuration's audiogram is heard, from then on not; the wearer runs nothing any more")
  func handedOver() throws {
    #expect(daemon.state.heard.fittedEars.count == 2)
    #expect(daemon.state.device.wearerIsOperator)
    let answer = try handOver()
    #expect(answer.clinic == "City Hearing Clinic" && answer.isFollowed && !answer.wearerIsOperator)
    #expect(answer.device == mark.device.text)
    #expect(daemon.state.heard.fittedEars.isEmpty)
    #expect(rules.map(\.owner) == [.clinic] && rules.map(\.clinic) == ["City Hearing Clinic"])
    #expect(try trail() == ["handed-over \(key), device \(mark.device)"])
    // Again: nothing more.
    _ = try follow()
    #expect(try trail().count == 1)
  }

  @Test("a card of the clinic is heard then, one of a clinic of the wearer's own is not")
  func prescribed() throws {
    _ = try handOver()
    for (maker, isHeard) in [(try CardMaker("Own Clinic"), false), (clinic, true)] {
      let card = try maker.prescription(1)
      let preview = try? daemon.ask(PrescriptionMethods.Look(card: card), from: Self.wearer)?.get()
      #expect((preview != nil) == isHeard)
      guard let preview else { continue }
      _ = try daemon.ask(
        PrescriptionMethods.Load(card: card, confirmation: preview.confirmation), from: Self.wearer)?.get()
      #expect(daemon.state.heard.fittedEars.count == 2)
    }
  }

  @Test(
    "an invented feedback path of the wearer's is not kept: the canceller would play by it; refused, noted")
  func inventedPath() throws {
    _ = try handOver()
    let before = try trail().count
    let paths = FeedbackRecord(left: FeedbackMethodTests.ear())
    let answer = try #require(daemon.ask(FeedbackMethods.Keep(paths), from: Self.wearer))
    #expect(throws: Failure.self) { try answer.get() }
    #expect(try trail().count == before + 1)
    #expect(daemon.state.feedback.record.isEmpty)
  }

  @Test("a configuration that gives the wearer everything back changes nothing: the mark is the stricter")
  func contradicted() throws {
    _ = try handOver()
    machine.owner.withLock { $0 = .wearer }
    #expect(try !follow().wearerIsOperator)
    // Nor does a mark that is taken away by hand: the book has the hand-over.
    machine.standing.withLock { $0 = .own }
    let answer = try follow()
    #expect(!answer.wearerIsOperator && answer.clinic == "City Hearing Clinic" && !answer.isFollowed)
    #expect(daemon.state.heard.fittedEars.isEmpty)
  }

  @Test("a mark that cannot be read is one: nothing by the configuration, nothing for the wearer to run")
  func unclear() throws {
    machine.standing.withLock { $0 = .unclear(Failure("mark", found: "nothing", exit: .configuration)) }
    let answer = try follow()
    #expect(answer.clinic == "a clinic" && !answer.wearerIsOperator && !answer.isFollowed)
    #expect(daemon.state.heard.fittedEars.isEmpty)
  }

  @Test("a pass returns it: while its mark stands it is a clinic's, then it is its owner's")
  func returned() throws {
    _ = try handOver()
    let pass = try clinic.key.sign(
      ReturnPass(serial: 7, device: mark.device, issued: clinic.now, expires: clinic.now + 3600)
    ).text
    // By whom it is not for, as a prescription.
    #expect(throws: Failure.self) {
      try daemon.ask(PrescriptionMethods.Look(card: pass), from: Self.wearer)?.get()
    }
    _ = try daemon.ask(DeviceMethods.Return(card: pass), from: Self.root)?.get()
    #expect(daemon.state.device.isReturned && !daemon.state.device.wearerIsOperator)
    #expect(daemon.state.heard.fittedEars.isEmpty)
    // A daemon that looks at a mark that still stands does not hand it over again.
    _ = try follow()
    #expect(daemon.state.device.isReturned)
    machine.standing.withLock { $0 = .own }
    machine.owner.withLock { $0 = .wearer }
    let answer = try follow()
    #expect(answer.clinic == nil && answer.wearerIsOperator && rules.map(\.owner) == [.wearer])
    let expected = [
      "handed-over \(key), device \(mark.device)", "returned \(key), pass 7, device \(mark.device)",
    ]
    #expect(try trail() == expected)
  }

  @Test("another kind of card returns nothing")
  func otherCard() throws {
    _ = try handOver()
    let card = try clinic.prescription(1)
    #expect(throws: Failure.self) {
      try daemon.ask(DeviceMethods.Return(card: card), from: Self.root)?.get()
    }
    #expect(!daemon.state.device.isReturned)
  }

  @Test("attempts that programs tell of are in the trail, of many a few; on an owner's device none")
  func noted() throws {
    _ = daemon.ask(DeviceMethods.Note(attempt: "daemon"), from: Self.wearer)
    _ = try handOver()
    for attempt in DeviceAttempt.allCases {
      _ = try daemon.ask(DeviceMethods.Note(attempt: attempt.rawValue), from: Self.wearer)?.get()
    }
    for _ in 1...50 { _ = daemon.ask(DeviceMethods.Note(attempt: "sound"), from: Self.wearer) }
    let noted = try trail().filter { $0.hasPrefix("call-refused") }
    #expect(
      noted.prefix(4) == ["daemon", "sound", "configuration", "book"].map { "call-refused own \($0)" }[...])
    #expect(noted.count == 5)
    #expect(throws: ControlFailure.self) { try DeviceMethods.Note(attempt: "x\n").check() }
  }
}
