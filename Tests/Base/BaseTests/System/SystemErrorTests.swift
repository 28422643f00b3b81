import Glibc
import Testing

@testable import Base

@Suite("System errors") struct SystemErrorTests {
  @Test("a call that failed is shown with the system's words, its first letter small, and its number")
  func words() {
    let error = SystemError(call: "open", code: ENOENT)
    #expect(error.description == "open: no such file or directory (errno 2)")
    #expect(error.words == "no such file or directory")
    // strerror: "RPC struct is bad".
    #expect(SystemError.words(for: 72).first?.isUppercase == true || SystemError.words(for: 72) != "")
  }

  @Test("a process ends by its exit status or by a signal, with or without a core file")
  func endings() {
    #expect([0, 78 << 8, 255 << 8].map(ProcessEnding.init(status:)) == [.exit(0), .exit(78), .exit(255)])
    #expect(
      [SIGSEGV, SIGKILL, SIGABRT | 0x80].map(ProcessEnding.init(status:))
        == [.signal(SIGSEGV), .signal(SIGKILL), .signal(SIGABRT)])
  }
}
