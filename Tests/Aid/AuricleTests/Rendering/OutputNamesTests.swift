import AudioIO
import Base
import CommonTesting
import Glibc
import Testing

@testable import AuricleCommands

@Suite("Names of output files") struct OutputNamesTests {
  private let folder = TemporaryFolder()

  init() {
    mkdir(folder.file("real"), 0o700)
    symlink("real", folder.file("link"))
  }

  private func check(_ one: String, _ other: String) throws(Failure) {
    try RenderingFailures.checkDistinct(read: [], written: [folder.file(one), folder.file(other)])
  }

  @Test(
    "two names that would lead to one file are refused, whether it is there or not",
    arguments: ["real/./card.pdf", "real/../real/card.pdf", "link/card.pdf", "/real//card.pdf"])
  func same(other: String) throws {
    for _ in 0..<2 {
      let failure = try #require(throws: Failure.self) { try check("real/card.pdf", other) }
      #expect(failure.exitStatus == .usage)
      folder.write("there", to: "real/card.pdf")
    }
  }

  @Test(
    "other names, other folders and folders that are not there are not the same file",
    arguments: ["real/page.pdf", "card.pdf", "none/card.pdf"])
  func different(other: String) throws {
    try check("real/card.pdf", other)
    try check(other, "real/card.pdf")
  }

  @Test("of a sound that no WAV file can state the name that takes it is told")
  func tooLong() {
    let failure = RenderingFailures.sound(.tooLong(path: "day.wav", most: 4_294_963_200))
    #expect(
      failure.message
        == "day.wav: A WAV file holds 4294963200 bytes of sound at most, and this one would have more. "
        + "Give a name that ends in .flac.")
    #expect(failure.exitStatus == .cannotCreate)
  }

  @Test("a link that leads nowhere is not the file that it would lead to: the link is what is replaced")
  func loose() throws {
    symlink("card.pdf", folder.file("real/loose.pdf"))
    try check("real/card.pdf", "real/loose.pdf")
  }
}
