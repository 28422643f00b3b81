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
}
