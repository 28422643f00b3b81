import Foundation
import Testing

@testable import Companion

@Suite("The mail program") struct SendmailTests {
  /// A program in a file, written by another process: one that is started here meanwhile would hold it open, and a file that is written is not
  /// run (ETXTBSY, execve(2)).
  private func write(_ script: String, to path: String) throws {
    _ = try AuricleProgram(path: "/bin/sh").run([
      "-c", #"printf %s "$1" >"$0" && chmod 755 "$0""#, path, script,
    ])
  }

  @Test("a mail program that goes without reading ends nobody, and counts by its status")
  func unread() throws {
    let message = Message(to: "ben@example.org", subject: "s", text: String(repeating: "a", count: 16_000))
    // A pipe would raise SIGPIPE where the program is the faster one.
    for _ in 0..<20 { try Sendmail("/bin/true").send(message) }
  }

  @Test("a mail program gets the message on its standard input; one that is missing or fails is a reason")
  func sendmail() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("sendmail").path
    let kept = folder.appendingPathComponent("kept").path
    try write("#!/bin/sh\ncat >\(kept)\necho \"$*\" >>\(kept)\n", to: program)
    let message = Message(to: "ben@example.org", subject: "S", text: "T")
    try Sendmail(program).send(message)
    let text = try String(contentsOfFile: kept, encoding: .utf8)
    #expect(
      text
        == "To: ben@example.org\nSubject: S\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        + "Content-Transfer-Encoding: 8bit\n\nT\n-t -i\n")
    #expect(throws: MessageFailure.self) { try Sendmail(folder.path + "/nothing").send(message) }
    #expect(throws: MessageFailure("/bin/false ended with 1")) { try Sendmail("/bin/false").send(message) }
    #expect(throws: MessageFailure.self) {
      try Sendmail(program).send(Message(to: "a@b.org\nBcc: c@d.org", subject: "S", text: "T"))
    }
  }

  /// A program that never ends and reads nothing, at most as long as a message may be.
  @Test(
    "a mail program that hangs is ended with all that it started, and the message counts as not delivered")
  func hanging() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("sendmail").path
    // Open for writing for as long as the program or a child of it lives.
    let life = folder.appendingPathComponent("life").path
    #expect(mkfifo(life, 0o600) == 0)
    let end = open(life, O_RDONLY | O_NONBLOCK)
    defer { close(end) }
    try write("#!/bin/sh\nexec 3>\(life)\ntrap '' TERM\nsleep 1000 &\nwait\n", to: program)
    let message = Message(to: "ben@example.org", subject: "S", text: String(repeating: "t", count: 16_000))
    #expect(throws: MessageFailure("\(program) did not end within 1 s, and was ended")) {
      try Sendmail(program, patience: 1).send(message)
    }
    // The end comes once nobody has it open any longer.
    _ = fcntl(end, F_SETFL, 0)
    var byte: UInt8 = 0
    #expect(read(end, &byte, 1) == 0)
    #expect(throws: MessageFailure.self) {
      try Sendmail(program, patience: 1).send(
        Message(to: "b@example.org", subject: "S", text: String(repeating: "t", count: 20_000)))
    }
  }
}
