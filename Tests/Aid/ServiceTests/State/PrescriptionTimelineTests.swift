import Acoustics
import Base
import CommonTesting
import Control
import Engine
import Fitting
import Glibc
import Prescriptions
import Testing

@testable import Book
@testable import Service

@Suite("A book on a timeline") struct PrescriptionTimelineTests {
  private let folder: TemporaryFolder
  private let clinic: CardMaker
  private let daemon: Timeline
  /// Of the daemon's beginning, at which the book's clock stands still: the test's own time counts nowhere.
  private let beginning: Moment

  init() throws {
    folder = TemporaryFolder()
    clinic = try CardMaker()
    beginning = Moment(monotonic: 100, running: 100, wall: clinic.now.time)
    let disk = ServiceDisk(folder: nil, store: Self.store(folder, clinic.now)) { .success(.defaults) }
    daemon = Timeline(ServiceState(ServiceState.Facts(started: beginning)), disk: disk)
  }

  private static func store(_ folder: TemporaryFolder, _ now: Instant) -> PrescriptionStore {
    PrescriptionStore(folder: folder.path + "/book", clock: BookClock(wall: { now }, running: { 100 }))
  }

  private func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply {
    try #require(daemon.ask(method)).get()
  }

  /// As `auricle rx scan` does it: looked at, confirmed, taken in.
  @discardableResult private func load(_ card: String) throws -> BookAnswer {
    let preview = try ask(PrescriptionMethods.Look(card: card))
    return try ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
  }

  private func enrol() throws {
    let identity = clinic.key.identity
    _ = try ask(TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
  }

  @Test("what is loaded is heard from that moment")
  func isHeard() throws {
    #expect(daemon.state.heard.fittedEars.isEmpty)
    try enrol()
    _ = try load(clinic.prescription(1, rule: .cambridgeCompressive))
    let hearing = daemon.state.heard
    #expect(hearing.audiograms == Binaural(both: StandardAudiogram.n3.audiogram))
    #expect(hearing.plan.target == .rule(.cambridgeCompressive))
    #expect(daemon.state.report.prescription?.serial == 1)
    #expect(daemon.state.report.fitting.isFitted)
  }

  @Test(
    "a daemon that found its book locked follows the configuration when it gets it, and says why until then"
  )
  func lostTheRace() throws {
    try enrol()
    daemon.disk?.store.close()
    let lock = try HeldLock(of: folder.path + "/book/book.lock")
    let store = Self.store(folder, clinic.now)
    let failure = try #require(store.open())
    var configured = HearingSettings()
    configured.audiograms = Binaural(both: StandardAudiogram.n3.audiogram)
    let late = Timeline(
      ServiceState(ServiceState.Facts(started: beginning), configured: configured, known: store.known),
      disk: ServiceDisk(folder: nil, store: store) { .success(.defaults) })
    late.pass(1)
    #expect(late.state.heard.fittedEars.isEmpty)
    #expect(late.state.report.prescription?.notes.first == failure.message)
    lock.release()
    late.pass(1)
    #expect(late.state.heard.fittedEars == [.left, .right])
    #expect(late.applied?.fittedEars == [.left, .right])
    #expect(late.state.report.prescription?.notes == [])
  }

  /// Of a full disk under the book.
  private static let noRoom = Failure.writing("/s/book", SystemError(code: ENOSPC))

  private var isRefusalTold: Bool {
    let report = daemon.state.report
    return ((report.prescription?.notes ?? []) + (report.program?.notes ?? []))
      .contains { $0.hasPrefix("The book cannot be changed: ") }
  }

  @Test(
    "a full disk that refuses a change of the book is told by status until one is kept: a choice, a note of the audit trail, a trial's end"
  )
  func fullDisk() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    daemon.state.noteChange(Self.noRoom)
    #expect(isRefusalTold)
    let notes = daemon.state.report.prescription?.notes ?? []
    #expect(notes.contains { $0.contains("No space is left on its disk") })
    // A look needs no space, nor does time that ends nothing.
    _ = try ask(PrescriptionMethods.List())
    daemon.pass(1)
    #expect(isRefusalTold)
    _ = try load(clinic.prescription(2, audiogram: .n4))
    #expect(!isRefusalTold)
    daemon.state.noteChange(Self.noRoom)
    daemon.happen(.control(.refused("mute", Timeline.peer)))
    #expect(!isRefusalTold)
    // As the end of a trial leaves it that could not be written; then time passes in the book without a failure.
    daemon.state.noteChange(Self.noRoom)
    daemon.state.bookTrouble = Self.noRoom.logMessage
    daemon.pass(1)
    #expect(!isRefusalTold)
  }

  @Test("a backup that its own disk does not take says nothing of the book in the status")
  func backupFails() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    // No name of a file is longer than 255 bytes: ENAMETOOLONG, a failure of the disk like that of a full one.
    let stick = TemporaryFolder()
    defer { withExtendedLifetime(stick) {} }
    let backup = BookMethods.BackUp(
      path: stick.path + "/" + String(repeating: "x", count: 256), passphrase: "four words are enough")
    let failure = #expect(throws: Failure.self) { try ask(backup) }
    #expect(failure?.exitStatus == .inputOutput)
    #expect(!isRefusalTold)
  }

  @Test("without a book the status does not say that it cannot be changed: nothing in it is in force")
  func noBookToChange() {
    daemon.state.noteChange(Self.noRoom)
    #expect(!isRefusalTold)
  }

  @Test("a refused card leaves what is heard")
  func keeps() throws {
    try enrol()
    _ = try load(clinic.prescription(5))
    _ = try load(clinic.prescription(6, audiogram: .n4))
    let applied = daemon.state.heard.audiograms
    #expect(throws: Failure.self) { try load(clinic.prescription(4)) }
    #expect(throws: Failure.self) {
      try load(clinic.prescription(7, patient: "Eve"))
    }
    #expect(throws: Failure.self) { try load("shc:/5676") }
    #expect(daemon.state.heard.audiograms == applied)
  }

  @Test("a trial that ends gives the former prescription back by itself")
  func ends() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    _ = try load(clinic.prescription(2, audiogram: .n4, trialEnds: clinic.now + 2))
    #expect(daemon.state.heard.audiograms?.left == StandardAudiogram.n4.audiogram)
    // The disk does not answer: its end is heard all the same.
    daemon.isDiskStalled = true
    daemon.pass(3)
    #expect(daemon.state.heard.audiograms?.left == StandardAudiogram.n3.audiogram)
    daemon.releaseDisk()
    #expect(daemon.state.report.prescription?.trialEndsUnixSeconds == nil)
  }

  @Test("where a softer trial ends, the louder former one comes at no more than 20 dB/s")
  func louderAtTheEnd() throws {
    try enrol()
    _ = try load(clinic.prescription(1, audiogram: .n5))
    let loud = try daemon.state.heard.fitting(for: .left)
    _ = try load(clinic.prescription(2, audiogram: .n1, trialEnds: clinic.now + 60))
    let soft = try daemon.state.heard.fitting(for: .left)
    daemon.pass(61)
    #expect(daemon.applied?.audiograms?.left == StandardAudiogram.n5.audiogram)
    let levels = [40, 65, 80].map { SoundPressureLevel($0) }
    let difference =
      zip(loud.curves, soft.curves).flatMap { a, b in levels.map { a.gain(at: $0) - b.gain(at: $0) } }
      .max() ?? 0
    #expect(difference > 10)
    // The way 3p² − 2p³ is steepest in its middle, by 1.5; a way takes 30 s at most.
    let time = try #require(daemon.applied?.transition)
    #expect(time >= min(1.5 * difference / 20, 30) - 1e-9, "\(difference) dB in \(time) s")
    // A change that leaves the gain as it is does not shorten the way.
    daemon.pass(0.25)
    daemon.happen(.volumes(.read(nil)))
    #expect(daemon.state.heard.transition >= time - 0.25 - 1e-9)
  }

  @Test("subscribers are told of a prescription, of its trial and of the trial's end, each once")
  func isTold() throws {
    var told: [StatusReport.Prescription] = []
    func pass(_ seconds: Double) {
      daemon.pass(seconds)
      listen()
    }
    func listen() {
      for case .publishPrescription(let prescription) in daemon.effects { told.append(prescription) }
    }
    pass(1)
    try enrol()
    try load(clinic.prescription(1))
    listen()
    #expect(told.last?.serial == 1 && told.last?.trialEndsUnixSeconds == nil)
    let end = clinic.now + 600
    try load(clinic.prescription(2, audiogram: .n4, trialEnds: end))
    listen()
    #expect(told.last?.serial == 2)
    #expect(told.last?.trialEndsUnixSeconds == end.time)
    let before = told.count
    for _ in 0..<5 { pass(1) }
    #expect(told.count == before)
    pass(600)
    #expect(told.count == before + 1)
    #expect(told.last?.serial == 1 && told.last?.trialEndsUnixSeconds == nil)
  }

  @Test("a reload of the configuration keeps the prescription on")
  func reloads() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    _ = try #require(daemon.ask(SoundMethods.Reload())).get()
    #expect(daemon.state.heard.fittedEars == [.left, .right])
  }

  @Test("after a binding pass nothing is amplified until the new patient's card")
  func rebinds() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    daemon.happen(.begin)
    daemon.engine(.running)
    _ = try #require(daemon.ask(RecordingMethods.Allow(seconds: 60))).get()
    let birth = try #require(CalendarDate(year: 1980, month: 5, day: 6))
    let pass = try BindingPass(
      serial: 2, patient: Patient(givenName: "Eve", familyName: "Other", birthDate: birth),
      issued: clinic.now,
      expires: clinic.now + 3600)
    _ = try load(clinic.key.sign(pass).text)
    #expect(daemon.state.heard.fittedEars.isEmpty)
    // Leave to record was the former one's.
    daemon.pass(0.1)
    #expect(daemon.state.report.recording == nil)
  }

  @Test("a developer's pass is told with its end, and gives the role once, however often it is asked for")
  func developer() throws {
    try enrol()
    let pass = try DeveloperPass(
      serial: 1, holder: "Grace", issued: clinic.now, expires: clinic.now + 3600, duration: 600)
    _ = try load(clinic.key.sign(pass).text)
    let end = try #require(daemon.state.report.prescription?.developerModeUntilUnixSeconds)
    #expect(end == clinic.now.time + 600)
    var peer = Timeline.peer
    let answer = try #require(daemon.ask(RoleMethods.Begin(.developer), from: peer)).get()
    #expect(answer.role == .developer)
    func grants() -> [RoleGrant] {
      daemon.effects.compactMap { if case .grant(_, let grant) = $0 { grant } else { nil } }
    }
    let grant = try #require(grants().first)
    peer.grant = grant
    let again = try #require(daemon.ask(RoleMethods.Begin(.developer), from: peer)).get()
    #expect(again.role == .developer && grants().isEmpty)
  }

  @Test("debugging and a recording that a developer's pass allowed end with the pass")
  func developerEnds() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    let pass = try DeveloperPass(
      serial: 2, holder: "Grace", issued: clinic.now, expires: clinic.now + 3600, duration: 60)
    _ = try load(clinic.key.sign(pass).text)
    daemon.happen(.begin)
    daemon.engine(.running)
    var developer = Peer(processID: 8, userID: 1000, groupID: 1000, connection: 2)
    developer.roles = [.developer]
    developer.grant = RoleGrant(role: .developer, means: RoleGrant.pass, due: daemon.now + 60)
    _ = try #require(daemon.ask(DebugMethods.Begin(seconds: 300), from: developer)).get()
    _ = try #require(daemon.ask(DebugMethods.Stage("noise-reduction", on: false), from: developer)).get()
    _ = try #require(daemon.ask(RecordingMethods.Allow(seconds: 300))).get()
    _ = try #require(daemon.ask(RecordingMethods.Watch(), from: developer)).get()
    #expect(daemon.state.report.debug != nil && daemon.state.report.recording?.pid == 8)
    daemon.pass(59)
    #expect(daemon.state.report.debug != nil && daemon.state.report.recording != nil)
    daemon.pass(1)
    #expect(daemon.state.report.debug == nil && daemon.state.report.recording == nil)
    #expect(daemon.state.heard.debug == nil)
    #expect(daemon.log.contains { $0.contains("the developer's pass is over") })
  }
}
