import Acoustics
import Base
import CommonTesting
import Control
import Engine
import Fitting
import Glibc
import Prescriptions
import Testing

@testable import Service

@Suite("Daemon with a book") struct DaemonPrescriptionTests {
  private static let peer = Peer(processID: 7, userID: 1000, groupID: 1000)
  private let folder: TemporaryFolder
  private let clinic: CardMaker
  private let daemon: Daemon

  init() throws {
    folder = TemporaryFolder()
    clinic = try CardMaker()
    daemon = Daemon(
      Stage().aid(), options: DaemonOptions(), configuration: .defaults,
      log: MessageLog(threshold: .error, environment: [:], descriptor: -1),
      desk: PrescriptionDesk(folder: folder.path + "/book"), memoryLock: .onFault, wisdomPath: nil,
      diskPatience: 60
    ) { .success(.defaults) }
  }

  private func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply {
    try daemon.answer(method, from: Self.peer)
  }

  private func enrol() throws {
    let identity = clinic.key.identity
    _ = try ask(TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
  }

  @Test("what is loaded is what the aid wears from that moment")
  func wears() throws {
    #expect(daemon.aid.currentSettings.hearing.fittedEars.isEmpty)
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1, rule: .cambridgeCompressive)))
    let hearing = daemon.aid.currentSettings.hearing
    #expect(hearing.audiograms == Binaural(both: StandardAudiogram.n3.audiogram))
    #expect(hearing.plan.target == .rule(.cambridgeCompressive))
    #expect(daemon.report().prescription?.serial == 1)
    #expect(daemon.report().fitting.isFitted)
  }

  @Test(
    "a daemon that found its book locked follows the configuration when it gets it, and says why until then"
  )
  func lostTheRace() throws {
    try enrol()
    daemon.desk.close()
    let lock = try HeldLock(of: folder.path + "/book/book.lock")
    let desk = PrescriptionDesk(folder: folder.path + "/book")
    let failure = try #require(desk.open())
    var configured = HearingSettings()
    configured.audiograms = Binaural(both: StandardAudiogram.n3.audiogram)
    let late = Daemon(
      Stage().aid(configured.following(desk.prescribed)), options: DaemonOptions(),
      configuration: .defaults,
      log: MessageLog(threshold: .error, environment: [:], descriptor: -1), desk: desk,
      applied: desk.prescribed,
      configured: configured, memoryLock: .onFault, wisdomPath: nil
    ) { .success(.defaults) }
    late.advanceBook()
    #expect(late.aid.currentSettings.hearing.fittedEars.isEmpty)
    #expect(late.report().prescription?.notes.first == failure.message)
    lock.release()
    late.advanceBook()
    #expect(late.aid.currentSettings.hearing.fittedEars == [.left, .right])
    #expect(late.report().prescription?.notes == [])
  }

  @Test("a refused card leaves what is worn")
  func keeps() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(5)))
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(6, audiogram: .n4)))
    let applied = daemon.aid.currentSettings.hearing.audiograms
    #expect(throws: Failure.self) { try ask(PrescriptionMethods.Load(card: clinic.prescription(4))) }
    #expect(throws: Failure.self) {
      try ask(PrescriptionMethods.Load(card: clinic.prescription(7, patient: "Eve")))
    }
    #expect(throws: Failure.self) { try ask(PrescriptionMethods.Load(card: "shc:/5676")) }
    #expect(daemon.aid.currentSettings.hearing.audiograms == applied)
  }

  @Test("a trial that ends gives the former prescription back by itself")
  func ends() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    let end = Instant(seconds: time(nil) + 2)
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(2, audiogram: .n4, trialEnds: end)))
    #expect(daemon.aid.currentSettings.hearing.audiograms?.left == StandardAudiogram.n4.audiogram)
    // The book's clock has whole seconds.
    #expect(
      eventually {
        daemon.advanceBook()
        return daemon.aid.currentSettings.hearing.audiograms?.left == StandardAudiogram.n3.audiogram
      })
    #expect(daemon.report().prescription?.trialEnds == nil)
  }

  @Test("a reload of the configuration keeps the prescription on")
  func reloads() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    _ = try daemon.reloadByRequest()
    #expect(daemon.aid.currentSettings.hearing.fittedEars == [.left, .right])
  }

  @Test("after a binding pass nothing is amplified until the new patient's card")
  func rebinds() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    let birth = try #require(CalendarDate(year: 1980, month: 5, day: 6))
    let pass = try BindingPass(
      serial: 2, patient: Patient(givenName: "Eve", familyName: "Other", birthDate: birth),
      issued: clinic.now,
      expires: clinic.now + 3600)
    _ = try ask(PrescriptionMethods.Load(card: clinic.key.sign(pass).text))
    #expect(daemon.aid.currentSettings.hearing.fittedEars.isEmpty)
  }

  @Test("a developer's pass is told with its end")
  func developer() throws {
    try enrol()
    let pass = try DeveloperPass(
      serial: 1, holder: "Grace", issued: clinic.now, expires: clinic.now + 3600, duration: 600)
    _ = try ask(PrescriptionMethods.Load(card: clinic.key.sign(pass).text))
    let end = try #require(daemon.report().prescription?.developerMode)
    // Whole seconds, and the test's own time between.
    #expect((clinic.now.time + 600...clinic.now.time + 605).contains(end))
  }
}
