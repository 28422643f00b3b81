import Testing

@testable import Book

@Suite("Actor") struct ActorTests {
  @Test("the channel's words are those the audit trail keeps")
  func words() { #expect(Actor.Channel.allCases.map(\.rawValue) == ["socket", "command", "clock"]) }

  @Test("events of the daemon stand in the trail beside the book's, and come back when it is opened again")
  func notes() throws {
    let rig = Rig()
    do {
      let book = try rig.book()
      try book.note(.roleBegan, "for 600 s", by: Rig.person)
      try book.note(.roleEnded, "", by: Rig.person)
    }
    let rows = try rig.reopened().audit()
    #expect(rows.suffix(2).map(\.action) == ["role-began", "role-ended"])
    #expect(rows.suffix(2).map(\.detail) == ["for 600 s", ""])
  }

  @Test("of refused calls twenty in ten minutes are noted, as of refused cards")
  func refusals() throws {
    let rig = Rig()
    let book = try rig.book()
    for _ in 0..<30 { try book.note(.callRefused, "mute", by: Rig.person) }
    #expect(try book.audit().count { $0.action == "call-refused" } == 20)
    rig.clock.pass(601)
    try book.note(.callRefused, "mute", by: Rig.person)
    #expect(try book.audit().count { $0.action == "call-refused" } == 21)
  }
}
