import Base
import Testing

@testable import AuricleCommands

@Suite("Terminal") struct TerminalTests {
  @Test(
    "colour follows the choice, then NO_COLOR, CLICOLOR_FORCE, TERM and the terminal",
    arguments: [
      (ColorChoice.always, ["NO_COLOR": "1"], false, true), (.never, ["CLICOLOR_FORCE": "1"], true, false),
      (.auto, [:], true, true), (.auto, [:], false, false), (.auto, ["NO_COLOR": "1"], true, false),
      (.auto, ["NO_COLOR": ""], true, true), (.auto, ["CLICOLOR_FORCE": "1"], false, true),
      (.auto, ["CLICOLOR_FORCE": "0"], false, false),
      (.auto, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false),
      (.auto, ["TERM": "dumb"], true, false),
    ] as [(ColorChoice, [String: String], Bool, Bool)])
  func colour(choice: ColorChoice, environment: [String: String], isTerminal: Bool, isOn: Bool) {
    #expect(choice.isOn(environment: environment, isTerminal: isTerminal) == isOn)
  }

  private final class Screen {
    var text = ""
  }

  @Test("off a terminal there is no progress")
  func plainProgress() {
    let screen = Screen()
    var bar = ProgressBar("rendering", isTerminal: false) { screen.text += $0 }
    for share in [0, 0.05, 0.1, 0.1, 0.09, 0.55, .nan, 0.999] { bar.update(share) }
    bar.update(1)
    bar.end()
    bar.update(1)
    #expect(screen.text.isEmpty)
  }

  @Test("on a terminal progress is one bar that is written over")
  func terminalProgress() {
    let screen = Screen()
    var bar = ProgressBar("a", isTerminal: true) { screen.text += $0 }
    bar.update(0.5)
    bar.update(0.5001)
    bar.update(1)
    bar.end()
    let half = String(repeating: "#", count: 15) + String(repeating: "-", count: 15)
    let full = String(repeating: "#", count: 30)
    #expect(screen.text == "\ra [\(half)]  50 %\ra [\(full)] 100 %\n")
  }

  @Test("what is said meanwhile stands on a line of its own, and on a terminal the bar goes on below it")
  func spokenProgress() {
    let screen = Screen()
    var bar = ProgressBar("a", isTerminal: true) { screen.text += $0 }
    bar.update(0.5)
    bar.say("Once more.")
    let half = String(repeating: "#", count: 15) + String(repeating: "-", count: 15)
    // The bar is 40 characters long, the words 10.
    let rest = String(repeating: " ", count: 30)
    #expect(screen.text == "\ra [\(half)]  50 %\rOnce more.\(rest)\na [\(half)]  50 %")
    let plain = Screen()
    var lines = ProgressBar("a", isTerminal: false) { plain.text += $0 }
    lines.update(0.5)
    lines.say("Once more.")
    #expect(plain.text == "Once more.\n")
  }

  @Test("columns are as wide as their widest cell, marks not counted")
  func table() {
    var table = TextTable([.leading, .trailing, .leading])
    table.append(["a", "1", "x"])
    table.append([Style(isOn: true).bold("bcd"), "22"])
    #expect(table.text == "a     1  x\n\u{1B}[1mbcd\u{1B}[0m  22\n")
  }

  @Test(
    "numbers are rounded half away from zero, and what is no number is a dash",
    arguments: [
      (62.15, 1, "62.2"), (-3.04, 1, "−3.0"), (-0.04, 1, "0.0"), (84, 1, "84.0"), (2.5, 0, "3"),
      (1.005, 2, "1.00"), (0.05, 1, "0.1"), (.infinity, 1, "–"),
      (9.9e14, 4, "–"), (-1e18, 0, "–"), (1e13, 4, "10000000000000.0000"),
    ])
  func numbers(value: Double, places: Int, text: String) {
    #expect(NumberText.fixed(value, places) == text)
  }

  @Test(
    "durations are told in two units at most",
    arguments: [
      (5.9, "5 s"), (60, "1 min"), (3599, "59 min"), (11_520, "3 h 12 min"), (90_000, "1 d 1 h"),
      (-1, "0 s"),
    ])
  func durations(seconds: Double, text: String) {
    #expect(NumberText.duration(seconds) == text)
  }
}
