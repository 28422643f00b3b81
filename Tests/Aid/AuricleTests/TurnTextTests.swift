import Base
import Testing

@testable import AuricleCommands

@Suite("Volume and tone as they are typed") struct TurnTextTests {
  private func remedy(_ text: TurnText, _ word: String) -> String? {
    do throws(Failure) {
      _ = try text.turn([word])
      return nil
    } catch { return error.remedy }
  }

  @Test(
    "a number without a sign is refused with the command that turns up by it, in the words of what is turned"
  )
  func unsigned() {
    #expect(remedy(.volume, "3") == "Louder by that: auricle volume +3")
    #expect(remedy(.volume, "1.5") == "Louder by that: auricle volume +1.5")
    #expect(remedy(.tone, "3") == "Brighter by that: auricle tone +3")
  }

  @Test(
    "nothing is advised that would be refused too: numbers that are too great, or none, or have a sign already",
    arguments: ["999", "nan", "inf", "1e1", "0x2", "+1e400", "-999", "louder", ""])
  func refused(word: String) {
    #expect(remedy(.volume, word) == "For instance: auricle volume +2")
    #expect(remedy(.tone, word) == "For instance: auricle tone +2")
  }
}
