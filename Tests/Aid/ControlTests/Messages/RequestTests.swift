import Testing

@testable import Control

@Suite("Requests") struct RequestTests {
  private func read(_ line: String) throws(Request.Refusal) -> Request {
    try Request(line: [UInt8](line.utf8))
  }

  @Test(
    "the identifier comes back as it was sent",
    arguments: [
      ("1", RequestIdentifier.number(1)), ("\"a\"", .string("a")), ("null", .null), ("-7", .number(-7)),
    ])
  func identifiers(text: String, identifier: RequestIdentifier) throws {
    let request = try read(#"{"jsonrpc":"2.0","id":\#(text),"method":"status","extra":[]}"#)
    #expect(request.identifier == identifier)
    let bytes = try JSON.bytes(Response(to: identifier, .success(.unsubscribed)))
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"id":\#(text),"jsonrpc":"2.0","result":{}}"#)
  }

  @Test("without an identifier it is a notification")
  func notification() throws {
    #expect(try read(#"{"jsonrpc":"2.0","method":"mute"}"#).identifier == nil)
  }

  @Test(
    "what is not a request is refused with JSON-RPC's code and a sentence",
    arguments: [
      ("", -32700, "request: found a line that is not JSON, expected one JSON-RPC 2.0 object a line."),
      ("{", -32700, "request: found a line that is not JSON, expected one JSON-RPC 2.0 object a line."),
      ("mute", -32700, "request: found a line that is not JSON, expected one JSON-RPC 2.0 object a line."),
      (
        "[{\"jsonrpc\":\"2.0\"}]", -32600,
        "request: found a batch, expected one object a line. Send the calls one by one."
      ),
      ("5", -32600, "request: found a number, expected a JSON-RPC 2.0 object."),
      ("{}", -32600, "jsonrpc: found nothing, expected \"2.0\"."),
      (#"{"jsonrpc":"1.0"}"#, -32600, "jsonrpc: found \"1.0\", expected \"2.0\"."),
      (#"{"jsonrpc":2.0}"#, -32600, "jsonrpc: found a number, expected \"2.0\"."),
      (#"{"jsonrpc":"2.0"}"#, -32600, "method: found nothing, expected a string."),
      (#"{"jsonrpc":"2.0","method":[]}"#, -32600, "method: found an array, expected a string."),
      (
        #"{"jsonrpc":"2.0","id":{},"method":"a"}"#, -32600,
        "id: found an object, expected a string or a whole number."
      ),
      (
        #"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, -32600,
        "id: found a number, expected a string or a whole number."
      ),
      (String(repeating: "[", count: 60_000), -32600, "request: found more than 16 levels of nesting."),
      (
        String(repeating: "{\"a\":", count: 10_000), -32600,
        "request: found more than 16 levels of nesting."
      ),
    ])
  func refuses(line: String, code: Int, message: String) {
    do throws(Request.Refusal) {
      _ = try read(line)
      Issue.record("not refused")
    } catch {
      #expect(error.failure.code.rawValue == code)
      #expect(error.failure.message == message)
    }
  }

  @Test("brackets inside strings do not nest")
  func depth() {
    #expect(JSON.depth(of: [UInt8](#"{"a":"[[[\"[[","b":[{}]}"#.utf8)) == 3)
    #expect(JSON.depth(of: [UInt8]("]]]".utf8)) == 0)
  }

  @Test("bytes that are not UTF-8 are refused")
  func encoding() {
    let line = [UInt8](#"{"jsonrpc":"2.0","method":""#.utf8) + [0xFF] + [UInt8]("\"}".utf8)
    #expect(throws: Request.Refusal.self) { try Request(line: line) }
  }

  // MARK: - Calls

  private func call(_ method: String, _ parameters: String?) throws -> ControlCall {
    let value = try parameters.map { try JSON.value(RPCValue.self, from: [UInt8]($0.utf8)) }
    return try ControlCall(method: method, parameters: value)
  }

  @Test("every method is understood by its name")
  func methods() throws {
    let simple = ControlCall.methods.filter {
      !(BookCall.methods + ProgramCall.methods + FeedbackCall.methods).contains($0)
    }
    for method in simple {
      #expect(try call(method, nil).method == method)
    }
    let changes = try simple.filter { try call($0, nil).isChange }
    #expect(changes == ["start", "stop", "mute", "unmute", "reload", "shutdown"])
  }

  @Test(
    "every call about the book comes back as it was sent; a card's text is only for those who may change")
  func bookCalls() throws {
    let calls: [BookCall] = [
      .load(card: "shc:/56"), .list, .card(number: nil), .card(number: 3), .use("music"),
      .beginTrial(nil, seconds: 60), .beginTrial("2", seconds: 1200), .accept, .revert,
      .enrol(card: "shc:/57", fingerprint: "AB CD"), .revoke(fingerprint: "ABCD"), .clinics,
      .audit(count: 5), .verifyAudit, .backUp(path: "/a", passphrase: "four words are enough"),
      .correctClock,
    ]
    #expect(Set(calls.map(\.method)) == Set(BookCall.methods))
    for sent in calls {
      #expect(try ControlCall(method: sent.method, parameters: sent.parameters) == .book(sent))
    }
    let reading: Set = ["prescription.list", "trust.list", "audit.show", "audit.verify"]
    #expect(Set(calls.filter { !$0.isChange }.map(\.method)) == reading)
  }

  @Test(
    "what a call about the book lacks is named",
    arguments: [
      ("prescription.load", nil, "card: found nothing, expected a text."),
      ("prescription.use", #"{"wanted":3}"#, "wanted: found a number, expected a text."),
      ("prescription.try", #"{"seconds":0}"#, "seconds: found 0, expected a whole number, 1 to 100000000."),
      ("audit.show", #"{"count":"all"}"#, "count: found a string, expected a whole number, 1 to 1000."),
    ] as [(String, String?, String)])
  func wrongBookCalls(method: String, parameters: String?, message: String) throws {
    let failure = try #require(throws: ControlFailure.self) { try call(method, parameters) }
    #expect(failure.code == .invalidParameters)
    #expect(failure.message == message)
  }

  @Test("parameters that are not known are ignored")
  func unknownParameters() throws {
    #expect(try call("mute", #"{"ear":"left"}"#) == .mute)
  }

  @Test("a subscription has topics and an interval, with defaults for both")
  func subscription() throws {
    #expect(try call("subscribe", nil) == .subscribe(Subscription(to: [.state, .meters], every: 1)))
    #expect(
      try call("subscribe", #"{"topics":["meters"],"interval_seconds":0.05}"#)
        == .subscribe(Subscription(to: [.meters], every: 0.05)))
    let call = ControlCall.subscribe(Subscription(to: [.state], every: 2))
    #expect(try ControlCall(method: call.method, parameters: call.parameters) == call)
  }

  @Test(
    "wrong calls are refused with a sentence",
    arguments: [
      (
        "mut", nil, -32601,
        "method: found \"mut\", expected start, stop, mute, unmute, reload, shutdown, status, devices, version,"
          + " subscribe, unsubscribe, prescription.load, prescription.list, prescription.card, prescription.use,"
          + " prescription.try, prescription.accept, prescription.revert, trust.add, trust.revoke, trust.list,"
          + " audit.show, audit.verify, book.backup, book.clock, program.list, program.use, program.volume,"
          + " program.tone, feedback.borrow, feedback.renew, feedback.return, feedback.keep or feedback.clear. Did you mean \"mute\"?"
      ),
      (
        "status", "[1]", -32602, "params: found an array, expected an object of named parameters."
      ),
      (
        "subscribe", #"{"topics":"state"}"#, -32602,
        "topics: found a string, expected an array of \"state\" and \"meters\"."
      ),
      (
        "subscribe", #"{"topics":["levels"]}"#, -32602,
        "topics: found \"levels\", expected an array of \"state\" and \"meters\"."
      ),
      (
        "subscribe", #"{"interval_seconds":0.01}"#, -32602,
        "interval_seconds: found 0.01, expected 0.05 to 60."
      ),
      (
        "subscribe", #"{"interval_seconds":"1"}"#, -32602,
        "interval_seconds: found a string, expected 0.05 to 60."
      ),
    ] as [(String, String?, Int, String)])
  func wrongCalls(method: String, parameters: String?, code: Int, message: String) throws {
    do {
      _ = try call(method, parameters)
      Issue.record("not refused")
    } catch let failure as ControlFailure {
      #expect(failure.code.rawValue == code)
      #expect(failure.message == message)
    }
  }
}
