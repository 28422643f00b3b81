import Testing

@testable import Book

@Suite("Actor") struct ActorTests {
  @Test("the channel's words are those the audit trail keeps")
  func words() { #expect(Actor.Channel.allCases.map(\.rawValue) == ["socket", "command", "clock"]) }
}
