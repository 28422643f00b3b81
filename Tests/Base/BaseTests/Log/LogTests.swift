import CommonTesting
import Glibc
import Testing

@testable import Base

@Suite("Log") struct LogTests {
  @Test(
    "levels have syslog's severities",
    arguments: [
      (LogLevel.error, 3), (.warning, 4), (.notice, 5), (.info, 6), (.debug, 7),
    ])
  func severities(level: LogLevel, severity: Int) {
    #expect(level.severity == severity)
    #expect(LogLine(level, "a").journal == "<\(severity)>a\n")
    #expect(level <= .error && level >= .debug)
  }

  @Test("every line of a message has its priority, and nothing that could act on a terminal")
  func journal() {
    #expect(LogLine(.info, "one\ntwo\u{1B}[31m\ttab é").journal == "<6>one\n<6>two?[31m\ttab é\n")
  }

  @Test("outside the journal a line begins with the time in ISO 8601 and the level")
  func plain() throws {
    let line = LogLine(.warning, "a\nb").plain(at: 0.5)
    let stamp = #/(1970-01-01|1969-12-31)T\d\d:\d\d:00[+-]\d{4}/#
    let lines = line.split(separator: "\n")
    #expect(lines.count == 2)
    for (text, message) in zip(lines, ["a", "b"]) {
      let match = try #require(text.prefixMatch(of: stamp))
      #expect(text[match.range.upperBound...] == " warning: \(message)")
    }
  }

  @Test("what is less important than the threshold is not written; JOURNAL_STREAM decides the form")
  func writing() throws {
    let folder = TemporaryFolder()
    let path = folder.file("log")
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    let environment = ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"]
    let log = MessageLog(threshold: .notice, environment: environment, descriptor: descriptor)
    #expect(log.isJournal)
    log.write(.info, "hidden")
    log.write(.notice, "shown")
    log.write(.error, "shown too")
    let text = String(decoding: try FileContent.bytes(of: path, limit: 1000), as: UTF8.self)
    #expect(text == "<5>shown\n<3>shown too\n")
    for other in ["\(status.st_dev):\(status.st_ino + 1)", "x:y", "", "1"] {
      #expect(
        !MessageLog(threshold: .info, environment: ["JOURNAL_STREAM": other], descriptor: descriptor)
          .isJournal)
    }
  }
}
