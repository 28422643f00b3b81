import CommonTesting
import Testing

@testable import AuricleCommands

@Suite("Lines of debug mode") struct DebugInputTests {
  @Test("a script has the same lines whatever ends them", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(end: String) throws {
    let folder = TemporaryFolder()
    let script = ["# a comment", "stage noise-reduction off", "wait 5s", "compare"]
    folder.write(script.map { $0 + end }.joined(), to: "script")
    var input = try DebugInput(folder.file("script"))
    var lines: [String] = []
    while let line = try input.next() { lines.append(line) }
    #expect(lines == script)
  }
}
