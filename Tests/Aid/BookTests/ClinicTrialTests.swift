import Prescriptions
import Testing

@testable import Book

@Suite("Trials of the clinic") struct ClinicTrialTests {
  let rig = Rig()
  private let end = Rig.noon + 600

  @Test("the wearer makes a clinic's trial final only where its card says so")
  func accept() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: end, wearerMayAccept: false), by: Rig.person)
    #expect(throws: BookError.trialIsTheClinics(serial: 2, until: end)) { try book.accept(by: Rig.person) }
    // Not by a trial of their own either.
    try book.use(entry: 1, by: Rig.person)
    try book.beginTrial(of: 2, for: 60, by: Rig.person)
    #expect(throws: BookError.trialIsTheClinics(serial: 2, until: Rig.noon + 60)) {
      try book.accept(by: Rig.person)
    }
    try book.load(try Rig.card(3, trialEnds: end, wearerMayAccept: true), by: Rig.person)
    #expect(try book.accept(by: Rig.person).number == 3)
  }

  @Test("an audiologist who has proved to be one makes a clinic's trial final, a developer does not")
  func audiologist() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1, trialEnds: end, wearerMayAccept: false), by: Rig.person)
    func actor(_ role: String) -> Actor {
      Actor(channel: .socket, userID: 1001, processID: 5, authority: Authority(role: role, means: "PAM"))
    }
    #expect(throws: BookError.trialIsTheClinics(serial: 1, until: end)) {
      try book.accept(by: actor("developer"))
    }
    #expect(try book.accept(by: actor("audiologist")).number == 1)
    rig.clock.pass(601)
    #expect(book.state.inForce?.number == 1)
    // The trail has role and proof, and its chain is whole.
    let row = try #require(try book.audit().last { $0.action == AuditAction.accepted.rawValue })
    #expect(try row.actor() == actor("audiologist") && row.channel == "socket audiologist PAM")
    #expect(throws: Never.self) { try book.verifyAudit() }
  }

  @Test("a clinic's trial in force is not cut short by one of its own; trying another prescription ends it")
  func notShortened() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: end), by: Rig.person)
    #expect(throws: BookError.alreadyOnTrial(entry: 2, until: end, isInForce: true)) {
      try book.beginTrial(of: 2, for: 60, by: Rig.person)
    }
    #expect(book.state.trials[.quiet]?.ends == end)
    #expect(try book.beginTrial(of: 1, for: 60, by: Rig.person).ends == Rig.noon + 60)
    // One of the wearer's own may be begun anew.
    #expect(try book.beginTrial(of: 1, for: 120, by: Rig.person).ends == Rig.noon + 120)
    rig.clock.pass(120)
    #expect(book.state.inForce?.number == 1 && book.state.trials.isEmpty)
    try book.use(entry: 2, by: Rig.person)
    #expect(book.state.trials[.quiet]?.ends == end)
  }

  @Test("a clinic's trial is not cut short while another environment is selected either")
  func elsewhere() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, .music, trialEnds: end), by: Rig.person)
    try book.use(.quiet, by: Rig.person)
    let error = BookError.alreadyOnTrial(entry: 2, until: end, isInForce: false)
    #expect(throws: error) { try book.beginTrial(of: 2, for: 60, by: Rig.person) }
    #expect("\(error)".hasSuffix("used until then: auricle rx use 2"))
    #expect(book.state.trials[.music]?.ends == end)
    #expect(try book.use(.music, by: Rig.person).number == 2)
    #expect(book.state.trials[.music]?.ends == end)
  }

  @Test("a clinic's trial that the wearer has begun for a shorter time may be prolonged to its card's end")
  func prolonged() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: end), by: Rig.person)
    try book.use(entry: 1, by: Rig.person)
    #expect(try book.beginTrial(of: 2, for: 60, by: Rig.person).ends == Rig.noon + 60)
    #expect(try book.beginTrial(of: 2, for: 120, by: Rig.person).ends == Rig.noon + 120)
    #expect(try book.beginTrial(of: 2, for: 7200, by: Rig.person).ends == end)
    // Now it lasts as long as the clinic says.
    #expect(throws: BookError.alreadyOnTrial(entry: 2, until: end, isInForce: true)) {
      try book.beginTrial(of: 2, for: 60, by: Rig.person)
    }
  }

  @Test(
    "a clinic's trial is used until its card's end by environment as by number", arguments: [false, true])
  func usedAlike(byNumber: Bool) throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: end), by: Rig.person)
    try book.use(entry: 1, by: Rig.person)
    #expect(try book.beginTrial(of: 2, for: 60, by: Rig.person).ends == Rig.noon + 60)
    let used = try byNumber ? book.use(entry: 2, by: Rig.person) : book.use(.quiet, by: Rig.person)
    #expect(used.number == 2)
    #expect(book.state.trials[.quiet]?.ends == end)
  }

  @Test("a shorter trial keeps its end, and its way back, over a switch of environments")
  func switched() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: end), by: Rig.person)
    try book.load(try Rig.card(3, .music), by: Rig.person)
    try book.use(entry: 1, by: Rig.person)
    #expect(try book.beginTrial(of: 2, for: 60, by: Rig.person).ends == Rig.noon + 60)
    #expect(try book.use(.music, by: Rig.person).number == 3)
    #expect(try book.use(.quiet, by: Rig.person).number == 2)
    #expect(book.state.trials[.quiet]?.ends == Rig.noon + 60)
    rig.clock.pass(60)
    #expect(book.state.inForce?.number == 1 && book.state.trials.isEmpty)
  }

  @Test("the clinic makes its trial final with a new card")
  func finalCard() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1, trialEnds: end, wearerMayAccept: false), by: Rig.person)
    try book.load(try Rig.card(2, supersedes: 1), by: Rig.person)
    rig.clock.pass(601)
    #expect(book.state.inForce?.number == 2 && book.state.trials.isEmpty)
  }

  @Test("what the wearer tries of a final prescription stays theirs to keep")
  func ownTrial() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2), by: Rig.person)
    try book.beginTrial(of: 1, for: 60, by: Rig.person)
    #expect(try book.accept(by: Rig.person).number == 1)
  }

  @Test("a trial whose clinic is trusted no longer is not made final: it ends, and that is said")
  func revoked() throws {
    let book = try rig.book()
    try book.enrol(Rig.otherClinic.identity, by: Rig.person)
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(1, by: Rig.otherClinic), by: Rig.person)
    try book.beginTrial(of: 1, for: 600, by: Rig.person)
    try book.revoke(Rig.clinic.identity.fingerprint, by: Rig.person)
    #expect(book.notices == [.clinicRevoked(entry: 1, at: Rig.noon, isTrial: true)])
    let notice = try #require(book.notices.first)
    #expect("\(notice)".hasSuffix("it stays in force until its trial ends."))
    #expect(throws: BookError.clinicRevoked(name: "Clinic North", at: Rig.noon)) {
      try book.accept(by: Rig.person)
    }
    #expect(book.state.inForce?.number == 1)
    rig.clock.pass(600)
    #expect(book.state.inForce?.number == 2 && book.notices.isEmpty)
    try book.verifyAudit()
  }

  @Test("what has expired on trial is not made final: it ends at its time, and that is said")
  func expired() throws {
    let book = try rig.book()
    let midnight = Rig.noon + 300
    try book.load(try Rig.card(1, expires: midnight), by: Rig.person)
    try book.load(try Rig.card(2), by: Rig.person)
    try book.beginTrial(of: 1, for: 600, by: Rig.person)
    rig.clock.pass(300)
    #expect(book.notices == [.expiredInForce(entry: 1, at: midnight, isTrial: true)])
    let notice = try #require(book.notices.first)
    #expect("\(notice)".contains("stays in force until its trial ends;"))
    #expect(throws: BookError.expired(at: midnight)) { try book.accept(by: Rig.person) }
    #expect(book.state.inForce?.number == 1)
    rig.clock.pass(300)
    #expect(book.state.inForce?.number == 2 && book.notices.isEmpty)
  }
}
