import CommonTesting
import Glibc
import Testing

@testable import Base

@Suite("FileTrust") struct FileTrustTests {
  private func trust(_ mode: mode_t, owner: uid_t = geteuid(), kind: mode_t = S_IFREG) -> FileTrust {
    FileTrust(path: "/p", owner: owner, mode: kind | mode)
  }

  @Test(
    "what others may write is refused, with what to do",
    arguments: [0o620, 0o602, 0o666, 0o777] as [mode_t])
  func changeable(mode: mode_t) throws {
    let failure = try #require(throws: Failure.self) { try trust(mode).refuseChangeable() }
    #expect(failure.exitStatus == .noPermission)
    #expect(failure.found.hasPrefix("Others may change it (mode \(String(mode, radix: 8)))"))
    #expect(failure.message.hasSuffix("chmod 600 /p"))
    let folder = try #require(throws: Failure.self) { try trust(mode, kind: S_IFDIR).refuseChangeable() }
    #expect(folder.message.hasSuffix("chmod 700 /p"))
  }

  @Test("what another user owns is refused; what is ours or root's is not")
  func owner() throws {
    let failure = try #require(throws: Failure.self) {
      try trust(0o600, owner: geteuid() + 1).refuseChangeable()
    }
    #expect(failure.found == "It belongs to user \(geteuid() + 1), not to user \(geteuid())")
    try trust(0o600).refuseChangeable()
    try trust(0o755, owner: 0, kind: S_IFDIR).refuseChangeable()
  }

  @Test(
    "who finds the files of another account in its home is told the command as that account; elsewhere none",
    .enabled(if: geteuid() != 65534),
    arguments: [("/nonexistent", true), ("/nonexistent/book", true), ("/nonexistents", false)])
  func account(path: String, isNamed: Bool) throws {
    // Debian's nobody, whose home is /nonexistent (base-passwd).
    let failure = try #require(throws: Failure.self) {
      try FileTrust(path: path, owner: 65534, mode: S_IFDIR | 0o700).refuseChangeable()
    }
    let remedy = try #require(failure.remedy)
    #expect(remedy.contains("whom it belongs to: sudo -u nobody ") == isNamed)
    #expect(remedy.hasSuffix(isNamed ? " …" : "whom it belongs to."))
  }

  @Test("what others may read is cautioned about, with what to do")
  func readable() {
    #expect(
      trust(0o644).cautionOfReaders("the passphrase")
        == "/p: others may use the passphrase (mode 644). Keep it to yourself: chmod 600 /p")
    #expect(trust(0o600).cautionOfReaders("the passphrase") == nil)
    #expect(FileTrust(of: "/nonexistent") == nil)
  }

  @Test("rights are those of the file that is there")
  func file() throws {
    let folder = TemporaryFolder()
    folder.write("x", to: "f")
    chmod(folder.file("f"), 0o646)
    #expect(throws: Failure.self) { try FileTrust(of: folder.file("f"))?.refuseChangeable() }
    chmod(folder.file("f"), 0o600)
    try FileTrust(of: folder.file("f"))?.refuseChangeable()
  }
}
