import Base
import CommonTesting
import Testing

@testable import AuricleCommands

/// Places of cards, without a daemon and a camera.
@Suite("Places of cards") struct CardPlaceTests {
  private let folder = TemporaryFolder()

  // U+FEFF at the beginning is how some editors mark UTF-8.
  @Test("a card's text is read with a byte order mark before it and without", arguments: ["", "\u{FEFF}"])
  func byteOrderMark(mark: String) throws {
    folder.write(mark + "shc:/5676\n", to: "card.txt")
    #expect(try CardPlace(named: folder.file("card.txt")).text() == "shc:/5676\n")
  }

  @Test("a command that is advised names a place as its argument does")
  func argument() {
    #expect(CardPlace(named: "card.png").argument == "card.png")
    #expect(CardPlace(named: "my card.png").argument == "'my card.png'")
    #expect(CardPlace(named: "-").argument == "-")
    #expect(CardPlace.camera.argument == "--camera")
  }

  // sysexits.h: EX_UNAVAILABLE for a support program that is missing, EX_DATAERR for the user's data.
  @Test("a program that is missing is no fault of the file")
  func missingProgram() {
    let missing = Failure(.noPDFReader, at: "card.pdf")
    let without = Failure(.noCode, at: "card.pdf")
    #expect(missing.exitStatus == .unavailable && without.exitStatus == .badData)
  }
}
