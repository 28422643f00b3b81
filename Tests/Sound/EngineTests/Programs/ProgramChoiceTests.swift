import Testing

@testable import Engine

@Suite("ProgramChoice") struct ProgramChoiceTests {
  @Test(
    "a program goes by its word or its name, or enough of the beginning of one",
    arguments: [
      ("quiet", "quiet"), ("q", "quiet"), ("conv", "conversation-in-noise"), ("Music", "music"),
      ("auto", "automatic"), ("o", "outdoors"), ("tele", "television"), ("telephone", "television"),
      ("tv", "television"), ("phone", "television"), ("Conversation in Noise", "conversation-in-noise"),
      ("conversation in", "conversation-in-noise"), ("television and telephone", "television"),
      ("loud", "loud"),
      ("Loud places", "loud"),
    ])
  func meant(text: String, word: String) {
    #expect(ProgramChoice.meant(by: text).map(\.word) == [word])
  }

  @Test(
    "what nothing begins with means nothing", arguments: ["", "jazz", "quieter", "-1", "musik", " quiet"])
  func unknown(text: String) { #expect(ProgramChoice.meant(by: text).isEmpty) }

  @Test("every choice comes back from its word, and no other word makes one")
  func words() {
    for choice in ProgramChoice.all { #expect(ProgramChoice(word: choice.word) == choice) }
    #expect(ProgramChoice.all.count == 7)
    #expect(Set(ProgramChoice.all.map(\.word)).count == 7)
    #expect(ProgramChoice(word: "auto") == nil)
  }
}
