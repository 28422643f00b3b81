import Base
import CommonTesting
import Control
import Testing

@testable import Service

/// One method more than the daemon has, all of it in this file.
struct Repeat: DaemonMethod {
  struct Reply: Codable, Hashable {
    let text: String
  }

  static let description = MethodDescription(
    "test.repeat", for: [.wearer], "Gives a text back, several times.",
    [
      MethodParameter("text", .text, "any"),
      MethodParameter("times", .whole(1...3), isOptional: true, "1 when left out"),
    ], answer: "'text'")

  let text: String
  var times: Int?

  func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<Reply> {
    .now(Reply(text: String(repeating: text, count: times ?? 1)))
  }
}

@Suite("One more method") struct OneMoreMethodTests {
  private let folder = TemporaryFolder()
  private let log = SharedLog()
  private var table: MethodTable {
    var table = MethodTable.daemon
    table.register(Repeat.self)
    return table
  }

  private func serve<Value>(_ body: (String) throws -> Value) throws -> Value {
    let server = try ServedSocket(
      path: folder.file("control.sock"), rule: .person, handler: StubHandler(table)
    ) { [log] in log.add($0) }
    server.start()
    defer { server.stop() }
    return try body(server.path)
  }

  @Test("it is answered over the socket, and the client gives its answer as its type")
  func answered() throws {
    try serve { path in
      let raw = try RawClient(path)
      raw.send(#"{"jsonrpc":"2.0","id":1,"method":"test.repeat","params":{"text":"a"}}"# + "\n")
      #expect(raw.line()?.contains(#""result":{"text":"a"}"#) == true)
      #expect(try ControlClient(path: path).ask(Repeat(text: "ab", times: 2)) == Repeat.Reply(text: "abab"))
    }
  }

  @Test("its parameters are checked by their description, and its name is known to the misspelt")
  func checked() throws {
    try serve { path in
      let raw = try RawClient(path)
      raw.send(#"{"jsonrpc":"2.0","id":1,"method":"test.repeat","params":{"text":"a","times":4}}"# + "\n")
      #expect(raw.line()?.contains("times: found 4, expected a whole number, 1 to 3.") == true)
      raw.send(#"{"jsonrpc":"2.0","id":2,"method":"test.repat"}"# + "\n")
      #expect(raw.line()?.contains(#"Did you mean \"test.repeat\"?"#) == true)
    }
  }

  @Test("a call of it is logged, and refused to those who may only read")
  func access() throws {
    let stranger = Peer(processID: 77, userID: 4003, groupID: 4004)
    var session = ControlSession(
      peer: stranger, methods: table, rule: AccessRule(userID: 4001, groupID: nil))
    guard
      case .done(let answer?, .refused(let name, _)?) = session.take(
        try ControlLine.request(Repeat(text: "a"), identifier: 1), now: 0)
    else {
      Issue.record("it was not refused")
      return
    }
    #expect(name == "test.repeat")
    #expect(String(decoding: answer, as: UTF8.self).contains(#""code":-32001"#))
    _ = try serve { path in try ControlClient(path: path).ask(Repeat(text: "a")) }
    #expect(log.all.map(\.level) == [.notice])
    #expect(log.all.map { $0.message.hasPrefix("test.repeat") } == [true])
  }

  @Test("it stands in the manual page")
  func manual() {
    let page = ControlManual(methods: table.descriptions).text
    for line in [
      ".It Cm test.repeat", "Gives a text back, several times.", ".It Ql times",
      "a whole number, 1 to 3, may be left out: 1 when left out",
    ] { #expect(page.contains(line + "\n"), "\(line)") }
  }
}
