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
}
