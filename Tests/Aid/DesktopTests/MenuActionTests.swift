import Base
import Bus
import Testing

@testable import DesktopCommand
@testable import Service

@Suite("Actions of the desktop's menu") struct MenuActionTests {
  /// An answer of `auricle`, as auricle(1) has it: what was done, and the state that followed.
  private static func answer(
    _ message: String, _ state: String? = nil, muted: Bool = false, notes: String = ""
  ) -> MenuAnswer {
    let told = state.map { #","state":{"muted":\#(muted),"name":"\#($0)","since_unix_seconds":5}"# } ?? ""
    return MenuAnswer([UInt8](#"{"message":"\#(message)","notes":[\#(notes)],"schema":101\#(told)}"#.utf8))
  }

  @Test(
    "one that came to what the menu says is told by what is heard alone",
    arguments: [
      (.start, "running", false), (.unmute, "running", false), (.mute, "muted", true),
      (.mute, "stopped", true), (.stop, "stopped", false), (.stop, "stopped", true),
    ] as [(MenuAction, String, Bool)])
  func done(_ action: MenuAction, _ state: String, _ isMuted: Bool) {
    #expect(action.notice(Self.answer("Done.", state, muted: isMuted), status: .done) == nil)
  }

  @Test(
    "one after which the sound is another than the menu says is told in the words of the command",
    arguments: [
      (.start, "muted", true, .no, "Hearing aid: no sound"),
      (.start, "waiting-for-device", false, .temporary, "Hearing aid: no sound"),
      (.start, "faulted", false, .configuration, "Hearing aid: no sound"),
      // The command has taken the mute back, and is content.
      (.unmute, "stopped", false, .done, "Hearing aid: no sound"),
      (.unmute, "waiting-for-device", false, .done, "Hearing aid: no sound"),
      (.stop, "running", false, .done, "Hearing aid not stopped"),
      (.mute, "running", false, .done, "Hearing aid not muted"),
    ] as [(MenuAction, String, Bool, Base.ExitStatus, String)])
  func otherState(
    _ action: MenuAction, _ state: String, _ isMuted: Bool, _ status: Base.ExitStatus, _ summary: String
  ) throws {
    let answer = Self.answer("It is so.", state, muted: isMuted, notes: #""A note.""#)
    let notice = try #require(action.notice(answer, status: status))
    #expect(notice.summary == summary && notice.body == "It is so.\nA note.")
    // It stays until somebody has read it.
    #expect(notice.urgency == .critical && notice.isLasting && notice.action == nil)
  }

  @Test("a failure is told with what was found and what to do, and the text steers nothing")
  func failure() throws {
    let failure = Failure(
      "control socket /run/a\u{1B}[2J", found: "no daemon there", expected: "a running auricled",
      remedy: "Start it: auricle start.", exit: .unavailable)
    let output = FailureText(program: "auricle", json: true).text(for: [failure])
    let notice = try #require(
      MenuAction.mute.notice(MenuAnswer([UInt8](output.utf8)), status: .unavailable))
    #expect(
      notice.body
        == "control socket /run/a?[2J: found no daemon there, expected a running auricled. Start it: auricle start."
    )
    #expect(notice.summary == "Hearing aid not muted")
  }

  @Test("a stop where no daemon runs is one, unless another's may play all the same")
  func stopped() {
    #expect(MenuAction.stop.notice(Self.answer("Sound is off: no daemon runs."), status: .done) == nil)
    let other = Self.answer("Sound is off: no daemon runs.", notes: #""The system's may play.""#)
    #expect(MenuAction.stop.notice(other, status: .done)?.body.contains("may play") == true)
    let elsewhere = Self.answer(
      "No daemon runs on /a, which AURICLE_SOCKET names, nor in the usual places.",
      notes: #""One on another socket would play on.""#)
    #expect(MenuAction.stop.notice(elsewhere, status: .done)?.summary == "Hearing aid not stopped")
  }

  @Test("words of a program that has no JSON are told as they are, and an ending without any by its number")
  func plain() {
    let answer = MenuAnswer([UInt8]("Illegal instruction\n".utf8))
    #expect(MenuAction.start.notice(answer, status: .software)?.body == "Illegal instruction")
    let silent = MenuAction.start.notice(MenuAnswer([]), status: .software)
    #expect(silent?.body == "auricle start ended with exit status 70.")
  }

  @Test("a caution of the sound that plays is left to the status")
  func cautions() {
    let answer = Self.answer("Sound is on.", "running", notes: #""Not calibrated: levels are estimates.""#)
    #expect(MenuAction.start.notice(answer, status: .done) == nil)
  }

  @Test("sound that nothing amplifies is told in the words of the start, and unmute says nothing of it")
  func unfitted() throws {
    let answer = Self.answer("Sound is on.", "running", notes: "\"\(StatusReport.notFitted)\"")
    let notice = try #require(MenuAction.start.notice(answer, status: .done))
    #expect(notice.summary == "Hearing aid: nothing is amplified" && notice.urgency == .normal)
    #expect(notice.body == "Sound is on.\n\(StatusReport.notFitted)" && notice.isLasting)
    #expect(MenuAction.unmute.notice(answer, status: .done) == nil)
  }

  @Test("sound that drop-outs keep down is told as next to none, and its notice ends with full sound")
  func dropouts() throws {
    let state = #"{"muted":false,"name":"running","reason":"it drops out","since_unix_seconds":5}"#
    let answer = MenuAnswer(
      [UInt8](#"{"message":"Sound is on: it drops out.","notes":[],"state":\#(state)}"#.utf8))
    for action in [MenuAction.start, .unmute] {
      let notice = try #require(action.notice(answer, status: .done))
      #expect(notice.summary == "Hearing aid nearly silent: drop-outs" && notice.urgency == .normal)
      #expect(notice.body == "Sound is on: it drops out." && notice.isLasting)
      #expect(action.isSilent(answer))
    }
    #expect(MenuAction.stop.notice(answer, status: .done)?.summary == "Hearing aid not stopped")
  }

  @Test("sound ends the notice of a start or an end of a mute that came to none, and no other notice")
  func silence() {
    let (running, waiting) = (
      Self.answer("Sound is on.", "running"), Self.answer("Waiting.", "waiting-for-device")
    )
    for action in [MenuAction.start, .unmute] {
      #expect(action.isSilent(waiting) && action.isSilent(MenuAnswer([])) && !action.isSilent(running))
    }
    for action in [MenuAction.stop, .mute] {
      #expect(!action.isSilent(running) && !action.isSilent(MenuAnswer([])))
    }
  }
}
