import Testing

@testable import Prescriptions

@Suite("Listening environment") struct ListeningEnvironmentTests {
  @Test("a known word is the known environment, any other the clinic's own")
  func words() throws {
    #expect(try ListeningEnvironment(word: "music") == .music)
    #expect(try ListeningEnvironment(word: "church") == .other("church"))
  }

  @Test("a word that cannot be printed is refused", arguments: ["", " quiet", "a\nb", "a\u{202E}b"])
  func refuses(word: String) {
    #expect(throws: PrescriptionError.self) { try ListeningEnvironment(word: word) }
  }

  @Test(
    "a word that is a known one but for case, spaces and signs is told from it, and from words of the clinic's own"
  )
  func lookalikes() {
    for word in ["Quiet", "QUIET", "qui-et", "quiet.", " quiet"] {
      #expect(ListeningEnvironment.lookalike(of: word) == .quiet, "\(word)")
    }
    for word in ["conversation in noise", "Conversation-in-noise", "conversation_in_noise"] {
      #expect(ListeningEnvironment.lookalike(of: word) == .conversationInNoise, "\(word)")
    }
    for word in ["quiet", "music", "conversation-in-noise", "quiet 2", "church", "quieter"] {
      #expect(ListeningEnvironment.lookalike(of: word) == nil, "\(word)")
    }
  }
}
