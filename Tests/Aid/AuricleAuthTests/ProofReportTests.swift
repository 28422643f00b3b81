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
    ) {
      let target = ProofTarget(path: path, isUsersOwn: true, isUsual: true)
      _ = try ProofReport(request, peer, denied: nil).send(to: target)
    }
    let accepted = accept(listening, nil, nil)
    var byte: UInt8 = 0
    #expect(read(accepted, &byte, 1) == 0)
    close(accepted)
  }

  @Test("an aid whose user is not its operator is asked for no proof, with the way to the one that counts")
  func clinics() throws {
    let refusal = #expect(throws: Failure.self) {
      try ProofTarget.check(["wearer_is_operator": .boolean(false)], 1000)
    }
    #expect(
      refusal?.message
        == "hearing aid: It is a clinic's, and takes no proof from a program of user 1000. "
        + "Use the system's auricle-auth: systemctl enable --now auricle-auth.socket")
    #expect(refusal?.exitStatus == .noPermission)
    for device in [["wearer_is_operator": .boolean(true)], [:]] as [JSONValue] {
      try ProofTarget.check(device, 1000)
    }
  }

  @Test(
    "where no daemon is at the usual socket, the way to name another one is told, and not where one was named"
  )
  func nobody() {
    let folder = TemporaryFolder()
    let path = folder.file("control.sock")
    func failure(isUsual: Bool) -> Failure? {
      do throws(Failure) {
        let target = ProofTarget(path: path, isUsersOwn: false, isUsual: isUsual)
        _ = try target.connection(for: ProofPeer(userID: geteuid(), name: "ada"))
        return nil
      } catch { return error }
    }
    let (usual, named) = (failure(isUsual: true), failure(isUsual: false))
    for failure in [usual, named] {
      #expect(failure?.exitStatus == .unavailable && failure?.subject == "control socket \(path)")
      #expect(failure?.found == "no daemon there" && failure?.expected == "a running auricled")
    }
    let edit = "systemctl \(geteuid() == 0 ? "" : "--user ")edit auricle-auth@.service"
    #expect(usual?.remedy?.contains("\(edit), with the lines [Service], ExecStart= and ExecStart=") == true)
    #expect(named?.remedy?.contains("auricle-auth") == false)
  }
}
