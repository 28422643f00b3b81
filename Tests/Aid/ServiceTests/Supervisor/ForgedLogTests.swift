import Base
import CommonTesting
import Glibc
import Testing

@Suite("Text from outside in the log") struct ForgedLogTests {
  @Test("a line break in a path that somebody has chosen begins no line")
  func path() {
    let folder = TemporaryFolder()
    let descriptor = open(folder.file("log"), O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let log = MessageLog(threshold: .info, environment: [:], descriptor: descriptor)
    let failure = Failure(
      "/tmp/a\n<5>muted", found: "no folder to make it in", exit: .cannotCreate)
    log.write(.warning, "book.backup by user 1000, process 7 failed: \(failure.logMessage)")
    let text = String(decoding: folder.bytes(of: "log"), as: UTF8.self)
    #expect(text.count { $0 == "\n" } == 1 && text.hasSuffix("\n"))
    #expect(text.contains("warning: book.backup by user 1000, process 7 failed: /tmp/a?<5>muted: found"))
  }
}
