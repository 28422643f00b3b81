import Testing

@testable import Control

@Suite("Calls about programs") struct ProgramCallTests {
  private static func read(_ method: String, _ fields: [String: RPCValue]) throws -> ControlCall {
    try ControlCall(method: method, parameters: .object(fields))
  }

  @Test(
    "every call comes back from its method and parameters",
    arguments: [
      ProgramCall.list, .use("music"), .volume(.by(-2.5)), .volume(.reset), .tone(.by(1)), .tone(.reset),
    ])
  func roundTrip(call: ProgramCall) throws {
    let control = ControlCall.program(call)
    #expect(try ControlCall(method: control.method, parameters: control.parameters) == control)
    #expect(ControlCall.methods.contains(control.method))
    #expect(control.isChange == (call != .list))
  }

  private static let mistakes: [(method: String, fields: [String: RPCValue], message: String)] = [
    ("program.use", [:], "program: found nothing, expected a text."),
    ("program.use", ["program": RPCValue.integer(3)], "program: found a number, expected a text."),
    (
      "program.volume", ["change_db": .string("2")],
      "change_db: found a string, expected a number, -60 to 60."
    ),
    (
      "program.volume", ["change_db": .number(60.5)],
      "change_db: found 60.5, expected a number, -60 to 60."
    ),
    (
      "program.tone", [:],
      "params: found neither or both of change_db and reset, expected one: a number of dB, or true."
    ),
    (
      "program.tone", ["change_db": .integer(1), "reset": .bool(true)],
      "params: found neither or both of change_db and reset, expected one: a number of dB, or true."
    ),
    (
      "program.volume", ["reset": .bool(false)],
      "params: found neither or both of change_db and reset, expected one: a number of dB, or true."
    ),
  ]

  @Test("what is missing, of another kind or out of range is refused by name", arguments: mistakes)
  func refuses(method: String, fields: [String: RPCValue], message: String) {
    do throws(ControlFailure) {
      _ = try ControlCall(method: method, parameters: .object(fields))
      Issue.record("not refused")
    } catch {
      #expect(error.code == .invalidParameters)
      #expect(error.message == message)
    }
  }
}
