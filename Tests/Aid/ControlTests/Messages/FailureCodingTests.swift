import Base
import Testing

@testable import Control

@Suite("Failures on the socket") struct FailureCodingTests {
  @Test("a failure survives the way through JSON")
  func coding() throws {
    let failure = Failure("s", found: "f", expected: "e", remedy: "r", exit: .noPermission)
    #expect(try JSON.value(Failure.self, from: JSON.bytes(failure)) == failure)
  }

  @Test("a client is told all, whatever a log is told")
  func logged() throws {
    let plain = Failure("a.csv:3", found: "125 dB HL", expected: "less", exit: .badData)
    #expect(try JSON.text(plain.logged(asKind: "a level out of range")) == JSON.text(plain))
  }
}
