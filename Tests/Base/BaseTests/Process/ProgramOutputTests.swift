import Glibc
import Testing

@testable import Base

@Suite("Output of a program") struct ProgramOutputTests {
  /// Of a shell's text.
  private func output(
    _ text: String, _ arguments: [String] = [], hasErrors: Bool = false
  ) -> ProgramOutput? {
    ProgramOutput(
      of: "/bin/sh", ["-c", text, "program"] + arguments, hasErrors: hasErrors, limit: 1 << 16,
      patience: 600)
  }

  @Test("what it writes is read to the end, with its exit status, and its words reach it")
  func whole() throws {
    let read = try #require(output("echo \"$2\"; exit 3", ["a", "b c"]))
    #expect(String(decoding: read.bytes, as: UTF8.self) == "b c\n" && read.ending == .exit(3))
    #expect(output("kill -KILL $$")?.ending == .signal(SIGKILL))
  }

  @Test("standard error is dropped, or taken with the rest where it is asked for")
  func errors() {
    #expect(output("echo wrong >&2")?.bytes == [])
    #expect(output("echo right; echo wrong >&2", hasErrors: true)?.bytes == [UInt8]("right\nwrong\n".utf8))
  }

  @Test("it has no input to wait for")
  func input() { #expect(output("cat")?.bytes == []) }

  @Test("one that goes on after its output has ended is waited for, as long as for any")
  func closedOutput() throws {
    let read = try #require(output("echo done; exec >&-; sleep 0.2; exit 4"))
    #expect(String(decoding: read.bytes, as: UTF8.self) == "done\n" && read.ending == .exit(4))
    #expect(
      ProgramOutput(
        of: "/bin/sh", ["-c", "exec >&-; exec sleep 600"], hasErrors: false, limit: 16, patience: 0.5)
        == nil)
  }

  @Test("one that writes without end, takes too long or is not there has none")
  func limits() {
    #expect(output("exec cat /dev/zero") == nil)
    #expect(ProgramOutput(of: "/bin/sleep", ["60"], limit: 16, patience: 0.1) == nil)
    #expect(ProgramOutput(of: "/nonexistent/program", limit: 16, patience: 600) == nil)
  }
}
