import Foundation
import Testing

@Suite("One SQL for two engines") struct StatementCountTests {
  @Test("statements that differ between the engines are 5 % of all at most, by the sources themselves")
  func differing() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Records").standardized
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var (all, differing) = (0, 0)
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      all += text.components(separatedBy: "Statement(").count - 1
      differing += text.components(separatedBy: "Statement(sqlite:").count - 1
    }
    #expect(all >= 20 && Double(differing) <= 0.05 * Double(all), "\(differing) of \(all)")
  }
}
