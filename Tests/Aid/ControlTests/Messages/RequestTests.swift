import Testing

@testable import Control

@Suite("Requests") struct RequestTests {
  private func read(_ line: String) -> Request { Request(line: [UInt8](line.utf8)) }

  @Test(
    "the identifier comes back as it was sent",
    arguments: [
      "1", "\"a\"", "\"\u{e9}\\\"\"", "null", "-7", "9007199254740993", "123456789012345678901",
    ])
  func identifiers(text: String) throws {
    let request = read(#"{"jsonrpc":"2.0","id":\#(text),"method":"status","extra":[]}"#)
    #expect(request.identifier == text)
    let bytes = ControlLine.response(
      to: try #require(request.identifier), .success([String: Bool]()), version: nil)
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"id":\#(text),"jsonrpc":"2.0","result":{}}"#)
  }

  @Test("without an identifier it is a notification")
  func notification() throws {
    #expect(read(#"{"jsonrpc":"2.0","method":"mute"}"#).identifier == nil)
  }

  private static let notJSON =
    "request: found a line that is not JSON, expected one JSON-RPC 2.0 object a line. At byte "

  @Test(
    "what is not a request is refused with JSON-RPC's code and a sentence",
    arguments: [
      ("", -32700, notJSON + "0: the text ends where a value is expected."),
      ("{", -32700, notJSON + "1: expected a key in double quotes."),
      ("mute", -32700, notJSON + "0: \"mute\" is not a value."),
      (#"{"id":1,"id":2}"#, -32700, notJSON + "8: \"id\" given twice."),
      (
        "[{\"jsonrpc\":\"2.0\"}]", -32600,
        "request: found a batch, expected one object a line. Send the calls one by one."
      ),
      ("5", -32600, "request: found a number, expected a JSON-RPC 2.0 object."),
      ("{}", -32600, "jsonrpc: found nothing, expected \"2.0\"."),
      (#"{"jsonrpc":"1.0"}"#, -32600, "jsonrpc: found \"1.0\", expected \"2.0\"."),
      (#"{"jsonrpc":2.0}"#, -32600, "jsonrpc: found a number, expected \"2.0\"."),
      (#"{"jsonrpc":"2.0"}"#, -32600, "method: found nothing, expected a text."),
      (#"{"jsonrpc":"2.0","method":[]}"#, -32600, "method: found a list, expected a text."),
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
    let failure = #expect(throws: ControlFailure.self) { try read(line).call.get() }
    #expect(failure?.code.rawValue == code)
    #expect(failure?.message == message)
    #expect(read(line).identifier == "null")
  }

  @Test("bytes that are not UTF-8 are refused")
  func encoding() {
    let line = [UInt8](#"{"jsonrpc":"2.0","method":""#.utf8) + [0xFF] + [UInt8]("\"}".utf8)
    #expect(throws: ControlFailure.self) { try Request(line: line).call.get() }
  }
}
