import Base
import Testing

@testable import AuricleCommands

@Suite("Questions with words for answers") struct InterviewTests {
  private let numbers = (1...12).map { "\($0)" }

  @Test("of ten and more, the first can be chosen, and so can each other one", arguments: 1...12)
  func many(_ number: Int) throws {
    #expect(try ScriptedPerson([("Which", "\(number)")]).choose("Which?", numbers) == "\(number)")
  }

  @Test(
    "a letter stands for the one word that begins with it; what stands for none or for several is asked again"
  )
  func letters() throws {
    let person = ScriptedPerson([("Which", "r"), ("Which", "x"), ("Which", "l")])
    #expect(try person.choose("Which?", ["left", "right", "room"]) == "left")
    #expect(person.heard.count == 2 && person.heard[0].contains("Found \"r\""))
  }

  @Test("texts and questions fit a terminal of 80 columns, in whole words; names of devices steer nothing")
  func columns() {
    let question =
      "Correct it and press Enter to try again, or type another device for the microphone, or l for a list:"
    let shown = TerminalInterview.shown(question)
    #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(shown.split(whereSeparator: \.isWhitespace) == question.split(separator: " "))
    #expect(TerminalInterview.shown("1. A\u{1B}[2J (hw)\n\n  Hz  left") == "1. A?[2J (hw)\n\n  Hz  left")
  }
}
