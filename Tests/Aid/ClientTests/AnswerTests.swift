import AuricleClient
import Base
import Foundation
import Testing

@Suite("Answers that a client reads")
struct AnswerTests {
  private let done = #"{"id":1,"jsonrpc":"2.0","protocol":{"major":1,"minor":0},"result":{"muted":true}}"#

  private func call(_ lines: [String], timeout: Double = 20) throws -> JSONValue {
    try FakeDaemon().client(timeout: timeout, answering: lines).call("status")
  }

  @Test("a result comes with the daemon's version")
  func result() throws {
    let client = try FakeDaemon().client(answering: [done])
    #expect(client.version == nil)
    #expect(try client.call("status") == ["muted": true])
    #expect(client.version.map(\.description) == "1.0")
  }

  @Test(
    "a refusal is its code, sentence and failure; a code of a newer daemon is a fault of it",
    arguments: [
      (-32602, ControlFailure.Code.invalidParameters), (-32001, .notPermitted), (-32099, .internal),
      (7, .internal),
    ])
  func refused(number: Int, code: ControlFailure.Code) throws {
    let line = #"{"id":1,"jsonrpc":"2.0","error":{"code":\#(number),"message":"No."}}"#
    let client = try FakeDaemon().client(answering: [line])
    let refusal = #expect(throws: CallFailure.self) { try client.call("program.use") }
    guard case .refused(let failure) = refusal else {
      Issue.record("nothing was refused")
      return
    }
    #expect(failure.code == code && failure.message == "No." && failure.failure == nil)
    #expect(refusal?.description == "No." && failure.logMessage == "No.")
  }

  @Test(
    "what cannot be read is another protocol, and says to install one version",
    arguments: [
      "", "no JSON", "null", "[]", #"{"id":1,"jsonrpc":"2.0"}"#, #"{"id":2,"jsonrpc":"2.0","result":{}}"#,
      #"{"id":"1","jsonrpc":"2.0","result":{}}"#, #"{"id":1,"error":{"code":"x"}}"#,
      #"{"id":2,"jsonrpc":"2.0","error":{"code":-32602,"message":"No."}}"#,
      #"{"id":1,"id":1,"jsonrpc":"2.0","result":{}}"#,
      #"{"method":"state","params":{"sequence":1.5,"state":{}}}"#,
      #"{"id":1,"protocol":{"major":2,"minor":0},"result":{}}"#, "\u{FFFD}", #"{"id":1,"result":"#,
    ])
  func unreadable(line: String) throws {
    let found = try #require(connectionFailure { try call([line]) })
    #expect(found.exitStatus == .protocolMismatch)
    #expect(found.remedy?.contains("same version") == true)
  }

  @Test("an answer longer than a mebibyte is not kept in memory")
  func tooLong() throws {
    let daemon = try FakeDaemon()
    let client = try daemon.client()
    // More than a socket holds: it is written while the client reads, on a thread that no other test keeps busy.
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      daemon.send(String(repeating: "a", count: (1 << 20) + 4096))
      done.signal()
    }
    let found = try #require(connectionFailure { try client.call("devices") })
    #expect(
      found.exitStatus == .protocolMismatch && found.found == "an answer of more than 1048576 bytes")
    daemon.endSending()
    done.wait()
  }

  @Test("a daemon that hangs up, or says nothing in time, is unavailable")
  func silence() throws {
    let daemon = try FakeDaemon()
    let client = try daemon.client(timeout: 0.05)
    let silent = try #require(connectionFailure { try client.call("status") })
    #expect(silent.exitStatus == .unavailable && silent.found == "no answer to status in 0.05 s")
    daemon.hangUp()
    let gone = try #require(connectionFailure { try client.call("status") })
    #expect(gone.exitStatus == .unavailable && gone.found == "that the daemon hung up")
    #expect(connectionFailure { try client.nextNotification(timeout: 1) }?.exitStatus == .unavailable)
    #expect(CallFailure.connection(gone).description == gone.message)
  }

  @Test("a daemon that sends without a pause keeps nobody beyond the time")
  func flood() throws {
    let daemon = try FakeDaemon()
    let client = try daemon.client(timeout: 0.05)
    // Of a call that nobody waits for any longer, so that each line is passed over.
    let lines = String(repeating: #"{"id":0,"jsonrpc":"2.0","result":{}}"# + "\n", count: 400)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while daemon.send(lines) {}
      done.signal()
    }
    let failure = connectionFailure { try client.call("status") }
    #expect(failure?.exitStatus == .unavailable && failure?.found == "no answer to status in 0.05 s")
    #expect(try client.nextNotification(timeout: 0) == nil)
    #expect(try client.nextNotification(timeout: .nan) == nil)
    daemon.endSending()
    done.wait()
  }

  @Test("an answer that comes after its call was given up is not that of the next one")
  func late() throws {
    let daemon = try FakeDaemon()
    let client = try daemon.client(timeout: 0.05)
    for _ in 1...2 {
      #expect(connectionFailure { try client.call("status") }?.exitStatus == .unavailable)
    }
    daemon.send(done + "\n")
    daemon.send(#"{"id":2,"jsonrpc":"2.0","error":{"code":-32602,"message":"Late."}}"# + "\n")
    daemon.send(#"{"id":3,"jsonrpc":"2.0","result":{"muted":false}}"# + "\n")
    #expect(try client.call("status") == ["muted": false])
    #expect(client.version.map(\.description) == "1.0")
  }

  @Test("an error that answers nothing in particular is the call's")
  func unaddressed() throws {
    let line = #"{"id":null,"jsonrpc":"2.0","error":{"code":-32003,"message":"Too slow."}}"#
    let client = try FakeDaemon().client(answering: [line])
    let refusal = #expect(throws: CallFailure.self) { try client.call("status") }
    guard case .refused(let failure) = refusal else {
      Issue.record("nothing was refused")
      return
    }
    #expect(failure.code == .tooSlow)
  }

  @Test("notifications between question and answer wait, the newest 64 of them, in their order")
  func notifications() throws {
    let news = (1...70).map {
      #"{"method":"state","params":{"sequence":\#($0),"state":{"name":"running"}}}"#
    }
    let daemon = try FakeDaemon()
    let client = try daemon.client(answering: news + [done])
    #expect(try client.call("status") == ["muted": true])
    for sequence in 7...70 {
      let notification = try #require(try client.nextNotification(timeout: 0))
      #expect(notification.sequence == sequence && notification.topic == "state")
      #expect(notification.content == ["name": "running"])
    }
    #expect(try client.nextNotification(timeout: 0) == nil)
    daemon.hangUp()
    #expect(throws: Failure.self) { try client.nextNotification(timeout: 0) }
  }

  @Test("what is no notification is passed over while one is waited for")
  func others() throws {
    let lines = [
      "no JSON", #"{"method":"state","params":{"state":{}}}"#,
      #"{"method":"state","params":{"sequence":1}}"#, done,
      #"{"method":"meters","params":{"sequence":2,"meters":{"load":0.5}}}"#,
    ]
    let client = try FakeDaemon().client(answering: lines)
    #expect(try client.nextNotification(timeout: 20)?.topic == "meters")
  }
}
