import Testing

@testable import Base

@Suite("Failures") struct FailureTests {
  @Test(
    "exit codes are those of sysexits.h and of shells",
    arguments: [
      (Base.ExitStatus.done, 0), (.no, 1), (.usage, 64), (.badData, 65), (.noInput, 66),
      (.unavailable, 69),
      (.software, 70), (.system, 71), (.cannotCreate, 73), (.inputOutput, 74), (.temporary, 75),
      (.protocolMismatch, 76), (.noPermission, 77), (.configuration, 78), (.interrupted, 130),
      (.terminated, 143),
    ] as [(Base.ExitStatus, Int32)])
  func codes(status: Base.ExitStatus, code: Int32) {
    #expect(status.rawValue == code)
  }

  @Test("a message says where, what was found, what was expected and what to do")
  func message() {
    let whole = Failure("a.wav", found: "no sound", expected: "sound", remedy: "Play.", exit: .badData)
    #expect(whole.message == "a.wav: found no sound, expected sound. Play.")
    #expect(Failure("a.wav", found: "no sound", exit: .badData).message == "a.wav: found no sound.")
  }

  @Test("a log is told place and kind only")
  func logged() throws {
    let plain = Failure("a.csv:3", found: "125 dB HL", expected: "less", exit: .badData)
    let failure = plain.logged(asKind: "a level out of range", remedy: "Look.")
    #expect(plain.logMessage == plain.message && failure.message == plain.message)
    #expect(failure.logMessage == "a.csv:3: found a level out of range. Look.")
    #expect(
      FailureText(program: "auricled", isLog: true).text(for: [failure, plain])
        == "auricled: a.csv:3: found a level out of range. Look.\nauricled: \(plain.message)\n")
  }

  @Test("several failures are written one a line, or as one JSON object; the first decides the exit")
  func text() {
    let failures = [
      Failure("a:1", found: "x", expected: "y", exit: .configuration),
      Failure("b", found: "z", exit: .system),
    ]
    #expect(
      FailureText(program: "auricle").text(for: failures)
        == "auricle: a:1: found x, expected y.\nauricle: b: found z.\n")
    #expect(
      FailureText(program: "auricle", json: true).text(for: failures)
        == #"{"errors":[{"exit_status":78,"expected":"y","found":"x","message":"a:1: found x, expected y.","#
        + #""subject":"a:1"},{"exit_status":71,"found":"z","message":"b: found z.","subject":"b"}],"#
        + #""exit_status":78,"schema":100}"# + "\n")
    #expect(FailureText.exitStatus(for: failures) == .configuration)
  }
}
