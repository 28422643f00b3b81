import AuricleClient
import Base
import CommonTesting
import Glibc
import Testing

@testable import ProofOfRole

@Suite("Report of a proof") struct ProofReportTests {
  private let request = ProofRequest(challenge: String(repeating: "0f", count: 32), role: "developer")

  @Test("a socket in a person's folder is told nothing when somebody else listens there")
  func somebodyElse() throws {
    let folder = TemporaryFolder()
    let path = folder.file("control.sock")
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listening) }
    let address = try #require(UnixAddress(path))
    try #require(address.withPointer { bind(listening, $0, $1) } == 0 && listen(listening, 1) == 0)
    let peer = ProofPeer(userID: geteuid() + 1, name: "ada")
    #expect(
      throws: Failure(path, found: "a daemon that is not of user \(geteuid() + 1)", exit: .noPermission)
    ) { try ProofReport(request, peer, denied: nil).send(to: path, isUsersOwn: true) }
    let accepted = accept(listening, nil, nil)
    var byte: UInt8 = 0
    #expect(read(accepted, &byte, 1) == 0)
    close(accepted)
  }
}
