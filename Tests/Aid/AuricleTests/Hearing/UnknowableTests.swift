import Control
import Testing

@testable import AuricleCommands

@Suite("Members of an answer that may not be known") struct UnknowableTests {
  @Test("one that is not known is null in JSON, and one that is known stands as it is, empty too")
  func json() throws {
    #expect(try JSON.text(["a": Unknowable<[Double]>(nil)]) == #"{"a":null}"#)
    #expect(try JSON.text(["a": Unknowable<[Double]>([])]) == #"{"a":[]}"#)
    #expect(try JSON.text(["a": Unknowable([125.0, 250])]) == #"{"a":[125,250]}"#)
  }
}
