import AuricleClient
import Base
import Testing

@testable import ProofOfRole

@Suite("Connection of a proof") struct ProofConnectionTests {
  private let client = Client()

  private func fault(before deadline: Double = .infinity) -> ProofConnection.Fault? {
    do throws(ProofConnection.Fault) {
      _ = try client.connection.readLine(before: deadline)
      return nil
    } catch { return error }
  }

  @Test("a line is read to its end and no further")
  func lines() throws {
    client.send("first\nsecond\nthi")
    #expect(try client.connection.readLine() == Array("first".utf8))
    #expect(try client.connection.readLine() == Array("second".utf8))
    #expect(fault(before: SystemTime.monotonic) == .late)
  }

  @Test("a line of 4 KiB is read, one byte more is not")
  func longest() throws {
    client.send(String(repeating: "a", count: 4096) + "\n")
    #expect(try client.connection.readLine().count == 4096)
    client.send(String(repeating: "a", count: 4097) + "\n")
    #expect(fault() == .tooLong)
  }

  @Test("a client that leaves in the middle of a line has gone")
  func gone() {
    client.send("half")
    client.leave()
    #expect(fault() == .gone)
    #expect(!client.connection.send(.message("to nobody")))
  }
}
