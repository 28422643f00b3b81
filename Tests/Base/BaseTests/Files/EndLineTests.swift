import CommonTesting
import Glibc
import Testing

@testable import Base

@Suite("First and last line of a file") struct EndLineTests {
  private let folder = TemporaryFolder()

  private func ends(_ text: String, longest: Int = 1 << 20) throws -> (first: String?, last: String?) {
    let path = folder.file("lines")
    try WholeFile.save(Array(text.utf8), to: path)
    let found = try FileContent.endLines(of: path, longest: longest)
    return (
      found.first.map { String(decoding: $0, as: UTF8.self) },
      found.last.map { String(decoding: $0, as: UTF8.self) }
    )
  }

  @Test(
    "they are the bytes up to the first end of a line, and those between the last two",
    arguments: [
      ("a\nb\nc\n", "a", "c"), ("a\nb\n", "a", "b"), ("a\n", "a", nil), ("a", nil, nil), ("", nil, nil),
      ("\n", "", nil), ("\n\n", "", ""), ("a\nb\nc", "a", nil), ("a\nb\nc\n\n", "a", ""),
    ] as [(String, String?, String?)])
  func lines(_ text: String, _ first: String?, _ last: String?) throws {
    let found = try ends(text)
    #expect(found.first == first && found.last == last)
  }

  @Test("neither the length of the file nor that of its lines matters, up to the longest line read")
  func long() throws {
    for length in [16_383, 16_384, 16_385, 200_000] {
      let (a, b) = (String(repeating: "a", count: length), String(repeating: "b", count: length))
      let text = a + "\n" + String(repeating: "x\n", count: 300_000) + b + "\n"
      let found = try ends(text)
      #expect(found.first == a && found.last == b)
      let bounded = try ends(text, longest: 16_386)
      #expect((bounded.first != nil) == (length < 16_386) && (bounded.last != nil) == (length < 16_385))
    }
  }

  @Test("what is no file is refused, and one that is not there is told")
  func refused() {
    for path in ["/dev/zero", folder.path] {
      #expect(throws: Failure.self) { try FileContent.endLines(of: path) }
    }
    let missing = #expect(throws: Failure.self) { try FileContent.endLines(of: folder.file("none")) }
    #expect(missing?.exitStatus == .noInput)
  }
}
