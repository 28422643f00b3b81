import Base
import Foundation
import Testing

@testable import Companion

@Suite("The aid's command as a process") struct AuricleProgramTests {
  /// Runs a shell script in the aid's place.
  private func run(_ script: String, _ arguments: [String] = []) throws -> ProgramEnd {
    try AuricleProgram(path: "/bin/sh").run(["-c", script, "auricle"] + arguments)
  }

  @Test("its words arrive as they are, both streams and the exit status come back")
  func words() throws {
    let end = try run(#"printf '%s|' "$@"; echo trouble >&2; exit 69"#, ["match", "a b", "", "ü'\"$x"])
    #expect(
      end.status == 69 && String(decoding: end.output, as: UTF8.self) == "match|a b||ü'\"$x|trouble\n")
    #expect(end.reason == "match|a b||ü'\"$x|trouble")
  }

  @Test("a signal is told apart from a status; output beyond 16 MB is read to its end and left out")
  func ends() throws {
    let killed = try run("echo '{\"record\":1'; kill -KILL $$")
    #expect(killed.status == nil && killed.report == nil)
    let long = try run("head -c 20000000 /dev/zero; exit 3")
    #expect(long.status == 3 && long.output.count <= (1 << 24) + (1 << 16))
    #expect(try run("exit 7").reason == "the aid's program ended with 7")
  }

  @Test(
    "one that is not there, or cannot be run, is said by its path; a name that leads nowhere is not found")
  func missing() {
    for path in ["/nonexistent/auricle", "/etc/passwd"] {
      #expect { try AuricleProgram(path: path).run([]) } throws: {
        "\($0)".hasPrefix("\(path): it does not start")
      }
      #expect(AuricleProgram.found(["COMPANION_AURICLE": path]) == nil)
    }
    #expect(AuricleProgram.found(["COMPANION_AURICLE": "/bin/sh"])?.path == "/bin/sh")
  }
}
