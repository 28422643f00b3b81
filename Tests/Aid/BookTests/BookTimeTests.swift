import Glibc
import Prescriptions
import Testing

@testable import Book

@Suite("The book's time") struct BookTimeTests {
  static let noon = Rig.noon
  let rig = Rig()

  @Test("a clock set back does not prolong a trial, and is reported")
  func setBack() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: Self.noon + 1200), by: Rig.person)
    rig.clock.set(Self.noon + -Rig.day)
    // Both cards were issued at noon.
    #expect(book.notices == [.clockBehind(seconds: Rig.day, before: 1)])
    #expect(book.now == Self.noon)
    rig.clock.pass(1199)
    #expect(book.state.inForce?.number == 2)
    rig.clock.pass(1)
    #expect(book.state.inForce?.number == 1)
  }

  @Test("a trial that ended stays ended, whatever the clock says after a restart")
  func setBackAcrossRestart() throws {
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      try book.load(try Rig.card(2, trialEnds: Self.noon + 1200), by: Rig.person)
      rig.clock.pass(1200)
      try book.advance()
      #expect(try book.events().last?.change == .timePassed)
      #expect(try book.events().last?.actor.channel == .clock)
    }
    rig.clock.set(Self.noon)
    let book = try rig.reopened()
    #expect(book.now == Self.noon + 1200)
    #expect(book.state.inForce?.number == 1)
  }

  @Test(
    "a trial that ended while nobody had the book open is noted at the next opening, so that a lost note of the head does not begin it again"
  )
  func endedWhileClosed() throws {
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      try book.load(try Rig.card(2, trialEnds: Self.noon + 1200), by: Rig.person)
    }
    rig.clock.pass(1200)
    do {
      let last = try #require(try rig.reopened().events().last)
      #expect(last.change == .timePassed && last.moment == Self.noon + 1200)
      #expect(last.actor.channel == .clock)
    }
    #expect(unlink(rig.path + "/book.head") == 0)
    rig.clock.set(Self.noon)
    let book = try rig.reopened()
    #expect(book.now == Self.noon + 1200)
    #expect(book.state.inForce?.number == 1)
    #expect(try book.events().filter { $0.change == .timePassed }.count == 1)
  }

  @Test("the latest moment seen outlasts a restart although nothing happened at it")
  func latestMoment() throws {
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      try book.load(try Rig.card(2, trialEnds: Self.noon + 1200), by: Rig.person)
      rig.clock.pass(1000)
    }
    rig.clock.set(Self.noon)
    let book = try rig.reopened()
    #expect(book.now == Self.noon + 1000)
    rig.clock.pass(200)
    #expect(book.state.inForce?.number == 1)
  }

  @Test(
    "a reading that is a second behind the one before does not begin an ended trial again; one further back does"
  )
  func readingBehind() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: Self.noon + 1200), by: Rig.person)
    rig.clock.pass(1199)
    var former = book.snapshot
    former.advance(wall: Double(Self.noon.seconds + 1200), running: Double(rig.clock.clock.running()))
    #expect(former.state.inForce?.number == 1)
    var next = book.snapshot
    #expect(next.state.inForce?.number == 2)
    next.keepUp(with: former)
    #expect(next.state.inForce?.number == 1)
    // As after a clock that was ahead has been corrected.
    former.advance(wall: Double(Self.noon.seconds + 1201), running: Double(rig.clock.clock.running()))
    var corrected = book.snapshot
    corrected.keepUp(with: former)
    #expect(corrected.state.inForce?.number == 2)
  }

  @Test("two minutes behind are within what clocks do")
  func tolerance() throws {
    let book = try rig.book()
    rig.clock.set(Self.noon + -120)
    #expect(book.notices.isEmpty)
    rig.clock.set(Self.noon + -121)
    #expect(book.notices == [.clockBehind(seconds: 121)])
  }

  @Test("a clock that was years ahead can be corrected, and a restart believes the correction")
  func correction() throws {
    do {
      rig.clock.set(Self.noon + 1000 * Rig.day)
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      rig.clock.set(Self.noon)
      #expect(book.now == Self.noon + 1000 * Rig.day)
      try book.correctClock(by: Rig.person)
      #expect(book.now == Self.noon && book.notices.isEmpty)
      #expect(throws: BookError.clockNotBehind) { try book.correctClock(by: Rig.person) }
    }
    let book = try rig.reopened()
    #expect(book.now == Self.noon && book.state.inForce?.number == 1 && book.notices.isEmpty)
    try book.load(try Rig.card(2), by: Rig.person)
    try book.verifyAudit()
  }

  @Test("a signed trial that ended, or an expired entry, is over after a correction too")
  func correctionRevivesNothing() throws {
    let end = Self.noon + 600
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1, expires: end), by: Rig.person)
      try book.load(try Rig.card(2, trialEnds: end), by: Rig.person)
      rig.clock.pass(700)
      try book.advance()
      rig.clock.set(Self.noon)
      try book.correctClock(by: Rig.person)
    }
    let book = try rig.reopened()
    #expect(book.now == Self.noon)
    #expect(throws: BookError.overBeforeCorrection) { try book.use(entry: 2, by: Rig.person) }
    #expect(throws: BookError.overBeforeCorrection) {
      try book.beginTrial(of: 2, for: 60, by: Rig.person)
    }
    #expect(book.state.entry(1).map(book.state.isExpired) == true)
  }

  @Test("of a prescription in force that is over by a correction no expiry is told that is still to come")
  func overByCorrection() throws {
    let expires = Self.noon + 30 * Rig.day
    let book = try rig.book()
    try book.load(try Rig.card(1, expires: expires), by: Rig.person)
    rig.clock.pass(60 * Rig.day)
    #expect(book.notices == [.expiredInForce(entry: 1, at: expires)])
    rig.clock.set(Self.noon)
    try book.correctClock(by: Rig.person)
    #expect(book.notices == [.overInForce(entry: 1)])
    #expect(
      book.notices.map { "\($0)" } == [
        "Prescription 1 is over before the day that its card states, for the book's clock was set back; it stays in"
          + " force until another one is loaded; ask the clinic for a new one."
      ])
    rig.clock.pass(30 * Rig.day)
    #expect(book.notices == [.expiredInForce(entry: 1, at: expires)])
  }

  @Test("a card that expired before a correction is not taken after it; one issued since then is")
  func correctionRevivesNoCard() throws {
    let (end, back) = (Self.noon + 600, Self.noon + 300)
    let book = try rig.book()
    rig.clock.pass(700)
    try book.advance()
    rig.clock.set(back)
    try book.correctClock(by: Rig.person)
    #expect(throws: BookError.overBeforeCorrection) {
      try book.load(try Rig.card(1, expires: end), by: Rig.person)
    }
    #expect(throws: BookError.overBeforeCorrection) {
      try book.load(try Rig.card(2, trialEnds: end), by: Rig.person)
    }
    rig.clock.pass(1)
    try book.load(try Rig.card(3, issued: back + 1, expires: end), by: Rig.person)
  }

  @Test("a signed trial that runs keeps what remained of it and no more, also when it is begun anew")
  func correctionLengthensNothing() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: Self.noon + 600), by: Rig.person)
    rig.clock.pass(400)
    try book.advance()
    rig.clock.set(Self.noon)
    try book.correctClock(by: Rig.person)
    #expect(book.state.trials[.quiet]?.ends == Self.noon + 200)
    try book.use(entry: 2, by: Rig.person)
    #expect(book.state.trials[.quiet]?.ends == Self.noon + 200)
    rig.clock.pass(200)
    #expect(book.state.inForce?.number == 1)
    #expect(book.state == BookState(folding: try book.events(), at: book.now))
  }

  @Test("a correction that is the book's first event means the same after a restart")
  func correctionIsFirst() throws {
    rig.clock.set(Self.noon + 30 * Rig.day)
    do { _ = try rig.reopened() }
    rig.clock.set(Self.noon)
    func pass(_ serial: Int, issued: Instant) throws -> String {
      let pass = try BindingPass(
        serial: serial, patient: Rig.ada, issued: issued, expires: issued + 7 * Rig.day)
      return try Rig.clinic.sign(pass).text
    }
    do {
      let book = try rig.reopened()
      try book.correctClock(by: Rig.person)
      #expect(try book.events().map(\.change) == [.timePassed, .clockCorrected])
      #expect(try book.events().map(\.moment) == [Self.noon + 30 * Rig.day, Self.noon])
      try book.enrol(Rig.clinic.identity, by: Rig.person)
      #expect(throws: BookError.overBeforeCorrection) {
        try book.rebind(try pass(1, issued: Self.noon), by: Rig.person)
      }
    }
    let book = try rig.reopened()
    #expect(throws: BookError.overBeforeCorrection) {
      try book.rebind(try pass(1, issued: Self.noon), by: Rig.person)
    }
    rig.clock.pass(1)
    try book.rebind(try pass(2, issued: Self.noon + 1), by: Rig.person)
    #expect(book.state == BookState(folding: try book.events(), at: book.now))
  }

  @Test(
    "a card of a key that ended before a correction is not taken after it, nor a pass; one issued since then is"
  )
  func correctionRevivesNoKey() throws {
    let (end, back) = (Self.noon + 600, Self.noon + 300)
    let clinic = try ClinicKey(new: "Clinic East", created: Self.noon + -Rig.day, validUntil: end)
    let pass = try clinic.sign(
      BindingPass(serial: 2, patient: Rig.ada, issued: Self.noon, expires: Self.noon + 7 * Rig.day))
    let book = try rig.reopened()
    try book.enrol(clinic.identity, by: Rig.person)
    rig.clock.pass(700)
    #expect(throws: BookError.card(.expiredKey(name: "Clinic East", at: end))) {
      try book.load(try Rig.card(1, by: clinic), by: Rig.person)
    }
    rig.clock.set(back)
    try book.correctClock(by: Rig.person)
    #expect(throws: BookError.overBeforeCorrection) {
      try book.load(try Rig.card(1, by: clinic), by: Rig.person)
    }
    #expect(throws: BookError.overBeforeCorrection) { try book.rebind(pass.text, by: Rig.person) }
    rig.clock.pass(1)
    #expect(try book.load(try Rig.card(3, by: clinic, issued: back + 1), by: Rig.person).number == 1)
    #expect(book.state == BookState(folding: try book.events(), at: book.now))
  }

  @Test(
    "the notice of a clock behind offers its correction only where it would be believed, and the way out otherwise"
  )
  func wayOut() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1, issued: Self.noon), by: Rig.person)
    rig.clock.pass(2 * Rig.day)
    try book.advance()
    func words(at wall: Instant) throws -> String {
      rig.clock.set(wall)
      return try #require(book.notices.first).description
    }
    let believed = try words(at: Self.noon + Rig.day)
    #expect(believed.hasSuffix("set the clock, or, if it is right: auricle book correct-clock."))
    let refused = try words(at: Self.noon + -Rig.day)
    #expect(!refused.contains("correct-clock") && refused.contains("before the issue of prescription 1."))
    let error = BookError.clockBeforeIssue(entry: 1, at: Self.noon)
    #expect(throws: error) { try book.correctClock(by: Rig.person) }
    for text in [refused, "\(error)"] {
      #expect(text.contains("restore a backup from before it was loaded"))
    }
  }

  @Test("a clock before the issue of a card in the book is wrong, and is not believed")
  func beforeAnIssue() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1, issued: Self.noon), by: Rig.person)
    rig.clock.set(Self.noon + -Rig.day)
    #expect(throws: BookError.clockBeforeIssue(entry: 1, at: Self.noon)) {
      try book.correctClock(by: Rig.person)
    }
  }

  /// A backup may say what whoever made it wanted; this is a book that says so itself.
  @Test("a row of a moment beyond the calendar is refused, so that no arithmetic on times overflows")
  func beyondTheCalendar() throws {
    let rig = Rig()
    rig.clock.set(Instant(seconds: .max - 100))
    do { _ = try rig.book() }
    rig.clock.set(Rig.noon)
    #expect(
      throws: BookError.unreadableRow(1, reason: "its moment is not between 1970 and 9999.")
    ) { try rig.reopened() }
  }
}
