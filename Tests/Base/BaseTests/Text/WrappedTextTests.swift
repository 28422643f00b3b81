import Testing

@testable import Base

@Suite("Lines of a text on a terminal") struct WrappedTextTests {
  @Test("a line that is too long is broken between words; breaks that the text has stay, empty lines too")
  func words() {
    #expect(English.wrapped("one two three\n\nfour", to: 8) == "one two\nthree\n\nfour")
    #expect(English.wrapped("", to: 8) == "" && English.wrapped("ends\n", to: 8) == "ends\n")
  }

  @Test("no word is broken, however long it is: a path stays one that can be copied")
  func longWord() {
    #expect(English.wrapped("in /home/ada/.config/a now", to: 10) == "in\n/home/ada/.config/a\nnow")
  }

  @Test("a line that fits keeps its columns, as a row of a table does")
  func rows() {
    let table = "  Hz   left\n 250   94.0"
    #expect(English.wrapped(table, to: 11) == table)
  }

  @Test("marks for a terminal take no columns")
  func marks() {
    let row = Style(isOn: true).warning("250  held") + "  " + Style(isOn: true).bold("8 dB")
    #expect(English.wrapped(row, to: 15) == row)
  }

  @Test(
    "every line of a long sentence fits, and all its words are there in their order",
    arguments: [20, 40, 78])
  func fits(_ width: Int) {
    let sentence = (1...200).map { "word\($0)" }.joined(separator: " ")
    let lines = English.wrapped(sentence, to: width).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= width })
    #expect(lines.joined(separator: " ") == sentence)
  }
}
